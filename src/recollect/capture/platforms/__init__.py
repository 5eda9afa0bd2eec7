"""One module per agent: its hook's JSON to an event document."""

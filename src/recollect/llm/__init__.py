"""Who reads meaning into an event: rules now, language models later. Built by the wiring only."""

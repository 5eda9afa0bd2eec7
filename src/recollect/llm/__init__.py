"""Who reads meaning into an event: rules, then a language model if any. Built by the wiring."""

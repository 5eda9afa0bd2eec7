"""The verbs: what can be done with memories, whatever the language it is asked in."""

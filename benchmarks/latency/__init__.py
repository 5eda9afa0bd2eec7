"""How long one start takes: a hook, a server."""

"""How cost grows with the store: searching, recalling, draining."""

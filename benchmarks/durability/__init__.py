"""Whether an acknowledged event is stored exactly once, whatever is killed, however many write."""

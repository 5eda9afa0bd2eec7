"""What the verbs may ask of a store, by topic. Each engine answers it with its own statements."""

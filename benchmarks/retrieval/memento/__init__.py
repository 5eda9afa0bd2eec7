"""Facts about people and what is asked about them."""

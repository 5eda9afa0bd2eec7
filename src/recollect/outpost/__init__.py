"""Copies of vectors elsewhere: the port of such a place, and Chroma, which answers it."""

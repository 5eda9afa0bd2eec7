"""Rows: the port that the verbs speak to, and the engines behind it."""

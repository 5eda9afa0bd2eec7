"""Is the right memory found? Question sets, measures, and the ways to search that are compared."""

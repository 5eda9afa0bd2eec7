"""A made-up history of coding sessions, and questions about it whose answers are known by making.

`tables/` has the words, `plan` says what is to be known, `history` lets it happen among all the
rest, `make` gives the question set. The same seed gives the same bytes.
"""

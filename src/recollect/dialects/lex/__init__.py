"""Lex's published language: frames as deliberate checkpoints, and the policy of their modules.

A frame's modules are ids of the workspace's policy, if it has one; without one any id is accepted.
An empty text counts as missing. A timestamp without a zone is UTC; a day alone is all of that day.
A text has at most 100,000 characters, a list at most 1,000 entries.

What is published stands in `tools.json`; the texts in `texts`, the JSON in `shapes`, the sixteen
codes in `wording`. Arguments are read in `asked`, by name, because each mistake has its own code.
"""

"""Pure rules about what may be kept: private tags, secrets by pattern and entropy.

`clean` is the one door. Everything here runs inside the hook, whose whole life is about 15 ms, so
importing a module of this room costs next to nothing: `re`, `enum`, `dataclasses`, `typing` and
`json` are never imported at the top, and `re` only when a text holds something for it to match.
"""

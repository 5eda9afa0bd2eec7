"""The nouns: what exists in Recollect, and every error it can name.

Frozen dataclasses, enums and errors. No I/O, no decisions. Imports the standard library only.
"""

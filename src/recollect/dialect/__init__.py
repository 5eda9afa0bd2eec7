"""What a dialect is: its tools, how arguments are checked, how problems are worded.

The dialects themselves are in `dialects/`. Nothing here knows one of them.
"""

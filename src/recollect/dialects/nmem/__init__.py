"""nmem's published language: six MCP tools, the command line's JSON, the injected context.

What is published stands in `tools.json`; how nouns look in it, in `shapes`; how problems and the
context are worded, in `wording`. Hook events come in through `capture`.
"""

"""CodexMem's published language: five tools, and the HTTP routes that hooks and viewers use.

What is published stands in `tools.json` and `routes/`, a file of routes for each module that
answers them; how nouns look in it, in `shapes`; what parameters may say, in `asked`.
"""

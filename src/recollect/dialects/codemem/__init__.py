"""codemem's published language: `memory_explain`, and the tools whose ranking it explains.

What is published stands in `tools.json`; how nouns look in it, in `shapes`; which memories it shows
and how it calls them, in `kinds`. `asked` reads arguments, `explaining` answers `memory_explain`,
`tools` the others.
"""

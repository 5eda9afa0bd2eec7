"""Memento's published language: five MCP tools for facts about people, preferences and situations.

What is published stands in `tools.json`; how nouns look in it, in `shapes`; how problems are
worded, in `wording`. Notes and frames of other dialects are facts here, about their project.
"""

"""Memento's published language: five MCP tools for facts about people, preferences and situations.

Facts belong to whoever owns the store and not to a project: every project finds them.
A fact is stored once, however often it is told; `relevance_score` is explained in
docs/explain/relevance.md. A content has at most 100,000 characters, a subject or a tag 200, and a
memory has at most 1,000 tags; more is refused, for what is exported has to come back. The setting
`memento.rate_limit` limits the requests of each server process; there is none by default.

What is published stands in `tools.json`; how nouns look in it, in `shapes`; how problems are
worded, in `wording`. Notes and frames of other dialects are facts here, about their project.
"""

"""The hot path of the hook: clean an event and put it durably into the spool.

Standard library only, and the cheap parts of it: every import here is paid by every tool call.
"""

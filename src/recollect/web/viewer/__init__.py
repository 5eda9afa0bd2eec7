"""The viewer: a page of the worker's that shows what is remembered, its entrance, and its data.

`assets/` is the page as a browser gets it. What can be done with memories is `service`'s.
"""

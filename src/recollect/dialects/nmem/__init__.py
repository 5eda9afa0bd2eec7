"""nmem's published language: hook capture, six MCP tools, the command line's JSON."""

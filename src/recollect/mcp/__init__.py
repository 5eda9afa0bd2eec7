"""MCP: tools of a dialect over stdio and HTTP, and the bridge to a running worker."""

"""HTTP: the Starlette app, its guards, and the routes that dialects publish."""

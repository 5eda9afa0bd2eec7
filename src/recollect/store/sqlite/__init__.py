"""The SQLite engine: connections, statements, migrations. Built by the wiring only."""

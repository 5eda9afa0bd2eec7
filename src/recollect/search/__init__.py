"""Pure decisions about finding: what people type, how matches are ranked."""

"""Pure decisions about modules: which there are, who owns what, who may call whom."""

"""Pure rules about what may be kept: private tags, secrets by pattern and entropy."""

"""What a text means, as a vector: models on this machine, an endpoint elsewhere, or neither."""

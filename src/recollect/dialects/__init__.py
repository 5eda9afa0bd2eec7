"""Five translators, strangers to one another. Published JSON in, a verb, published JSON out."""

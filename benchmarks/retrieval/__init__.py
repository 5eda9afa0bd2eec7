"""How well the product finds: labelled sets, and what it makes of them."""

"""Short forms."""

"""What drives passes."""

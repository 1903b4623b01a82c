"""What compiles programs and runs them."""

"""Structured operations written in Python."""

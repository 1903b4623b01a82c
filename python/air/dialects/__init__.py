"""Dialects: classes and functions that make operations."""

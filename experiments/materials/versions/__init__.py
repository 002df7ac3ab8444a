"""Versions of materials: a design as bytes and back, and what differs between two."""

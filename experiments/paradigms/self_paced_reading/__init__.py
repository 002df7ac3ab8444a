"""Self-paced reading."""

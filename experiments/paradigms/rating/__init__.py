"""Rating studies."""

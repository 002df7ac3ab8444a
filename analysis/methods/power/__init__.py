"""Power by simulation."""

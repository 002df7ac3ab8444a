"""Results on their way in: checked, stored exactly once, acknowledged after the commit."""

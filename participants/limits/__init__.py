"""Rate limits by sender, shared by all processes of a machine."""

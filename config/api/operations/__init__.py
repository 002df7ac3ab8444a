"""The operations of the API by their subjects; each module declares its own in `OPERATIONS`."""

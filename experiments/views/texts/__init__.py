"""Pages on which a researcher writes what participants read: texts, and the words of the interface."""

"""Pages for participants, and for researchers who monitor a study."""

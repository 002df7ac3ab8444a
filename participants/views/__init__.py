"""Pages of participants and of researchers who watch a study."""

"""The researcher's API under /api/v1/: every operation is declared once, which both checks and describes it."""

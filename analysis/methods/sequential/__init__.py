"""Group-sequential plans: α spending, boundaries of looks, and estimates corrected for earlier looks."""

"""The report of a model: its tables, figures and sentences (`tables`, `thresholds`); several outcomes in one report."""

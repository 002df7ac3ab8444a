"""Pages of analysing and exporting, one module for each subject."""

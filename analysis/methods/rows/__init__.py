"""From a table to the rows and columns that an analysis uses: one rule for every method."""

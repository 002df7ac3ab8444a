"""Present reports: numbers in APA style, tables, figures, labels, comparison of two reports."""

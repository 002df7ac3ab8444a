"""Write a study as a manuscript (LaTeX, Markdown, Word) from its design, data and reports."""

"""A study as a manuscript: what the platform knows of it, in the order of a paper, as LaTeX, Markdown and Word."""

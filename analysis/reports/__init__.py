"""How reports look: numbers in APA style, figures, pages, two reports held against each other."""

"""Correlate automatic metrics of texts with human ratings of the same texts: the method `metric-vs-human`.

| module | holds |
|---|---|
| `texts` | texts read from rows of ratings: mean ratings, values of metrics, who rated what |
| `resampling` | bootstrap intervals over participants, items or both |
| `weighted` | correlations of bootstrap samples |
| `williams` | Williams' test of two metrics against the same ratings |
| `accuracy` | how often a metric orders two texts as people do, ties included |
| `halves` | split-half reliability of the ratings, and the ceiling for metrics |
| `method`, `tables`, `wording` | the method, its tables, and its notes, warnings and sentences |
"""

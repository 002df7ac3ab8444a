"""Automatic metrics of texts against what people say about the same texts: the method `metric-vs-human`.

| module | holds |
|---|---|
| `texts` | from rows of ratings to texts: what people said, what the metrics say, who rated what |
| `resampling` | intervals from drawing participants, items or both again |
| `weighted` | correlations of texts that count more than once |
| `williams` | two metrics that are compared with the same people |
| `accuracy` | how often a metric orders two texts as people do, ties included |
| `halves` | how far halves of the raters agree: what a metric can reach |
| `method`, `tables`, `remarks` | the method; its report, and what it says in words |
"""

"""Measure texts (length, readability, word frequency, surprisal) and test whether conditions are matched.

| module | holds |
|---|---|
| `rows` | the texts among rows of data, each once |
| `measures` | what is measured of every text |
| `comparisons`, `matching`, `matching_bounds` | which levels are compared, how, and what difference matters |
| `tables`, `matching_wording` | what is shown and said |
| `method`, `example` | the method `text-profile` |
"""

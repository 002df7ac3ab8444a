"""Reliability of a scale: whether several items measure one thing, and how well their sum does.

| module | holds |
|---|---|
| `coefficients` | Cronbach's α with its interval, item–total correlations |
| `one_factor` | the one-factor model by maximum likelihood, and ω of it |
| `answers` | from rows to one line of answers per participant |
| `method` | the method `reliability`, its tables and words |
| `example` | a small example |
"""

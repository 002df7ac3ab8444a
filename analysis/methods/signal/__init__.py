"""Signal detection: how well people tell signal from noise, and which answer they lean to.

| module | holds |
|---|---|
| `sensitivity` | d′ and criterion of counts, with the log-linear correction, and their standard error |
| `counting` | hits and false alarms of every participant in every cell |
| `differences` | one cell against another, over participants |
| `tables`, `wording` | tables and figures; notes, warnings and sentences |
| `method` | the method `signal-detection` |
| `example` | a small example |
"""

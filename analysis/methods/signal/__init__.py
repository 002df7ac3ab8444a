"""Signal detection: how well people tell signal from noise, and which answer they lean to.

| module | holds |
|---|---|
| `sensitivity` | d′ and criterion of counts, with the log-linear correction |
| `counting` | hits and false alarms of every participant in every cell |
| `method` | the method `signal-detection`, its tables, figures and words |
| `example` | a small example |
"""

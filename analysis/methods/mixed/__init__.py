"""Linear mixed models: crossed and nested random effects with slopes, fitted as lme4 defines them.

| module | holds |
|---|---|
| `formula` | lme4's formula syntax, parsed |
| `variables` | the columns that a formula names, read from a frame |
| `design` | model matrices, contrasts, random terms |
| `engine` | the profiled criterion, its gradient, estimates |
| `optimise` | the search for the optimum and the checks on it |
| `satterthwaite` | degrees of freedom and F tests |
| `method` | the method `lmm` and its report |
"""

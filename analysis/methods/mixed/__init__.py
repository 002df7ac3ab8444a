"""Linear mixed models: crossed and nested random effects with slopes, fitted as lme4 defines them.

| module | holds |
|---|---|
| `formula`, `terms` | lme4's formula syntax, parsed |
| `variables` | the columns that a formula names, read from a frame |
| `design` | model matrices, contrasts, random terms |
| `crossproducts`, `engine`, `curvature` | the profiled criterion with exact first and second derivatives |
| `optimise` | the search for the optimum and the checks on it |
| `satterthwaite`, `hypotheses`, `means`, `likelihood_ratio` | estimates and tests |
| `method`, `tables`, `remarks`, `example` | the method `lmm`, its report, and what it says in words |
"""

"""Linear mixed models: crossed and nested random effects with slopes, fitted as lme4 defines them.

| module | holds |
|---|---|
| `formula`, `terms` | lme4's formula syntax, parsed |
| `variables` | the columns that a formula names, read from a frame |
| `contrast_choice`, `own_contrasts`, `codings` | which contrasts were asked for, and their codes |
| `design` | model matrices, random terms |
| `crossproducts`, `engine`, `curvature` | the profiled criterion with exact first and second derivatives |
| `optimise` | the search for the optimum and the checks on it |
| `satterthwaite`, `hypotheses`, `means`, `likelihood_ratio` | estimates and tests |
| `meanings`, `weights_wording`, `coding_wording` | what each coefficient is in means of levels |
| `method`, `tables`, `remarks`, `example` | the method `lmm`, its report, and what it says in words |
"""

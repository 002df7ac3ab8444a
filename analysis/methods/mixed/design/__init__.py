"""What a formula asks for of the data: its terms, the columns it names, codes of factors and model matrices.

| module | holds |
|---|---|
| `formula`, `tokens`, `terms` | lme4's formula syntax, parsed |
| `variables` | the columns that a formula names, read from a frame |
| `levels` | orders of levels that were asked for |
| `contrast_choice`, `own_contrasts`, `codings` | which contrasts were asked for, and their codes |
| `matrices` | model matrices, random terms |
"""

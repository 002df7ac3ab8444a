"""Formulas and their designs: terms, variables, contrast coding, model matrices.

| module | holds |
|---|---|
| `formula`, `tokens`, `terms` | lme4's formula syntax, parsed |
| `variables` | the columns that a formula names, read from a frame |
| `levels` | orders of levels that were asked for |
| `contrast_choice`, `own_contrasts`, `codings` | which contrasts were asked for, and their codes |
| `matrices` | model matrices, random terms |
"""

"""Fitted models: estimates and Wald tests, and where fixed effects have no finite estimate.

| module | holds |
|---|---|
| `fitted` | the estimates in the units of the data |
| `finite` | where the fixed effects have no finite estimates |
| `answers`, `numbers` | fits of two values and ordered categories, of counts and times |
"""

"""Linear mixed models: crossed and nested random effects with slopes, fitted as lme4 defines them.

| room | holds |
|---|---|
| `design` | what a formula asks for of the data: terms, columns, contrasts, model matrices |
| `fitting` | the profiled criterion with exact first and second derivatives, and the search for the optimum |
| `estimates` | contrasts, tests, means and comparisons of a fitted model |
| `random_effects` | choosing random effects, and the slopes that a model lacks |
| `checks` | residuals, single people and items, and the estimates without them |
| `wording` | what is said about a model |
| `reported` | the tables, figures and sentences of its report |
| `calibration` | how often its tests reject on its own design, by simulation |
| `asked` | the parameters that all mixed models share, read |
| `modelled`, `method`, `example` | a model from its formula to its report, and the method `lmm` |
| `settings` | parameters that all mixed models share |
| `regions` | the method `regions`: the same model for every region of a text |
"""

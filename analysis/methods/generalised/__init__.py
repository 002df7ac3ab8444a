"""Generalised linear mixed models by the Laplace approximation: binary outcomes, counts, times, ordered categories.

Formulas, model matrices, contrasts, hypotheses, means, tables and figures are those of `analysis.methods.mixed`.

| room | holds |
|---|---|
| `likelihoods` | what a row says of its linear predictor |
| `fitting` | the Laplace criterion with its exact gradient, and the search for the optimum |
| `outcomes` | reading two values, counts, times, ordered categories |
| `models` | fits of them, and where fixed effects have no finite estimate |
| `estimates` | tests of effects: Wald, likelihood ratio, F by restricted likelihood; proportional odds |
| `checks` | calibration, scatter, single people and items |
| `wording` | what is said about a model |
| `reported` | thresholds; several outcomes in one report |
| `binary`, `single` | the method `glmm`, and its report on one outcome |
| `ordinal`, `example` | the method `ordinal`; small data sets |
"""

"""Generalised linear mixed models by the Laplace approximation: binary outcomes, counts, times, ordered categories.

Formulas, model matrices, contrasts, hypotheses and means are those of `analysis.methods.mixed`.

| module | holds |
|---|---|
| `likelihoods` | what a row says: binomial counts, cumulative logits |
| `blocks`, `laplace` | the matrices by blocks; the criterion with its exact gradient |
| `optimise` | the search for the optimum and the checks on it |
| `fitted`, `finite` | estimates and Wald tests; where fixed effects have no finite estimate |
| `type_three`, `restricted` | tests of effects: Wald, likelihood ratio, F by restricted likelihood |
| `outcomes` | reading two values, counts, ordered categories |
| `families/` | counts and times: scales, likelihoods, fits, scatter, words |
| `binary`, `binary_models` | the method `glmm`; fits of two values |
| `single`, `several`, `chosen` | the report on one outcome; several in one report; choosing random effects |
| `ordinal`, `ordinal_models`, `thresholds`, `proportional_odds` | the method `ordinal`; fits of ordered categories |
| `tables`, `wording`, `example` | reports, and what they say in words |
"""

"""Generalised linear mixed models by the Laplace approximation: binary outcomes and ordered categories.

Formulas, model matrices, contrasts, hypotheses and means are those of `analysis.methods.mixed`.

| module | holds |
|---|---|
| `likelihoods` | what a row says: binomial counts, cumulative logits |
| `blocks`, `laplace` | the matrices by blocks; the criterion with its exact gradient |
| `optimise` | the search for the optimum and the checks on it |
| `fitted`, `finite` | estimates and Wald tests; where fixed effects have no finite estimate |
| `type_three`, `restricted` | tests of effects: Wald, likelihood ratio, F by restricted likelihood |
| `outcomes` | reading two values, counts, ordered categories |
| `binary`, `binary_models`, `several` | the method `glmm`; its fits; several outcomes in one report |
| `ordinal`, `thresholds`, `proportional_odds` | the method `ordinal` |
| `tables`, `wording`, `example` | reports, and what they say in words |
"""

"""Inference from fitted models: contrasts, tests of effects, marginal means, comparisons of models.

| module | holds |
|---|---|
| `interfaces` | what has to be known of a fitted model, whatever its likelihood |
| `scales` | how models are called, and on which scale their coefficients and means are |
| `satterthwaite` | a linear mixed model with its contrasts and their degrees of freedom |
| `hypotheses` | tests of type III |
| `means` | estimated marginal means and their comparisons |
| `likelihood_ratio` | two models compared |
| `variance_explained` | marginal and conditional R² |
"""

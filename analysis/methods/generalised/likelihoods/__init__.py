"""What a row says of its linear predictor: its log likelihood, and on which scale a model is.

| module | holds |
|---|---|
| `answers` | binomial counts, cumulative logits |
| `counts`, `times` | Poisson and negative binomial counts; gamma and inverse Gaussian times |
| `scales` | how a model is called, in what its coefficients are, what a mean is on the scale of the outcome |
"""

"""What a row says of its linear predictor: its log likelihood, with the derivatives that Laplace needs.

| module | holds |
|---|---|
| `answers` | binomial counts, cumulative logits |
| `counts`, `times` | Poisson and negative binomial counts; gamma and inverse Gaussian times |
"""

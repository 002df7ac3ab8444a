"""What an outcome of a mixed model can be beside two values: counts and times, each with a family and a link.

| module | holds |
|---|---|
| `scales` | how a model is called, in what its coefficients are, what a mean is on the scale of the outcome |
| `likelihoods`, `times` | Poisson and negative binomial counts; gamma and inverse Gaussian times |
| `outcomes` | reading counts and times |
| `models` | fitting them |
| `dispersion` | whether counts vary more than a Poisson model lets them |
| `diagnostics`, `wording` | what is shown of a fit, and what is said about it |
"""

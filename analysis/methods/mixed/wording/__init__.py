"""Notes and warnings of mixed models.

| module | holds |
|---|---|
| `model` | what was done, and what is wrong with the fit |
| `random_effects` | what variances and correlations mean, which slopes lack and which cannot be |
| `selection` | how the random effects were chosen |
| `codings`, `weights` | contrasts, and what they compare as weights of levels |
"""

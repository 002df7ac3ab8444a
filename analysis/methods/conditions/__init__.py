"""Compare conditions by means of units: ANOVA, pairwise tests, contrasts, ranks."""

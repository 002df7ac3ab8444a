"""How large effects are: intervals by noncentral distributions, tests against bounds, Bayes factors; formulas that
know no design."""

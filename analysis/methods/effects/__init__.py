"""How large effects are: intervals by noncentral distributions, Bayes factors; formulas that know no design."""

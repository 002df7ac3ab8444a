"""How often the tests of a linear mixed model reject on its very design: simulated from the fitted model.

`replicates` simulates and fits, `split` divides that among workers, `reported` says what came of it.
"""

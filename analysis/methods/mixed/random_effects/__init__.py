"""Which random effects a model has: choosing among those of its formula, and the slopes that it lacks.

| module | holds |
|---|---|
| `candidates` | models among which is chosen, and where the search for one begins |
| `reduction` | the choice |
| `lacking_slopes` | slopes that the design of a study allows and its model lacks |
"""

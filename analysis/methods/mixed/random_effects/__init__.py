"""Selection of random effects, and slopes that a model lacks.

| module | holds |
|---|---|
| `candidates` | models among which is chosen, their tests, and where the search for one begins |
| `reduction` | the two ways to choose with their steps, and what comes of it |
| `search` | the random terms that are left on the way, and the table of steps |
| `lacking_slopes` | slopes that the design of a study allows and its model lacks |
"""

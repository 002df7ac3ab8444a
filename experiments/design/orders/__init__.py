"""Orders of the trials of a session, and what can be said against them before anybody takes part. Pure.

| module | holds |
|---|---|
| `randomised` | one random order under rules about fillers and runs |
| `arranged` | blocks, chains, first and last trials, repetitions, distances, in the order given or at random |
| `sequences` | one random sequence of such pieces that keeps all rules |
| `spacing` | texts of one item kept apart by swaps |
| `conditions` | orders of an item's conditions, balanced over items |
"""

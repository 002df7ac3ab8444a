"""Fitting: the Laplace approximation by blocks with its exact gradient, and the search for its optimum.

| module | holds |
|---|---|
| `blocks` | the matrices by blocks |
| `laplace` | the criterion with its gradient |
| `optimise` | the search for the optimum and the checks on it |
"""

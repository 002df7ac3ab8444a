"""Fitting a linear mixed model: its profiled criterion, and the search for the optimum.

| module | holds |
|---|---|
| `crossproducts` | the sums of products of a design, in units in which all columns are of one size |
| `engine` | the profiled criterion of Bates, Mächler, Bolker & Walker (2015) and its gradient |
| `curvature` | its exact Hessian |
| `optimise`, `stationary` | the search for the optimum and the checks on it |
"""

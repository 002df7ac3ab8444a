"""Choosing the random effects of a mixed model, beginning with those of its formula.

`parsimonious` (Bates, Kliegl, Vasishth & Baayen 2015, arXiv 1506.04967; Matuschek, Kliegl, Vasishth, Baayen & Bates
2017, *Journal of Memory and Language* 94, 305–315) takes a simpler model where the data do not support the larger one:

1. the model of the formula: the correlations of random terms whose covariance matrix is singular are taken out
   untested, all of them where it did not converge;
2. those that are left are tested together; where they improve the model, their random terms stay as they are, else
   they are taken out;
3. in the other random terms slopes are taken out one at a time, interactions of the highest order first, among these
   the one that costs the least, as long as p of the likelihood ratio test is above .20
   (`parsimonious.ALPHA`); a slope stays while one that contains it is there;
4. correlations are tried again, one random term at a time, and kept where p ≤ .20 and its covariance matrix is not
   singular.

`keep-maximal` (Barr, Levy, Scheepers & Tily 2013, *Journal of Memory and Language* 68, 255–278) tests nothing: only
what stands in the way of a fit that converges and is not singular is taken out. Correlations of the terms whose
covariance matrix is singular go first, then slopes of which no column has variance, the highest order first, the last
one written first; at last correlations are tried again, the largest random term first, and taken where that converges
and makes nothing singular.

Intercepts stay with both, also those that factors without an intercept stand for, and without variance they stand in
the way of nothing. All models have the same fixed effects, so restricted likelihoods can be compared, and the
tests use the criterion with which the model is reported: χ² is the difference of −2 log likelihoods, df that of the
numbers of variances and covariances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from analysis.methods.mixed.design.terms import Formula
from analysis.methods.mixed.random_effects.keep_maximal import keep_maximal
from analysis.methods.mixed.random_effects.parsimonious import parsimonious
from analysis.methods.mixed.random_effects.search import M, Search

NONE, KEEP_MAXIMAL, PARSIMONIOUS = "none", "keep-maximal", "parsimonious"


@dataclass(frozen=True)
class Reduced(Generic[M]):
    """What is reported, after how many fits, and the rows of the table `steps` (the last one is the reported model)."""

    model: M
    fits: int
    lines: tuple[dict[str, Any], ...]


def reduced(formula: Formula, how: str, fit: Callable[[Formula, M | None, int], M]) -> Reduced[M]:
    """Choose random effects, `how` being keep-maximal or parsimonious.

    `fit` fits a formula; its second argument is the model from which to go on (see `warm_start`), None for the first,
    the third one how many were fitted before.
    """
    search = Search(formula, fit)
    model = parsimonious(search) if how == PARSIMONIOUS else keep_maximal(search)
    search.tell(model, "reported model", "reported")
    return Reduced(model, search.fits, tuple(search.lines))

"""Every analysis that is offered, in the order in which it is offered. A new method is one more line here."""

from __future__ import annotations

from analysis.methods import anova, minf, nbest, tukey
from analysis.methods.registry import Method

ANALYSES: tuple[Method, ...] = (
    anova.METHOD,
    minf.METHOD,
    tukey.METHOD,
    nbest.METHOD,
)

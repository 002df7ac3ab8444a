"""Every analysis that is offered, in the order in which it is offered: its slug and the module that declares it.

A new method of the platform is one more line here; a method of another package comes by an entry point of the group
`lectern.methods` whose name is its slug. A module is imported when its method is asked for, not before.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pandas comes with it, and Django asks for the names of methods while it starts
    from analysis.methods.declarations import Method

ENTRY_POINTS = "lectern.methods"

MODULES: dict[str, str] = {
    "normalise": "measures.normalise",
    "condition-means": "measures.condition_means",
    "rm-anova": "conditions.anova",
    "friedman": "conditions.friedman",
    "min-f": "conditions.minf",
    "tukey": "conditions.tukey",
    "equivalence": "conditions.equivalence",
    "bayes-factor": "conditions.bayes_factors",
    "n-best": "measures.nbest",
    "lmm": "mixed.method",
    "regions": "mixed.regions.method",
    "glmm": "generalised.binary",
    "ordinal": "generalised.ordinal",
    "multinomial": "generalised.multinomial",
    "correlation": "measures.correlation",
    "reading": "reading.method",
    "proportions": "codes.proportions",
    "contingency": "codes.contingency",
    "signal-detection": "signal.method",
    "production-norms": "production.method",
    "preference": "preference.method",
    "reliability": "reliability.method",
    "incidence": "codes.incidence",
    "agreement": "codes.agreement",
    "logistic": "logistic.method",
    "power": "power.method",
    "robustness": "reported.robustness",
    "consistency": "reported.consistency",
    "text-profile": "texts.method",
    "maze-distractors": "maze.method",
    "overlap": "overlap.method",
    "perturb": "perturb.method",
    "metric-vs-human": "judged.method",
    "ranking": "ranking.method",
}

ADDED: dict[str, Method] = {}
"""Methods that came from elsewhere; filled once from the entry points."""


@cache
def offered() -> tuple[EntryPoint, ...]:
    """Return the entry points of the methods that installed packages offer; nothing is imported.

    Raises RuntimeError where two methods would have one slug.
    """
    points = tuple(entry_points(group=ENTRY_POINTS))
    taken = set(MODULES)
    for point in points:
        if point.name in taken:
            raise RuntimeError(f"Two methods are called {point.name!r}; one of them is {point.value}.")
        taken.add(point.name)
    return points

"""Every analysis that is offered, in the order in which it is offered. A new method is one more line here."""

from __future__ import annotations

from analysis.methods.codes import agreement, incidence, proportions
from analysis.methods.conditions import anova, friedman, minf, tukey
from analysis.methods.declarations import Method
from analysis.methods.generalised import binary, ordinal
from analysis.methods.judged import method as judged
from analysis.methods.logistic import method as logistic
from analysis.methods.measures import condition_means, correlation, nbest, normalise
from analysis.methods.mixed import method as mixed
from analysis.methods.overlap import method as overlap
from analysis.methods.perturb import method as perturb
from analysis.methods.power import method as power
from analysis.methods.preference import method as preference
from analysis.methods.production import method as production
from analysis.methods.ranking import method as ranking
from analysis.methods.reading import method as reading
from analysis.methods.reported import consistency, robustness
from analysis.methods.signal import method as signal
from analysis.methods.texts import method as text_profile

ANALYSES: tuple[Method, ...] = (
    normalise.METHOD,
    condition_means.METHOD,
    anova.METHOD,
    friedman.METHOD,
    minf.METHOD,
    tukey.METHOD,
    nbest.METHOD,
    mixed.METHOD,
    binary.METHOD,
    ordinal.METHOD,
    correlation.METHOD,
    reading.METHOD,
    proportions.METHOD,
    signal.METHOD,
    production.METHOD,
    preference.METHOD,
    incidence.METHOD,
    agreement.METHOD,
    logistic.METHOD,
    power.METHOD,
    robustness.METHOD,
    consistency.METHOD,
    text_profile.METHOD,
    overlap.METHOD,
    perturb.METHOD,
    judged.METHOD,
    ranking.METHOD,
)

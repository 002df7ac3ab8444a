"""Notes (the methods section) and warnings of `ranking`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.ranking.accuracies import interval
from analysis.methods.ranking.folding import META
from analysis.methods.ranking.matrices import GROUPS
from analysis.methods.ranking.rankers import ALL, ALL_INPUTS, LENGTH, Ranked
from analysis.methods.ranking.tables import difference
from analysis.methods.ranking.texts import MOST_SYSTEMS, Texts
from analysis.methods.wording import counted, listed, percent_text, share_text
from analysis.text.quality.measuring import class_of

FEW_INPUTS = 20
FEW_SYSTEMS = 5
LEARNT = frozenset({"language_model", "word_coherence", "continuity", "coh_metrix"})
"""Classes with features that hang on other texts."""


def notes(
    classes: Sequence[str],
    *,
    folds: int,
    c: float,
    draws: int,
    confidence: float,
    seed: int,
    model: str,
    corpus: str,
    splits: int,
    system_level: str,
    sourced: bool,
) -> list[str]:
    """Return the methods section; what the classes that were asked for do not need is not told."""
    elsewhere = [f"The language model was read from {model}."] if model else []
    if corpus:
        what = "Latent dimensions" if model else "Language models (interpolated Kneser–Ney) and latent dimensions"
        elsewhere.append(f"{what} were learnt from the corpus {corpus}.")
    here = [
        *([] if model or corpus else ["language models (interpolated Kneser–Ney)"]),
        *([] if corpus else ["latent dimensions"]),
        "word coherence (IBM model 1)",
        "word weights",
    ]
    learnt = f"{listed(here)[0].upper()}{listed(here)[1:]} were"
    also = " and sources (word coherence, latent dimensions)" if sourced else ""
    return [
        f"Linear ranking SVM (squared hinge loss, C = {c:g}) on differences of standardised features between texts of "
        f"the same input, after Pitler, Louis and Nenkova (2010). Pairs with equal mean ratings are left out and "
        f"counted; equal predictions count a half.",
        (
            f"The inputs were dealt into {folds} folds at random (seed {seed}); all texts of an input are in one fold, "
            f"and rankers are tested on folds that they were not trained on. Accuracies at input level are means over "
            f"folds."
            if folds
            else "Rankers were trained on the inputs of some data sets and tested on those of the others."
        ),
        "At system level the ratings and predictions of a system are averaged first, over "
        + (
            "all inputs that were tested."
            if system_level == ALL_INPUTS or not folds
            else "the inputs of a fold; accuracies are means over folds."
        ),
        *(
            [
                f"The table splits has accuracies over {splits} such divisions into folds, the first of which is that "
                f"of the other tables; its intervals say how far an accuracy hangs on the division alone."
            ]
            if splits > 1
            else []
        ),
        *elsewhere,
        *(
            [
                f"{learnt} learnt from texts{also} of inputs "
                f"{'outside the fold' if folds else 'that are trained on'}; for a text that is trained on, from "
                f"{GROUPS} groups of these without its own."
            ]
            if LEARNT & {*classes}
            else []
        ),
        *(
            [
                "The meta ranker ranks by the predictions of the rankers of single classes: in training these come "
                "from rankers that did not see the input (leave one input out)."
            ]
            if len(classes) > 1
            else []
        ),
        f"{percent_text(confidence)} intervals: normal, with the standard deviation of {draws:,} draws of inputs with "
        f"replacement; the rankers are not trained anew, so that the chance of the training is not in them.",
        "Words are told apart by lists of English function words; for other languages leave out the classes "
        "cohesive_devices, reference_form and coh_metrix.",
    ]


def warnings(
    texts: Texts, results: Sequence[Ranked], names: Sequence[str], features: Floats, *, confidence: float
) -> list[str]:
    """Return what a careful colleague would point out."""
    said: list[str] = []
    inputs, systems = len(texts.item_names), len(texts.system_names)
    if inputs < FEW_INPUTS:
        said.append(
            f"There are only {inputs} inputs: rankers see few of them, and intervals from so few are rough. Features "
            f"by the dozen need inputs by the dozen."
        )
    if systems > MOST_SYSTEMS:
        said.append(
            f"There are {systems:,} systems, so nothing is said at system level; name the column that holds who made "
            f"the texts with system=…"
        )
    elif systems < FEW_SYSTEMS:
        said.append(f"With {counted(systems, 'system')} there are few pairs of systems: read the input level.")
    filled = len(np.unique(texts.items * systems + texts.systems))
    if filled < inputs * systems:
        said.append(
            f"{inputs * systems - filled:,} of {inputs * systems:,} combinations of input and system have no text; at "
            f"system level systems are compared on different inputs."
        )
    empty = [name for name, column in zip(names, features.T, strict=True) if np.isnan(column).all()]
    if empty:
        said.append(
            f"No text has a value of {listed(empty, shown=4)} (texts of one sentence have no adjacent ones); these "
            f"features took no part."
        )
    partly = {
        class_of(name)
        for name, column in zip(names, features.T, strict=True)
        if np.isnan(column).any() and not np.isnan(column).all()
    }
    if partly:
        known = features[:, ~np.isnan(features).all(axis=0)]
        lacking = int(np.isnan(known).any(axis=1).sum())
        said.append(
            f"{lacking:,} of {counted(len(features), 'text')} lack some of the features of {listed(sorted(partly))} "
            f"(such as the similarity of adjacent sentences where there is one sentence): empty in the table, and "
            f"counted as the mean of the others."
        )
    for result in results:
        said += _of_result(result, confidence=confidence)
    return said


def _of_result(result: Ranked, *, confidence: float) -> list[str]:
    said: list[str] = []
    undefined = sorted({level for levels in result.found.values() for level, a in levels.items() if np.isnan(a.value)})
    if undefined:
        said.append(
            f"{result.score}: no two systems differ in their mean ratings, so there is no accuracy at system level."
        )
    main = META if META in result.found else ALL if ALL in result.found else next(iter(result.found))
    own, length = result.found[main]["input"], result.found[LENGTH]["input"]
    gap = difference(own, length, confidence)
    chance = interval(own.value, own.draws, confidence)[0]
    if chance is not None and chance <= 0.5:
        said.append(
            f"{result.score}: the interval of {main} at input level does not lie above .5 (accuracy "
            f"{share_text(own.value)}), so it is not shown to rank better than chance, and it says nothing about which "
            f"features matter."
        )
        return said
    if main != LENGTH and gap["ci_low"] is not None and gap["ci_low"] <= 0:
        said.append(
            f"{result.score}: ranking by the number of words alone is as good as all features, within the interval "
            f"(accuracy {share_text(length.value)} against {share_text(own.value)} at input level): do not say that "
            f"the features measure more than length."
        )
    return said

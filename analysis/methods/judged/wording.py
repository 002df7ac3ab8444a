"""Notes, warnings and sentences of `metric-vs-human`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Integers
from analysis.methods.judged.resampling import MOST_SYSTEMS, drawings_of
from analysis.methods.judged.tables import TEXT
from analysis.methods.judged.texts import Columns, Texts
from analysis.methods.wording import counted, df_text, listed, number_text, p_text, percent_text, share_text

FEW = 10
ORIGIN = {
    "raw": "the ratings as given",
    "z": "z scores within participants (SD with n − 1)",
    "z-population": "z scores within participants (SD with n)",
    "log": "logarithms to base 10",
    "log-z": "z scores of logarithms within participants (SD with n − 1)",
}


def notes_of(
    texts: Texts,
    columns: Columns,
    *,
    scale: str,
    schemes: Sequence[str],
    resamples: int,
    splits: int,
    seed: int,
    confidence: float,
    has_ceiling: bool,
) -> list[str]:
    """Say what was done, in the order in which it was done."""
    of = f"an item in a level of {columns.condition}" if columns.condition else "an item"
    raters = f" by {counted(len(np.unique(texts.person_of)), 'participant')}" if texts.people else ""
    notes = [
        f"{counted(len(texts.human), 'text')} ({of}), {counted(len(texts.score), 'rating')}{raters}; people's score "
        f"of a text is the mean of {ORIGIN[scale]}, that of a system the mean over its texts, as is a metric's.",
        "r is Pearson's, ρ Spearman's, τ Kendall's τ-b; p and ci_low, ci_high (Fisher's z) treat texts as independent.",
    ]
    if schemes:
        less = {sign: drawings_of(how, texts, resamples) for how, sign in (("spearman", "ρ"), ("kendall", "τ"))}
        named = listed(f"{sign} of texts {times} times" for sign, times in less.items() if times < resamples)
        fewer = f" ({named})" if named else ""
        what = {"item": "items with all their texts", "participant": "participants with all their ratings",
                "both": "both independently of each other"}  # fmt: skip
        notes.append(
            f"{percent_text(confidence)} intervals from drawing again {listed(what[scheme] for scheme in schemes)}, "
            f"{resamples:,} times{fewer}, seed {seed}: for texts "
            f"tanh(artanh r ± z · SE), where SE is the standard deviation of artanh r over the drawings; for systems "
            f"percentiles. There is no interval for r = ±1 and where most drawings have no correlation."
        )
    if len(texts.names) > 1:
        notes.append(
            "Metrics are compared by Williams' test (Steiger 1980, equation 7), p adjusted by Holm within each level; "
            "the interval of a difference is from drawing again, and does not treat texts as independent."
        )
    notes.append(
        "Accuracy: share of pairs that the metric orders as people do. accuracy = C/(C + D + T_m): pairs that people "
        "tie are left out, ties of the metric are wrong. accuracy_ties = (C + T_hm)/all pairs, which also rewards "
        "ties that both give, and accuracy_calibrated is its maximum when the metric ties pairs that differ by at "
        "most ε (Deutsch, Foster and Freitag 2023); ε is chosen on these data, which flatters a little."
    )
    if has_ceiling:
        crossed = "participants" if texts.is_crossed else "the raters of each text, for systems the participants,"
        notes.append(
            f"Ceiling: {crossed} in random halves, {splits:,} times, seed "
            f"{seed}; reliability by Spearman–Brown, the highest possible r is its root. r_corrected = r / that root."
        )
    return notes


def direction_remarks(
    texts: Texts, signs: Integers, correlations: Sequence[dict[str, Any]], *, lower: Sequence[str], direction: str
) -> tuple[list[str], list[str]]:
    """Return notes and warnings about which way metrics point. `signs` are those of Williams' test."""
    notes, warnings = [], []
    if lower:
        notes.append(f"Lower values of {listed(lower)} count as better, as declared; of all other metrics higher ones.")
    else:
        notes.append("Higher values of every metric count as better, as none was declared in lower_is_better.")
    r_of = {line["metric"]: line["r"] for line in correlations if line["how"] == "pearson" and line["level"] == TEXT}
    against = [name for name in texts.names if (r_of.get(name) or 0.0) * (-1 if name in lower else 1) < 0]
    wrong = [name for name in against if name in lower]
    if wrong:
        warnings.append(
            f"{listed(wrong)} {'was' if len(wrong) == 1 else 'were'} declared as better where lower, and people score "
            f"texts higher where {'it is' if len(wrong) == 1 else 'they are'} higher. The declaration stands: that the "
            f"metric goes against people is a result, and accuracy below .5 says the same."
        )
    undeclared = [name for name in against if name not in lower]
    turned = [name for name, sign in zip(texts.names, signs, strict=True) if sign < 0 and name not in lower]
    if undeclared:
        how = (
            f"For Williams' test the sign of {listed(turned)} was turned by these data, as direction=absolute asks"
            if turned and direction == "absolute"
            else "Signs are as printed"
        )
        warnings.append(
            f"{listed(undeclared)} correlate{'s' if len(undeclared) == 1 else ''} negatively with people's scores. "
            f"{how}; accuracy takes higher as better. If lower values are meant to be better, declare it before "
            f"looking: lower_is_better={','.join(undeclared)}."
        )
    return notes, warnings


def cautions(texts: Texts, columns: Columns, *, schemes: Sequence[str]) -> list[str]:
    """Say what the data do not allow."""
    warnings = []
    k = len(texts.systems)
    if not texts.systems:
        warnings.append(
            "There is no column of systems, so every item is one text and there is no level of systems; name it with "
            "condition=…"
        )
    elif k < 3:
        warnings.append(
            f"There {'is only one system' if k == 1 else 'are only two systems'} ({listed(texts.systems)}); a "
            f"correlation of systems needs at least three."
        )
    elif k < FEW:
        t = float(scipy.stats.t.isf(0.025, k - 2))
        warnings.append(
            f"There are only {k} systems: without any relation |r| exceeds "
            f"{share_text(t / np.sqrt(t * t + k - 2), places=3)} once in twenty times; mind that."
        )
    if k > MOST_SYSTEMS:
        warnings.append(
            f"There are {k:,} systems, so τ of systems was not drawn again; check that {columns.condition} names "
            f"systems and not texts."
        )
    if "item" not in schemes:
        warnings.append("All texts are of one item, so items cannot be drawn again.")
    elif len(texts.items) < FEW:
        warnings.append(f"There are only {len(texts.items)} items; intervals from drawing items again are unreliable.")
    people = len(np.unique(texts.person_of))
    if columns.participant is None:
        warnings.append(
            "Nothing says who rated, so there are no intervals from drawing participants again, no ceiling for systems "
            "and no ICC; name the column with participant=…"
        )
    elif people == 1:
        warnings.append("There is only one participant, so nothing can be said about how reliable the ratings are.")
    elif people < FEW:
        warnings.append(
            f"There are only {people} participants; intervals from drawing participants again are unreliable."
        )
    if columns.participant is not None and people > 1 and int(texts.ratings.max()) < 2:
        warnings.append(
            "Every text was rated by one person only, so there is no ICC and no ceiling for texts: nobody else's "
            "rating of a text is there to compare with."
        )
    return warnings


def denied_by_intervals(correlations: Sequence[dict[str, Any]], compared: Sequence[dict[str, Any]]) -> list[str]:
    """Say where p < .05 takes texts for independent although the interval from drawing again holds 0."""
    denied = [
        f"r of {line['metric']}"
        for line in correlations
        if line["level"] == TEXT and line["how"] == "pearson" and _p_denied(line, "p", _broadest(line))
    ]
    denied += [
        f"{line['a']} against {line['b']}"
        for line in compared
        if line["level"] == TEXT and _p_denied(line, "p_holm", "diff")
    ]
    if not denied:
        return []
    return [
        f"p lies below .05 and the interval from drawing again holds 0 for {listed(denied, shown=8)}. Texts of the "
        f"same item, and ratings of the same person, are alike, and a p that treats texts as independent is then far "
        f"too small: with metrics and ratings that vary by item, Williams' test rejected a true null hypothesis in "
        f"32 % of simulations at α = .05. Report the interval."
    ]


def _broadest(line: dict[str, Any]) -> str:
    """Return the scheme of drawing again whose interval is told."""
    return next((scheme for scheme in ("both", "item", "participant") if line.get(f"{scheme}_low") is not None), "")


def _p_denied(line: dict[str, Any], p: str, interval: str) -> bool:
    return line.get(p) is not None and line[p] < 0.05 and _holds_zero(line, interval)


def _holds_zero(line: dict[str, Any], name: str) -> bool:
    low, high = line.get(f"{name}_low"), line.get(f"{name}_high")
    return low is not None and high is not None and low <= 0 <= high


def sentences_of(
    correlations: Sequence[dict[str, Any]],
    compared: Sequence[dict[str, Any]],
    ceilings: Sequence[dict[str, Any]],
    reliability: Sequence[dict[str, Any]],
    *,
    confidence: float,
) -> list[str]:
    """Return the results: each metric with people, the two best metrics, what a metric can reach."""
    level_of_intervals = percent_text(confidence)
    said = [
        _metric(correlations, name, level, intervals=level_of_intervals)
        for level, name in dict.fromkeys((line["level"], line["metric"]) for line in correlations)
    ]
    tested = [line for line in compared if line["level"] == TEXT and line.get("p") is not None]
    if tested:
        best = max(tested, key=lambda line: (max(line["r_a"], line["r_b"]), min(line["r_a"], line["r_b"])))
        a, b = ("a", "b") if best["r_a"] >= best["r_b"] else ("b", "a")
        differ = "differ" if best["p_holm"] < 0.05 else "do not differ significantly"
        interval = ""
        if best.get("diff_low") is not None:
            ends = (best["diff_low"], best["diff_high"])
            low, high = (share_text(end) for end in (ends if a == "a" else (-ends[1], -ends[0])))
            interval = f"; {level_of_intervals} CI of the difference [{low}, {high}] from drawing again"
            if best["p_holm"] < 0.05 and _holds_zero(best, "diff"):
                differ = "are not shown to differ"
                interval += ", which holds 0, while the test treats texts as independent"
        said.append(
            f"The correlations of {best[a]} (r = {share_text(best[f'r_{a}'])}) and {best[b]} "
            f"(r = {share_text(best[f'r_{b}'])}) {differ}, Williams' t({df_text(best['df'])}) = "
            f"{number_text(abs(best['t']))}, {p_text(best['p_holm'])} (Holm){interval}."
        )
    for line in ceilings:
        if line["ceiling"] is not None:
            said.append(
                f"Two halves of the raters agree about {line['level']}s at r = {share_text(line['r_half'])}, all "
                f"together have a reliability of {share_text(line['reliability'])}, and no metric can be expected "
                f"above r = {share_text(line['ceiling'])}."
            )
    one = next((row for row in reliability if row["type"] == "ICC(1)" and row.get("ci_low") is not None), None)
    mean = next((row for row in reliability if row["type"] == "ICC(1,k)" and row.get("icc") is not None), None)
    if one is not None and mean is not None:
        said.append(
            f"ICC(1) = {share_text(one['icc'])}, {level_of_intervals} CI [{share_text(one['ci_low'])}, "
            f"{share_text(one['ci_high'])}], "
            f"ICC(1,k) = {share_text(mean['icc'])} for k = {number_text(mean['k'])}, F({df_text(one['df1'])}, "
            f"{df_text(one['df2'])}) = {number_text(one['f'])}, {p_text(one['p'])}."
        )
    return said


def _metric(correlations: Sequence[dict[str, Any]], metric: str, level: str, *, intervals: str) -> str:
    of = {line["how"]: line for line in correlations if line["metric"] == metric and line["level"] == level}
    r = of["pearson"]
    where = counted(r["n"], level)
    if r["r"] is None:
        return f"{metric} over {where}: correlation not defined."
    parts = [f"r({df_text(r['n'] - 2)}) = {share_text(r['r'])}, {p_text(r['p'])}"]
    for scheme, what in (("both", "items and participants"), ("item", "items"), ("participant", "participants")):
        if r.get(f"{scheme}_low") is not None:
            low, high = share_text(r[f"{scheme}_low"]), share_text(r[f"{scheme}_high"])
            parts.append(f"{intervals} CI [{low}, {high}] from drawing {what} again")
            if r["p"] is not None and r["p"] < 0.05 and _holds_zero(r, scheme):
                parts[-1] += f" (which holds 0, so that nothing is shown: p treats {level}s as independent)"
            break
    parts += [f"{sign} = {share_text(of[how]['r'])}" for how, sign in (("spearman", "ρ"), ("kendall", "τ"))]
    return f"{metric} and people over {where}: {', '.join(parts)}."

"""Tables and figures of `text-profile`: texts by condition and list, and readability by other implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.columns import declared_table
from analysis.methods.report import Column, Figure, named
from analysis.methods.rows.columns import in_order
from analysis.methods.texts.matching import DIFFER, LIST
from analysis.methods.texts.measures import MEASURED, MEASURES, Ways, counts_of, mean
from analysis.methods.texts.rows import TextRows
from analysis.methods.wording import counted, number_text
from analysis.text import frequency
from analysis.text.implementations import Implementation, implementations
from analysis.text.readability import Counts
from analysis.text.scripts import is_written_in, script_of

ALL = "all texts"
_COUNTED = named(MEASURED, "words sentences syllables words_per_sentence syllables_per_word fkgl")
PROFILE = declared_table(
    "profile",
    "Texts by condition and list",
    "All texts, every level of every factor, and every list. Counts are sums, and ratios and FKGL are of these.",
    "factor level",
    Column("n", "Texts", "integer", meaning="How many texts."),
    _COUNTED,
    Column("split_pct", "% split", meaning="Texts with more sentences than the source, or than one, in %."),
    Column("words_mean", "Words, mean", meaning="Mean over texts."),
    Column("words_sd", "Words, sd", meaning="Standard deviation over texts."),
    Column("zipf", "Zipf frequency", meaning="Mean over texts."),
    Column("surprisal", "Surprisal", meaning="Mean over texts, in bits per word."),
    optional="surprisal",
    detail="words sentences syllables syllables_per_word split_pct surprisal",
)
SYSTEMS = declared_table(
    "systems",
    "Texts by {factor}",
    "With `purpose=systems`: every level of the conditions in order, all texts last. Counts are sums, and ratios and "
    "FKGL are of these.",
    Column("level", "System", "text", meaning="The system, or what its texts have in common."),
    Column("n", "Texts", "integer", meaning="How many texts."),
    named(MEASURED, "words_per_sentence syllables_per_word fkgl"),
    Column("split_pct", "% split", meaning="Texts with more sentences than the source, or than one, in %."),
    Column("words_mean", "Words, mean", meaning="Mean over texts."),
    Column("words_sd", "Words, sd", meaning="Standard deviation over texts."),
    Column("zipf", "Zipf frequency", meaning="Mean over texts."),
    Column("surprisal", "Surprisal", meaning="Mean over texts, in bits per word."),
    named(MEASURED, "words sentences syllables"),
    optional="surprisal",
    detail="words_sd words sentences syllables",
    when="with `purpose=systems`",
)
IMPLEMENTATIONS = declared_table(
    "implementations",
    "What other ways to count make of all texts together",
    "One row per implementation; the first has the counts of this report.",
    Column("implementation", "Implementation", "text", meaning="Who counts so."),
    Column("words_rule", "Words by", "text", meaning="The rule for words."),
    Column("sentences_rule", "Sentences by", "text", meaning="The rule for sentences."),
    Column("counter", "Syllables by", "text", meaning="The rule for syllables."),
    _COUNTED,
    Column("difference", "FKGL, difference", meaning="To the FKGL of the first row."),
)
MOST_DRAWN = 12
THIS = "this report"


def profile_rows(table: pd.DataFrame, given: TextRows) -> list[dict[str, Any]]:
    """Return the rows of `profile`: all texts first, then levels and lists in order."""
    lines = [_profile(table, factor="", level=ALL)]
    for factor, column in given.factors.items():
        for level in sorted({level for level in column if level is not None}, key=in_order):
            lines.append(_profile(table.loc[column == level], factor=factor, level=level))
    for name in sorted({name for of_text in given.lists for name in of_text}, key=in_order):
        on_list: npt.NDArray[np.bool_] = np.array([name in of_text for of_text in given.lists], dtype=bool)
        lines.append(_profile(table.loc[on_list], factor=LIST, level=name))
    return lines


def _profile(table: pd.DataFrame, *, factor: str, level: str) -> dict[str, Any]:
    counts = counts_of(table)
    words = table["words"].to_numpy(dtype=np.float64)
    return {
        "factor": factor,
        "level": level,
        "n": len(table),
        **_counted(counts),
        "fkgl": counts.grade,
        "split_pct": 100 * float(table["split"].mean()),
        "words_mean": mean(table["words"]),
        "words_sd": float(np.std(words, ddof=1)) if len(words) > 1 else None,
        "zipf": mean(table["zipf"]),
        **({"surprisal": mean(table["surprisal"])} if "surprisal" in table else {}),
    }


def system_rows(profiles: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of `systems` from those of `profile`: levels of the conditions, and all texts last."""
    of_levels = [dict(line) for line in profiles if line["factor"] not in ("", LIST)]
    return [*of_levels, dict(profiles[0])]


def system_sentences(lines: Sequence[Mapping[str, Any]], by: Ways) -> list[str]:
    """Say between which systems the ratios, FKGL (of English) and the share of split texts lie."""
    systems = [line for line in lines[:-1] if line["fkgl"] is not None]
    if not systems:
        return []
    said = []
    for name, what, unit in (
        *([("fkgl", "FKGL", "")] if is_graded(by) else []),
        ("words_per_sentence", "words per sentence", ""),
        ("syllables_per_word", "syllables per word", ""),
        ("split_pct", "split texts", " %"),
    ):
        low, high = (pick(systems, key=lambda line: line[name]) for pick in (min, max))
        said.append(
            f"{what} from {number_text(low[name])}{unit} ({low['level']}) to {number_text(high[name])}{unit} "
            f"({high['level']})"
        )
    return [f"{counted(len(systems), 'system')}: {'; '.join(said)}."]


def system_figures(factor: str) -> tuple[Figure, ...]:
    """Return the figures of systems: both ratios of which FKGL is made, and the share of split texts."""
    of_ratios = {
        "words_per_sentence": "Words / sentence",
        "syllables_per_word": "Syllables / word",
        "split_pct": "% split",
    }
    return tuple(
        Figure(
            name=f"systems-{name.replace('_', '-')}",
            title=f"{label} by {factor}",
            kind="bars",
            table="systems",
            encoding={"x": "level", "y": name},
            caption="All texts of a system together.",
            y_label=label,
        )
        for name, label in of_ratios.items()
    )


def is_graded(by: Ways) -> bool:
    """Say whether FKGL means a grade: its weights were fitted to English, so other texts are told by its two ratios."""
    return frequency.base(by.language) == "en"


def profile_sentences(profiles: Sequence[Mapping[str, Any]], by: Ways) -> list[str]:
    """Say in one sentence what all texts are like."""
    total = profiles[0]
    subject = counted(total["n"], "text")
    if total["fkgl"] is None:
        return [f"{subject}: without words in the letters of the language, so nothing can be said of them."]
    split = round(total["split_pct"] * total["n"] / 100)
    verb = "is" if split == 1 else "are"
    grade = f", hence FKGL {number_text(total['fkgl'])}" if is_graded(by) else ""
    return [
        f"{subject}: {number_text(total['words_per_sentence'])} words per sentence and "
        f"{number_text(total['syllables_per_word'])} syllables per word{grade}; "
        f"{split:,} of {total['n']:,} {verb} split."
    ]


def implementation_rows(texts: Sequence[str], by: Ways) -> list[dict[str, Any]]:
    """Return the rows of `implementations`: the counts of this report first."""
    script = script_of(by.language)
    texts = [text for text in texts if is_written_in(text, script)]
    others = implementations(language=by.language, tokenised=by.tokenised)
    words: dict[tuple[str, bool], Counter[str]] = {}
    sentences: dict[str, int] = {}
    lines = []
    for entry in (Implementation(THIS, by.counting), *others):
        way = entry.counting
        word_key, sentence_key = (way.words.name, way.joined), way.sentences.name
        if word_key not in words:
            words[word_key] = way.words_in(texts)
        if sentence_key not in sentences:
            sentences[sentence_key] = way.sentences_in(texts)
        counts = way.counted(words[word_key], sentences[sentence_key])
        lines.append(
            {
                "implementation": entry.name,
                "words_rule": way.words.label,
                "sentences_rule": way.sentences.label,
                "counter": way.syllables.label,
                **_counted(counts),
                "fkgl": way.grade(counts),
            }
        )
    for line in lines:
        if line["fkgl"] is not None and lines[0]["fkgl"] is not None:
            line["difference"] = line["fkgl"] - lines[0]["fkgl"]
    return lines


def implementation_sentences(lines: Sequence[Mapping[str, Any]], by: Ways) -> list[str]:
    """Say how far the grade, or the syllables per word of other languages, hang on the way of counting."""
    name, before, after = ("fkgl", "FKGL ", "") if is_graded(by) else ("syllables_per_word", "", " syllables per word")
    values = [line[name] for line in lines if line[name] is not None]
    if len(values) < 2:
        return []
    low, high = (next(line for line in lines if line[name] == value) for value in (min(values), max(values)))
    if number_text(low[name]) == number_text(high[name]):
        told = f"always have {before}{number_text(low[name])}"
    else:
        told = (
            f"have {before}from {number_text(low[name])} ({low['implementation']}) "
            f"to {number_text(high[name])} ({high['implementation']})"
        )
    return [f"Counted in {len(values)} ways, the same texts {told}{after}."]


def _counted(counts: Counts) -> dict[str, Any]:
    names = ("words", "sentences", "syllables", "words_per_sentence", "syllables_per_word")
    return {name: getattr(counts, name) for name in names}


def difference_rows(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of `differences`, what the figure draws: pairs of conditions, and of those lists that differ.

    Of more than a dozen pairs, those that differ in most measures.
    """
    pairs: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for line in lines:
        if line.get("percent") is not None:
            pairs.setdefault((line["factor"], line["a"], line["b"]), []).append(line)
    differing = {pair: sum(line["verdict"] == DIFFER for line in found) for pair, found in pairs.items()}
    kept = [pair for pair in pairs if pair[0] != LIST or differing[pair]]
    drawn = set(sorted(kept, key=lambda pair: -differing[pair])[:MOST_DRAWN])
    return [
        {**line, "measure": MEASURES[line["measure"]], "pair": _named(line)}
        for pair, found in pairs.items()
        if pair in drawn
        for line in found
    ]


def _named(line: Mapping[str, Any]) -> str:
    return f"list {line['a']} − {line['b']}" if line["factor"] == LIST else str(line["pair"])


def figures(lines: Sequence[Mapping[str, Any]], conditions: Sequence[str], by: Ways) -> tuple[Figure, ...]:
    """Return the figures: standardised differences where there are intervals, words per text, ways to count."""
    name, label = ("fkgl", "FKGL") if is_graded(by) else ("syllables_per_word", "Syllables per word")
    found = []
    if any(line.get("percent_low") is not None for line in lines):
        found.append(
            Figure(
                name="differences",
                title="Differences between conditions",
                kind="intervals",
                table="differences",
                encoding={
                    "y": "measure",
                    "x": "percent",
                    "low": "percent_low",
                    "high": "percent_high",
                    "panel": "pair",
                },
                caption="In per cent of the mean of both levels, with the intervals that belong to the tests of "
                "equivalence.",
                x_label="difference in %",
                reference=0.0,
            )
        )
    panel = {"panel": conditions[0]} if len(conditions) == 1 else {}
    return (
        *found,
        Figure(
            name="words",
            title="Words per text",
            kind="histogram",
            table="texts",
            encoding={"x": "words", **panel},
            caption="Every text once.",
            x_label="Words",
            y_label="Texts",
        ),
        Figure(
            name="implementations",
            title=f"{label} of the same texts by implementation",
            kind="bars",
            table="implementations",
            encoding={"x": "implementation", "y": name},
            caption="All texts together, counted in different ways.",
            y_label=label,
        ),
    )

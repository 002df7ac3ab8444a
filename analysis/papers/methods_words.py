"""Say how reports were computed as a paper says it: without what a report tells the person who uses the program."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from analysis.methods.report import Report
from analysis.methods.wording import listed

# How long a search took is nothing that a reader needs.
_SEARCH = re.compile(r";[^;.]*\b(?:exact derivatives|exact gradients) after \d+ evaluations(?=\.)")
# Names in backticks hold any sign; functions and combinations of terms have brackets of their own.
_INSIDE = r"(?:[^()|`]|`[^`]*`|\((?:[^()`]|`[^`]*`|\([^()]*\))*\))+"
_RANDOM = re.compile(rf"\(({_INSIDE}\|\|?{_INSIDE})\)")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[^\W_])")
# Options of a command, columns that were made, parts of a report that no paper prints.
_TO_USERS = re.compile(
    r"\b[a-z_]+=[\w<>-]|\b(?:was|were) replaced\b|\bset \w+ to\b|\b(?:the|this) (?:table|page|figure|report)s?\b"
    r"|^(?:AIC and BIC count|Values from REML|Influence:)",
    re.IGNORECASE,
)
_OF_SENTENCES = "In the sentences the "


def methods_words(report: Report, *, is_planned: bool = False) -> str:
    """Return how a report was computed, as a paper says it.

    >>> note = "Fitted by REML; the optimum was found with exact derivatives after 14 evaluations."
    >>> methods_words(Report(notes=(note, "The column 'z' that the data had already was replaced.")))
    'Fitted by REML.'
    """
    return " ".join(methods_sentences(report, is_planned=is_planned))


def methods_sentences(report: Report, *, is_planned: bool = False) -> list[str]:
    """Return how a report was computed, sentence by sentence."""
    told = [said for note in report.notes for said in _of_a_paper(_SEARCH.sub("", note))]
    return [*told, *_random_effects(report, is_planned=is_planned)]


def of_all(reports: Mapping[str, Report], *, is_planned: bool, without: Collection[str] = ()) -> str:
    """Return how several reports, by their titles, were computed: what holds of several is said once, and what is among
    `without` not at all.

    >>> one, other = Report(notes=("Fitted by REML. Tests are two-sided.",)), Report(notes=("Tests are two-sided.",))
    >>> of_all({"H1": one, "H2": other}, is_planned=True)
    'H1: Fitted by REML. Tests are two-sided.'
    """
    said = {
        title: [one for one in methods_sentences(report, is_planned=is_planned) if one not in without]
        for title, report in reports.items()
    }
    whose: dict[str, list[str]] = {}
    for title, sentences in said.items():
        for sentence in dict.fromkeys(sentences):
            whose.setdefault(sentence, []).append(title)
    if len(reports) == 1:
        return " ".join(whose)
    made = []
    for titles in dict.fromkeys(tuple(titles) for titles in whose.values() if len(titles) < len(reports)):
        own = " ".join(sentence for sentence, those in whose.items() if tuple(those) == titles)
        made.append(f"{listed(titles)}: {own}")
    return " ".join([*made, *(sentence for sentence, titles in whose.items() if len(titles) == len(reports))])


def _of_a_paper(note: str) -> Iterator[str]:
    """Yield the sentences of a note without those, and without last clauses, that speak to who uses the program."""
    for sentence in _SENTENCE.split(note):
        first, *clauses = sentence.removesuffix(".").split("; ")
        if _TO_USERS.search(first):
            continue
        if first.startswith(_OF_SENTENCES):
            first = "The " + first.removeprefix(_OF_SENTENCES)
        kept = [clause for clause in clauses if not _TO_USERS.search(clause)]
        yield "; ".join([first, *kept]) + ("." if sentence.endswith(".") else "")


def _random_effects(report: Report, *, is_planned: bool) -> Sequence[str]:
    """Return which random effects a model had, and what became of them."""
    formula = report.params.get("formula")
    terms = _RANDOM.findall(formula) if isinstance(formula, str) else []
    fits = [line for table in report.tables if table.name == "fit" for line in table.lines()]
    steps = [line for table in report.tables if table.name == "steps" for line in table.lines()]
    if not (terms or steps) or not fits or "singular" not in fits[0]:
        return []
    kept = "; ".join(f"({' '.join(term.split())})" for term in terms)
    said = f"Random effects{' as planned' if is_planned else ''}: {kept}; the data neither added nor took out any."
    if steps:
        said = f"Random effects of the reported model: {steps[-1]['random']}, chosen from {steps[0]['random']}."
    if not all(line["converged"] for line in fits):
        return [said, "The fit did not converge."]
    if any(line["singular"] for line in fits):
        lacking = "The fit converged and is singular: not all random effects have variance"
        return [said, f"{lacking}; the model is reported as planned." if is_planned and not steps else f"{lacking}."]
    return [said, "The fit converged and is not singular."]

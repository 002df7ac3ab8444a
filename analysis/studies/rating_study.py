"""Create a draft of a rating study from the texts of a report, so that people decide what metrics cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.exports.reports import report_from
from analysis.methods.report import Report
from analysis.models import AnalysisRun
from experiments.formats.csvtext import csv_text
from experiments.materials import MaterialsFaults, design_from, read_table
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.study.audit import record
from experiments.study_files import StudyDescription, StudyFileFaults, store_description

METHOD, TABLE = "perturb", "texts"
RATING, MAGNITUDES = "rating", "magnitude-estimation"
AS_THEY_ARE = "none"
ITEMS_PER_CONDITION = 4

# Name, text and the ends of the scale: fluency, adequacy and simplicity, as simplifications are mostly judged by people
# (Woodsend and Lapata, 2011).
QUESTIONS: Mapping[str, tuple[tuple[str, str, str, str], ...]] = {
    "en": (
        ("fluency", "Is the text well written: fluent, complete and free of errors?", "not at all", "completely"),
        ("meaning", "Does the text say what the original above it says?", "not at all", "completely"),
        ("simplicity", "How easy is the text to understand?", "very hard", "very easy"),
    ),
    "de": (
        ("fluency", "Ist der Text gut geschrieben: flüssig, vollständig und ohne Fehler?", "gar nicht", "völlig"),
        ("meaning", "Sagt der Text, was der Ausgangstext darüber sagt?", "gar nicht", "völlig"),
        ("simplicity", "Wie leicht ist der Text zu verstehen?", "sehr schwer", "sehr leicht"),
    ),
}


@dataclass(frozen=True)
class Rateable:
    """The texts of a report that can be rated: text and source by item, system and edit, all in the report's order."""

    texts: Mapping[tuple[str, str, str], tuple[str, str]]
    systems: tuple[str, ...]
    edits: tuple[str, ...]
    """With `none` for the texts as they are, which comes first."""

    def items(self, systems: Sequence[str]) -> list[str]:
        """Return the items of which all these systems have every version."""
        every = dict.fromkeys(item for item, _, _ in self.texts)
        return [
            item
            for item in every
            if all((item, system, edit) in self.texts for system in systems for edit in self.edits)
        ]

    @property
    def has_source(self) -> bool:
        return any(source for _, source in self.texts.values())


def can_be_rated(report: Report) -> bool:
    """Say whether a report has texts for a rating study."""
    return report.method == METHOD and any(table.name == TABLE and table.rows for table in report.tables)


def rateable_texts(run: AnalysisRun) -> Rateable | None:
    """Return the texts of a report that can be rated; None where there are none."""
    report = report_from(run.report) if run.report else None
    if report is None or not can_be_rated(report):
        return None
    frame = report.table(TABLE).frame()
    cells = frame.astype(object).where(frame.notna(), "")
    texts = {
        (str(item), str(system), str(edit)): (str(text), str(source))
        for item, text, system, edit, source in cells[["item", "text", "system", "edit", "context"]].values.tolist()
    }
    return Rateable(
        texts=texts,
        systems=tuple(dict.fromkeys(system for _, system, _ in texts)),
        edits=tuple(dict.fromkeys(edit for _, _, edit in texts)),
    )


def usual_number_of_items(rateable: Rateable, *, systems: Sequence[str], edits: Sequence[str]) -> int:
    """Return a number of items that shares equally among conditions: four for each, or as many as there are."""
    conditions = len(systems) * len(edits)
    available = len(rateable.items(systems))
    return min(ITEMS_PER_CONDITION * conditions, available - available % conditions or available)


def spread(items: Sequence[str], n: int) -> list[str]:
    """Return so many items, evenly from the first to the last.

    >>> spread(["a", "b", "c", "d", "e"], 3)
    ['a', 'b', 'd']
    """
    return [items[place * len(items) // n] for place in range(n)]


def make_rating_study(
    run: AnalysisRun,
    rateable: Rateable,
    *,
    slug: str,
    title: str,
    language: str,
    systems: Sequence[str],
    edits: Sequence[str],
    n_items: int,
    user: Any,
    paradigm: str = RATING,
) -> Study:
    """Store a draft of a rating study of these texts and return it; it belongs to `user`. With the paradigm of
    magnitude estimation it shows the texts without their sources and asks for magnitudes.

    Everybody sees every item in one version, by a Latin square. Raises StudyFileFaults with all that is wrong, with
    nothing stored: too many conditions, a text that is too long, an address that is taken.
    """
    with_source = rateable.has_source and paradigm == RATING
    content = materials_csv_of(rateable, systems=systems, edits=edits, n_items=n_items, with_source=with_source)
    try:
        design = design_from(
            read_table(content.encode("utf-8", "surrogatepass"), "texts.csv"), paradigm_named(paradigm)
        )
    except MaterialsFaults as found:
        raise StudyFileFaults(found.faults, file="texts.csv") from found
    described = StudyDescription(
        fields={
            "slug": slug,
            "title": title,
            "paradigm": paradigm,
            "language": language,
            "description": _description(run, systems=systems, edits=edits, n_items=n_items),
        },
        settings={"questions": questions_for(language, has_source=with_source)}
        if paradigm == RATING
        else {"modulus_text": _modulus(rateable, systems=systems, n_items=n_items)},
        design=design,
    )
    study = store_description(described, user=user, origin=f"analysis {run.pk} of {run.study.slug} ({run.method})")
    record(run.study, action="rating study made", user=user, detail=f"{slug}, from {run.method} {run.pk}")
    return study


def _modulus(rateable: Rateable, *, systems: Sequence[str], n_items: int) -> str:
    """Return the text that others are compared with: one as it was, of an item that is not rated if there is one."""
    items = rateable.items(systems)
    rated = set(spread(items, n_items))
    left = [item for item in items if item not in rated] or items
    return rateable.texts[left[len(left) // 2], systems[0], AS_THEY_ARE][0]


def materials_csv_of(
    rateable: Rateable, *, systems: Sequence[str], edits: Sequence[str], n_items: int, with_source: bool
) -> str:
    """Return the texts as the CSV file of materials: a factor `edit`, and `system` where there are several."""
    chosen = spread(rateable.items(systems), n_items)
    names = ["item", "text", *(["system"] if len(systems) > 1 else []), *(["edit"] if len(edits) > 1 else [])]
    names += ["context"] if with_source else []
    rows = []
    for item in chosen:
        for system in systems:
            for edit in edits:
                text, source = rateable.texts[item, system, edit]
                cells = {"item": item, "text": text, "system": system, "edit": edit, "context": source}
                rows.append([cells[name] for name in names])
    return csv_text(names, rows)


def questions_for(language: str, *, has_source: bool) -> list[dict[str, Any]]:
    """Return the questions of the draft; without a source nobody is asked whether the meaning is the same."""
    asked = QUESTIONS.get(language, QUESTIONS["en"])
    return [
        {"name": name, "text": text, "labels": [low, high], "kind": "scale", "points": 5, "required": True}
        for name, text, low, high in asked
        if has_source or name != "meaning"
    ]


def _description(run: AnalysisRun, *, systems: Sequence[str], edits: Sequence[str], n_items: int) -> str:
    spoilt = ", ".join(edit for edit in edits if edit != AS_THEY_ARE)
    return (
        f"Texts of analysis {run.pk} ({run.method}) of the study {run.study.slug}: {n_items} items of "
        f"{', '.join(systems)}, as they were ({AS_THEY_ARE}) and spoilt on purpose ({spoilt or 'not at all'})."
    )

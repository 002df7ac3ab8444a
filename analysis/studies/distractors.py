"""Distractors of a Maze study: generate them by a run, review them, store them in the materials.

What was replaced while reviewing is nowhere but on the page until everything is stored: `Replaced` holds for the number
of a row of the report's table `distractors` the rank of what stands there instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.data.tables import TEXTS
from analysis.distractors.sentences import Place, cut
from analysis.exports.stored import stimuli_of
from analysis.methods.report import Report
from analysis.models import AnalysisRun
from analysis.studies.materials import Link, lines_of
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.sentences import Sentence
from experiments.started_by import command
from experiments.study.lifecycle import save_column

METHOD = "maze-distractors"
COLUMN = "distractors"
# Practice texts and fillers stand beside distractors as well.
KEPT = "fillers,practice"

Replaced = Mapping[int, int]


class DistractorsRefused(ValueError):
    """The distractors cannot be stored; the message says why and what to do. Nothing was changed."""


@dataclass(frozen=True)
class ReviewedPlace:
    """One place of one item as the page shows it: its row in the report, what stands there now, and how it stands."""

    number: int
    item: str
    position: int
    word_in_region: int
    words: str
    distractor: str
    length_difference: int | None
    zipf_difference: float | None
    surprisal_difference: float | None
    flag: str
    is_replaced: bool
    can_be_replaced: bool

    @property
    def place(self) -> Place:
        return self.position, self.word_in_region


def takes_distractors(study: Study) -> bool:
    """Say whether the paradigm of a study reads a column of distractors."""
    return any(column.name == COLUMN for column in paradigm_named(study.paradigm).stimulus_columns)


def distractors_link(study: Study) -> Link | None:
    """Return the link for the page of the materials, which `settings.MATERIALS_LINKS` names; None in other studies."""
    if not takes_distractors(study):
        return None
    return Link(_("Distractors"), reverse("analysis:distractors", args=[study.slug]))


def parameters_for(study: Study, *, seed: int, model: Any = None) -> dict[str, Any]:
    """Return the parameters of the run that makes distractors for a study."""
    return {"language": study.participants_language.partition("-")[0], "seed": seed, "model": model, "keep": KEPT}


def newest_run(study: Study) -> AnalysisRun | None:
    """Return the newest run that makes, or has made, distractors."""
    of_task = AnalysisRun.objects.filter(study=study, part__in=study.names_of_task)
    return of_task.filter(method=METHOD, table=TEXTS).order_by("-pk").first()


def refusal_to_make(study: Study) -> str:
    """Return why distractors cannot be made on the page, as a sentence; empty where they can."""
    if not stimuli_of(study).exists():
        return _("There are no texts yet. Store the materials first, without distractors.")
    cells = stimuli_of(study).values_list("extra", flat=True)
    if any(str(extra.get("regions") or "").strip() for extra in cells):
        return _(
            "The regions are marked in a separate column. Put the marks, |, into the texts, or use the command "
            "%(command)s."
        ) % {"command": command("make_distractors")}
    return ""


def with_distractors(study: Study) -> tuple[int, int]:
    """Return how many texts have distractors, and how many there are."""
    cells = stimuli_of(study).values_list("extra", flat=True)
    return sum(bool(str(extra.get(COLUMN) or "").strip()) for extra in cells), len(cells)


def replaced_from(text: str) -> dict[int, int]:
    """Read what a page says was replaced; anything else in it is passed over.

    >>> replaced_from("12:1,40:3,x")
    {12: 1, 40: 3}
    """
    return {int(number): int(rank) for number, rank in re.findall(r"(\d{1,7}):(\d{1,3})", text)}


def as_text(replaced: Replaced) -> str:
    """Write what was replaced as a page keeps it.

    >>> as_text({12: 1, 40: 3})
    '12:1,40:3'
    """
    return ",".join(f"{number}:{rank}" for number, rank in sorted(replaced.items()))


def reviewed(report: Report, replaced: Replaced) -> list[ReviewedPlace]:
    """Return every place of a report with what stands there once the replacements are made; first words left out."""
    others = _others(report)
    found = []
    for number, line in enumerate(lines_of(report, "distractors")):
        if line["position"] == 1:
            continue
        instead = others.get(_key(line), {})
        rank = replaced.get(number, 0)
        now = instead.get(rank, line)
        found.append(
            ReviewedPlace(
                number=number,
                item=str(line["item"]),
                position=int(line["position"]),
                word_in_region=int(line["word_in_region"]),
                words=str(line["words"]),
                distractor=str(now["distractor"]),
                length_difference=now["length_difference"],
                zipf_difference=now["zipf_difference"],
                surprisal_difference=now["surprisal_difference"],
                flag=str(now["flag"] or ""),
                is_replaced=now is not line,
                can_be_replaced=bool(instead),
            )
        )
    return found


def with_another(report: Report, replaced: Replaced, number: int) -> dict[int, int]:
    """Return the replacements with the next one at a place: a word that stands nowhere else in the item; after the
    last of them the first distractor comes again.
    """
    changed = dict(replaced)
    places = {place.number: place for place in reviewed(report, replaced)}
    place = places.get(number)
    if place is None:
        return changed
    elsewhere = {other.distractor for other in places.values() if other.item == place.item and other.number != number}
    instead = _others(report).get((place.item, place.position, place.word_in_region), {})
    for rank in sorted(rank for rank in instead if rank > changed.get(number, 0)):
        if instead[rank]["distractor"] not in elsewhere:
            changed[number] = rank
            return changed
    changed.pop(number, None)
    return changed


def store_distractors(study: Study, report: Report, replaced: Replaced, user: Any) -> int:
    """Put the distractors of a report, as they were reviewed, into the materials of a draft; return for how many texts.

    Raises DistractorsRefused where the texts are others than those of the report, or a distractor does not fit;
    FrozenStudy where the study has been opened.
    """
    by_item: dict[str, dict[Place, str]] = {}
    for place in reviewed(report, replaced):
        by_item.setdefault(place.item, {})[place.place] = place.distractor
    made_for = {(str(line["item"]), str(line["text"])) for line in lines_of(report, "texts")}
    paradigm = paradigm_named(study.paradigm)
    cells: dict[int, str] = {}
    for stimulus in stimuli_of(study).select_related("item"):
        if (stimulus.item.code, stimulus.text) not in made_for:
            raise DistractorsRefused(
                _("The materials have changed since these distractors were made. Make them again. Nothing was stored.")
            )
        beside = cut(stimulus.text).beside(by_item.get(stimulus.item.code, {}))
        faults = paradigm.stimulus_faults(stimulus.text, {**stimulus.extra, COLUMN: beside})
        wrong = [sentence for column, sentence in faults if column == COLUMN]
        if wrong:
            raise DistractorsRefused(Sentence("{item}: {fault}", item=stimulus.item.code, fault=wrong[0]))
        cells[stimulus.pk] = beside
    try:
        save_column(study, COLUMN, cells, user)
    except LookupError as fault:
        raise DistractorsRefused(str(fault)) from None
    return len(cells)


def _others(report: Report) -> dict[tuple[str, int, int], dict[int, Mapping[str, Any]]]:
    """Return what could stand at every place instead, by rank."""
    found: dict[tuple[str, int, int], dict[int, Mapping[str, Any]]] = {}
    for line in lines_of(report, "others"):
        found.setdefault(_key(line), {})[int(line["rank"])] = line
    return found


def _key(line: Mapping[str, Any]) -> tuple[str, int, int]:
    return str(line["item"]), int(line["position"]), int(line["word_in_region"])

"""Scores of words in study files: a table beside the materials, and members of archives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.formats.csvtext import csv_text
from experiments.formats.faults import Fault
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults, Table
from experiments.materials.table import read_table
from experiments.materials.word_tables import WordTableRefused, read_word_table, words_of
from experiments.models import Part, Stimulus, Study, WordScore
from experiments.sentences import Sentence
from experiments.study.word_scores import current_values, store_word_scores
from experiments.study_files.parts import Locate

KEYS = ("words", "words_source", "words_together")
MOST_SOURCE = 500


@dataclass(frozen=True)
class WordsDescription:
    """A table of scores of words, where its numbers come from, and what a region of several words has.

    `said` has these of each score by its name, where they differ, as archives have them.
    """

    table: Table
    file: str
    source: str = ""
    together: str = WordScore.Together.SUM
    said: Mapping[str, Mapping[str, str]] | None = None


def words_beside(
    materials: Mapping[str, Any], locate: Locate, folder: Path, faults: list[Fault]
) -> WordsDescription | None:
    """Return the table that `materials.words` names, None where it names none; what is wrong is added to the faults."""
    name = materials.get("words")
    if name is None:
        return None
    line = locate(["materials", "words"])
    source, together = materials.get("words_source", ""), materials.get("words_together", "sum")
    sound = isinstance(source, str) and len(source) <= MOST_SOURCE and together in WordScore.Together.values
    if not isinstance(name, str) or not name.strip() or not sound:
        message = Sentence(
            "'materials.words' must be the path of a table, 'words_source' a short text, and 'words_together' "
            "sum or mean."
        )
        faults.append(Fault(line=line, message=message))
        return None
    try:
        with (folder / name).open("rb") as file:
            return WordsDescription(read_table(file.read(MAX_BYTES + 1), name), name, source, together)
    except (OSError, ValueError) as error:
        if isinstance(error, MaterialsFaults):
            faults += error.faults
            return None
        reason = getattr(error, "strerror", None) or Sentence("this is not a path")
        message = Sentence("The platform cannot read the word scores '{name}': {reason}.", name=name, reason=reason)
        faults.append(Fault(line=line, message=message))
        return None


def words_of_parts(parts: Any, locate: Locate, folder: Path, faults: list[Fault]) -> dict[str, WordsDescription]:
    """Return the tables of all parts, by their names."""
    found = {}
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        materials = part.get("materials") if isinstance(part, Mapping) else None

        def here(path: Sequence[str | int], number: int = number) -> int | None:
            return locate(["parts", number, *path])

        if isinstance(materials, Mapping) and (words := words_beside(materials, here, folder, faults)):
            found[str(part.get("name", ""))] = words
    return found


def store_described(study: Study, described: Mapping[str, WordsDescription], *, user: Any) -> list[Fault]:
    """Store the scores of words of a new study, by task (empty: its only one); return what is wrong with them."""
    faults = []
    for task, words in described.items():
        part = next((one for one in study.tasks if one.name == task), study.tasks[0])
        try:
            found = read_word_table(part, words.table)
            for name, values in found.scores.items():
                said = (words.said or {}).get(name, {})
                source = said.get("provenance") or f"{words.source.rstrip('. ')}. From {words.file}.".lstrip(". ")
                together = said.get("together") or words.together
                store_word_scores(part, {name: values}, together=together, provenance=source, user=user)
        except WordTableRefused as refused:
            faults.append(Fault(message=Sentence("{place}: {said}", place=words.file, said=str(refused))))
    return faults


def member_of(task: str) -> str:
    """Return what the scores of words of a task are called in an archive."""
    return f"words-{task}.csv"


def words_csv(part: Part) -> str:
    """Return the scores of a task's words as the table from which `read_word_table` makes them; empty without any."""
    values = current_values(part)
    names = list(WordScore.objects.filter(part=part).order_by("name").values_list("name", flat=True))
    factors = [str(factor["name"]) for factor in part.factors]
    rows = []
    stimuli = Stimulus.objects.filter(item__part=part, pk__in=values).select_related("item", "condition")
    for stimulus in stimuli.order_by("item__position", "condition__position", "pk"):
        levels = stimulus.condition.levels if stimulus.condition else {}
        place = [stimulus.item.code, ":".join(str(levels[name]) for name in factors if name in levels)]
        of_text = values[stimulus.pk]
        for number, word in enumerate(words_of(stimulus.text, stimulus.extra)):
            rows.append([*place, word, *(of_text[name][number] if name in of_text else None for name in names)])
    return csv_text(["item", "condition", "word", *names], rows) if rows else ""


def plain_words(part: Part) -> list[dict[str, str]]:
    """Return what an archive says of the scores of a task's words."""
    scores = WordScore.objects.filter(part=part).order_by("name")
    return [{"name": one.name, "together": one.together, "provenance": one.provenance} for one in scores]


def words_in_archive(members: Mapping[str, bytes], said: Any, faults: list[Fault]) -> dict[str, WordsDescription]:
    """Return the scores of words of an archive, by task; `said` is what its description says of them."""
    sound = isinstance(said, Mapping) and all(
        isinstance(scores, list)
        and all(
            isinstance(one, Mapping)
            and isinstance(one.get("name"), str)
            and isinstance(one.get("provenance"), str)
            and one.get("together") in WordScore.Together.values
            for one in scores
        )
        for scores in said.values()
    )
    if not sound:
        message = Sentence("'word_scores' must be a list for each task: name, together, provenance.")
        faults.append(Fault(message=message))
        return {}
    found = {}
    for task, scores in said.items():
        name = member_of(str(task))
        if name not in members:
            faults.append(
                Fault(message=Sentence("The archive names the file '{name}' but does not contain it.", name=name))
            )
            continue
        try:
            table = read_table(members[name], name)
        except MaterialsFaults as refused:
            faults += refused.faults
            continue
        found[str(task)] = WordsDescription(table, name, said={one["name"]: dict(one) for one in scores})
    return found

"""Say in words what every person was shown and answered: one line of JSON for each session, in prompts.jsonl.zip.

Answers are between << and >>, which are nowhere else. Run it in the folder of the dataset: python generate_prompts.py
"""

from __future__ import annotations

import csv
import heapq
import json
import random
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

# A session stays below 32,000 tokens, of which each has three bytes of text or more.
MOST_BYTES = 90_000
KEYS = "abcdefghijklmnopqrstuvwxyz"
Row = Mapping[str, str]


def lines(
    experiments: Sequence[Mapping[str, Any]], rows_of: Callable[[int], Iterable[Row]], name: str
) -> Iterator[str]:
    """Yield one line of JSON for every session of all experiments, in the order of the sessions."""

    def sessions(number: int) -> Iterator[tuple[int, int, list[Row]]]:
        for session, rows in groupby(rows_of(number), key=lambda row: row["session_id"]):
            yield int(session), number, list(rows)

    together = heapq.merge(*map(sessions, range(len(experiments))), key=lambda one: one[:2])
    for _session, parts in groupby(together, key=lambda one: one[0]):
        of_session = [(experiments[number], rows) for _pk, number, rows in parts]
        yield json.dumps(_session_in_words(of_session, name), ensure_ascii=False) + "\n"


def _session_in_words(parts: Sequence[tuple[Mapping[str, Any], list[Row]]], name: str) -> dict[str, Any]:
    first = parts[0][1][0]
    texts: list[str] = []
    times: list[float | None] = []
    size, left_out = 0, 0
    for experiment, rows in parts:
        keys = keys_of(experiment, first["participant_id"])
        head = plain(experiment["instructions"])
        if keys:
            head += "\nKeys: " + ", ".join(f"{key} for “{plain(answer)}”" for answer, key in keys.items()) + "."
        texts.append(head.strip())
        size += len(head.encode())
        for number, (_trial, group) in enumerate(groupby(rows, key=lambda row: row["trial_id"]), 1):
            of_trial = list(group)
            told = f"Trial {number}: {_trial_in_words(experiment, of_trial, keys)}"
            size += len(told.encode()) + 1
            if size > MOST_BYTES:
                left_out += 1
                continue
            texts.append(told)
            times += [float(row["rt"]) if row.get("rt") else None for row in of_trial]
    found: dict[str, Any] = {
        "text": "\n".join(text for text in texts if text),
        "experiment": name,
        "participant_id": first["participant_id"],
        "rt": times,
    }
    found |= {field: first[field] for field in parts[0][0]["about_person"] if first.get(field)}
    if first.get("simulated") == "true":
        found["simulated"] = True
    if left_out:
        found["trials_left_out"] = left_out
    return found


def _trial_in_words(experiment: Mapping[str, Any], rows: Sequence[Row], keys: Mapping[str, str]) -> str:
    if experiment["unit"] == "word":
        return "\n".join(
            ["", *(f"  {row['region']}: ‘{plain(row['stimulus'])}’ <<{answer(row['rt'], {})}>> ms" for row in rows)]
        )
    row = rows[0]
    shown = f"‘{plain(row['stimulus'])}’ " if row["stimulus"] else ""
    answers = [
        f"{before}<<{answer(row[column], keys if column == experiment['keyed'] else {})}>>{after}"
        for column, before, after in experiment["answers"]
        if row[column]
    ]
    return shown + (" ".join(answers) or "You give no answer.")


def keys_of(experiment: Mapping[str, Any], person: str) -> dict[str, str]:
    """Return a key for every answer of a discrete choice, drawn for each person, so that no key means one answer."""
    options = experiment["options"]
    return dict(zip(options, random.Random(person).sample(KEYS, len(options)), strict=True))  # noqa: S311


def answer(text: str, keys: Mapping[str, str]) -> str:
    """Return an answer as it is marked: the key of a choice, or the text without the marks of answers."""
    return keys.get(text) or plain(text) or "nothing"


def plain(text: str) -> str:
    """Return a text without the marks of answers.

    >>> plain("a << b")
    'a ‹‹ b'
    """
    return "\n".join(" ".join(line.split()) for line in text.replace("<", "‹").replace(">", "›").splitlines())


def main() -> None:
    """Write prompts.jsonl.zip into the folder in which this file is."""
    csv.field_size_limit(2**31 - 1)
    folder = Path(__file__).resolve().parent
    known = json.loads((folder / "experiments.json").read_text(encoding="utf-8"))
    experiments = known["experiments"]

    def rows_of(number: int) -> Iterator[Row]:
        path = folder / "processed_data" / f"{experiments[number]['name']}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)

    with (
        zipfile.ZipFile(folder / "prompts.jsonl.zip", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("prompts.jsonl", "w", force_zip64=True) as file,
    ):
        for line in lines(experiments, rows_of, known["name"]):
            file.write(line.encode("utf-8"))


if __name__ == "__main__":
    main()

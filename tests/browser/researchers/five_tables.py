"""The tables and pictures of five studies, written by rule: of words that no study is about."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

ANIMALS = ("badger", "beaver", "donkey", "ferret", "hamster", "otter", "rabbit", "weasel")
RELATED = ("tunnel", "dam", "stable", "cage", "wheel", "river", "carrot", "burrow")
NONWORDS = ("bolder", "clanpit", "drostel", "fentor", "glimmock", "harsip", "munket", "plorvan")
SIDES = (3, 4, 5, 6, 7, 8)
NAMES = ("triangle", "square", "pentagon", "hexagon", "heptagon", "octagon")


def write_table(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write rows as CSV, with every column that one of them has, and return its path."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def of_ratings() -> list[dict[str, object]]:
    """Sentences in two conditions, and two fillers that everybody rates high or low."""
    rows: list[dict[str, object]] = []
    for animal, place in zip(ANIMALS, RELATED, strict=True):
        rows.append({"item": animal, "text": f"The {animal} looked for a {place}.", "order": "canonical"})
        rows.append({"item": animal, "text": f"For a {place} looked the {animal}.", "order": "inverted"})
    rows.append({"item": "high", "text": "The children went home.", "is_filler": "true", "attention": "high"})
    rows.append({"item": "low", "text": "Home the went children.", "is_filler": "true", "attention": "low"})
    return rows


def of_primes() -> list[dict[str, object]]:
    """Words after a related or an unrelated prime, and as many nonwords as fillers."""
    rows: list[dict[str, object]] = []
    for number, animal in enumerate(ANIMALS):
        other = RELATED[(number + 3) % len(RELATED)]
        for relation, prime in (("related", RELATED[number]), ("unrelated", other)):
            rows.append({"item": animal, "text": animal, "relation": relation, "prime": prime, "correct": "word"})
    for nonword, prime in zip(NONWORDS, RELATED, strict=True):
        rows.append({"item": nonword, "text": nonword, "prime": prime, "correct": "nonword", "is_filler": "true"})
    return rows


def of_reading() -> list[dict[str, object]]:
    """Sentences in two conditions with a critical region, each with a question."""
    rows: list[dict[str, object]] = []
    for animal, place in zip(ANIMALS, RELATED, strict=True):
        question = {"question": f"Was it about a {animal}?", "choices": "Yes|No", "answer": "Yes"}
        for clause, words in (("subject", "that saw the vet"), ("object", "that the vet saw")):
            text = f"The {animal} {words} looked for a {place}."
            rows.append({"item": animal, "text": text, "clause": clause, "critical_region": 7, **question})
    return rows


def of_pictures() -> list[dict[str, object]]:
    """Pictures to name, filled and as an outline."""
    return [
        {"item": name, "fill": fill, "image": f"{name}-{fill}.png", "target": name}
        for name in NAMES
        for fill in ("filled", "outline")
    ]


def write_pictures(folder: Path) -> list[Path]:
    """Draw what `of_pictures` names and return the files."""
    paths = []
    for name, sides in zip(NAMES, SIDES, strict=True):
        for fill in ("filled", "outline"):
            picture = Image.new("RGB", (160, 160), "white")
            colour = "black" if fill == "filled" else None
            ImageDraw.Draw(picture).regular_polygon((80, 80, 70), sides, fill=colour, outline="black", width=3)
            paths.append(folder / f"{name}-{fill}.png")
            picture.save(paths[-1])
    return paths


def write_tables(folder: Path) -> dict[str, Path]:
    """Write the tables of all five studies; return their paths by name."""
    tables: Iterable[tuple[str, list[dict[str, object]]]] = (
        ("ratings", of_ratings()),
        ("primes", of_primes()),
        ("reading", of_reading()),
        ("pictures", of_pictures()),
    )
    return {name: write_table(folder / f"{name}.csv", rows) for name, rows in tables}

"""A study of the size of Siddharthan & Katsos (2012): 144 items in eight formulations, made by rule for tests."""

from __future__ import annotations

import csv
from pathlib import Path

MARKERS = ("because", "because-of", "cause-verb", "cause-noun")
ORDERS = ("cause-effect", "effect-cause")
CAUSES = ("frost", "rain", "noise", "dust", "heat", "wind", "traffic", "glare", "hail", "fog", "smoke", "drought")
EFFECTS = (
    "delays", "cracks", "leaks", "queues", "detours", "repairs",
    "closures", "complaints", "shortages", "refunds", "outages", "cancellations",
)  # fmt: skip
PLACES = ("mill", "harbour", "library", "orchard", "station", "museum")


def sentence(cause: str, effect: str, place: str, marker: str, order: str) -> str:
    """Return one of the eight formulations of a cause and its effect."""
    where = f"at the old {place}"
    forms = {
        ("because", "cause-effect"): f"Because there was {cause} {where}, there were {effect}.",
        ("because", "effect-cause"): f"There were {effect} {where} because there was {cause}.",
        ("because-of", "cause-effect"): f"Because of {cause} {where}, there were {effect}.",
        ("because-of", "effect-cause"): f"There were {effect} {where} because of {cause}.",
        ("cause-verb", "cause-effect"): f"The {cause} {where} caused {effect}.",
        ("cause-verb", "effect-cause"): f"The {effect} {where} were caused by {cause}.",
        ("cause-noun", "cause-effect"): f"The {cause} {where} was the cause of {effect}.",
        ("cause-noun", "effect-cause"): f"The cause of the {effect} {where} was {cause}.",
    }
    return forms[marker, order]


def write_study(folder: Path, *, slug: str, items: int = 144, language: str = "en", settings: str = "") -> Path:
    """Write a study file and its materials into `folder` and return the path of the study file."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "materials.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "text", "marker", "order", "is_practice"])
        writer.writerow(["practice-1", "It was the rain that the fair was put off by.", "", "", "true"])
        for number in range(items):
            cause, effect = CAUSES[number % 12], EFFECTS[(number // 12) % 12]
            place = PLACES[(number + number // 12) % len(PLACES)]
            for marker in MARKERS:
                for order in ORDERS:
                    text = sentence(cause, effect, place, marker, order)
                    writer.writerow([f"item-{number + 1:03d}", text, marker, order, "false"])
    path = folder / "study.toml"
    path.write_text(
        f"""
slug = "{slug}"
title = "How sentences sound"
paradigm = "magnitude-estimation"
language = "{language}"
responsible = "Example Language Laboratory"
contact = "language-laboratory@example.org"
data_protection_note = "Kept on the laboratory's server for ten years."
seed = 7
estimated_minutes = 25

[settings]
{settings or "line_length_training = false"}

[modulus]
text = "What the gate was closed because of was that it rained."

[procedure]
completion_code = "C0DE-FOR-TESTS"

[materials]
file = "materials.csv"

[[questions]]
name = "native_language"
label = "Which language did you first learn to speak?"
kind = "choice"
choices = ["English", "Another language"]
required = true
""",
        encoding="utf-8",
    )
    return path

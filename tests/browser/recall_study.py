"""A small study of sentence recall, made by rule for tests, with displays as short as a test can wait for."""

from __future__ import annotations

import csv
from pathlib import Path

CAUSES = ("frost", "rain", "noise", "dust", "heat", "wind", "traffic", "glare")
EFFECTS = ("delays", "cracks", "leaks", "queues", "detours", "repairs", "closures", "complaints")

QUICK = "ms_per_word = 60\nfixation_ms = 60\nblank_ms = 60"


def write_recall_study(folder: Path, *, slug: str, items: int = 4, language: str = "en", settings: str = "") -> Path:
    """Write a study file and its materials into `folder` and return the path of the study file.

    Two formulations of each item, one filler, one practice sentence; `settings` are lines of its table of settings, and
    without any the displays are quick.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "materials.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "text", "formulation", "is_filler", "is_practice", "clause_a", "clause_b"])
        writer.writerow(["practice-1", "The fair was moved to the park.", "", "false", "true", "", ""])
        writer.writerow(["filler-1", "Two friends play chess at the mill.", "", "true", "false", "", ""])
        for number in range(items):
            cause, effect = CAUSES[number % 8], EFFECTS[(number + number // 8) % 8]
            writer.writerow(
                [f"item-{number + 1}", f"There were {effect} because of {cause}.", "because", "", "", cause, effect]
            )
            writer.writerow([f"item-{number + 1}", f"The {cause} caused {effect}.", "cause", "", "", cause, effect])
    path = folder / "study.toml"
    path.write_text(
        f"""
slug = "{slug}"
title = "What stays of a sentence"
paradigm = "sentence-recall"
language = "{language}"
responsible = "Example Language Laboratory"
contact = "language-laboratory@example.org"
data_protection_note = "Kept on the laboratory's server for ten years."
seed = 7
estimated_minutes = 10

[settings]
{settings or QUICK}

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

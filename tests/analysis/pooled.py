"""A study whose three reading tasks are one in analyses, after a fourth of another paradigm."""

from __future__ import annotations

from pathlib import Path

from experiments.models import Study
from experiments.study_files.toml import create_from_toml

POOL, PARTS = "reading", ("reading-a", "reading-b", "reading-c")
HEAD = """
slug = "pooled"
title = "Three blocks of one task"
responsible = "R. Researcher"
contact = "r@example.org"
data_protection_note = "Kept here for a year."

[procedure]
completion_code = "DONE"

[[parts]]
name = "judging"
paradigm = "magnitude-estimation"
instructions = "Judge these."
[parts.settings]
modulus_text = "The door was by the porter opened."
"""
PART = """
[[parts]]
name = "{name}"
paradigm = "self-paced-reading"
pool = "reading"
order_set = "blocks"
instructions = "Read these."
"""
RATED = "item,text,order\n1,The first sentence.,a\n1,First the sentence.,b\n2,One more.,a\n2,More one.,b\n"


def materials(name: str, *, items: int = 2, extra: str = "") -> str:
    """Return sentences in two orders, with items that no other part has; the last part has an attribute of its own."""
    lines = ["item,text,order" + (",genre" if extra else "")]
    for number in range(1, items + 1):
        for order, text in (("a", "The dog | of item | {} | slept."), ("b", "There slept | a dog | of item | {}.")):
            lines.append(f"{name}-{number},{text.format(name + str(number))},{order}" + (f",{extra}" if extra else ""))
    return "\n".join(lines) + "\n"


def study_file(folder: Path, *, head: str = HEAD, **materials_of: str) -> Path:
    """Write the study with its materials; `materials_of` replaces those of a part (`reading_b=…`)."""
    (folder / "materials-judging.csv").write_text(RATED, encoding="utf-8")
    for name in PARTS:
        text = materials_of.get(name.replace("-", "_"), materials(name, extra="news" if name == PARTS[2] else ""))
        (folder / f"materials-{name}.csv").write_text(text, encoding="utf-8")
    path = folder / "study.toml"
    path.write_text(head + "".join(PART.format(name=name) for name in PARTS), encoding="utf-8")
    return path


def pooled_study(folder: Path, *, head: str = HEAD, is_open: bool = True, **materials_of: str) -> Study:
    """Return the study, open unless it shall be a draft."""
    study = create_from_toml(study_file(folder, head=head, **materials_of))
    if is_open:
        Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    return Study.objects.get(pk=study.pk)

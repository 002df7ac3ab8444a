"""What the forms say in words: instructions as plain text, authors, and the page that comes first."""

from __future__ import annotations

import re

from analysis.exports.deposited import deposited
from experiments.formats.faults import listed
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.procedure.sessions import task_snapshot

MARKS = re.compile(r"^(?:#{1,6}|[-*>=+])\s+|^-{3,}$|\*{1,3}|`", re.MULTILINE)


def instructions_of(seen: Study) -> str:
    """Return the instructions of the task through which a study is seen as plain text; empty where it has none."""
    told = task_snapshot(seen.task, None).instructions if seen.task.pk else ""
    return "\n".join(line for line in (one.strip() for one in MARKS.sub("", told).splitlines()) if line)


def authors_of(study: Study) -> list[str]:
    """Return who is named as an author: of the deposit, else who is responsible for the study."""
    found = deposited(study)
    if found and found.creators:
        return [str(creator["name"]) for creator in found.creators]
    return [study.responsible] if study.responsible else []


def readme(study: Study, what: str) -> str:
    """Return the page that comes first in a form: what the study is, what the form holds, how to cite it."""
    found = deposited(study)
    paradigms = listed([str(paradigm_named(task.paradigm).label) for task in study.tasks or [study.task]])
    about = study.description.strip() or f"Data of a study ({paradigms})."
    lines = [f"# {' '.join(study.title.split())}", "", about, "", what, ""]
    lines += [f"- Study: `{study.slug}`, version {study.version}", f"- Tasks: {paradigms}"]
    if authors := authors_of(study):
        lines.append(f"- Authors: {'; '.join(authors)}")
    if found and found.doi:
        lines.append(f"- DOI: https://doi.org/{found.doi}")
    elif found and found.address:
        lines.append(f"- Archive: {found.address}")
    if found and found.licence:
        lines.append(f"- Licence: {found.licence}")
    lines += [
        "",
        "People have pseudonyms alone. Rows of simulated people are marked `simulated`, and rows that analyses leave "
        "out `excluded`, with the reason. `manifest.json` has the SHA-256 of every file.",
        "",
    ]
    return "\n".join(lines)

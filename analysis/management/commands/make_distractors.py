"""`manage.py make_distractors FILE.csv --out FILE.csv`: Maze distractors for a table of materials."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.distractors.candidates import LANGUAGES
from analysis.distractors.choosing import LEAST_BITS, LENGTH_WITHIN, ZIPF_WITHIN, TooFewCandidates
from analysis.distractors.materials import Made, make_distractors
from analysis.management.refusing import refuse
from analysis.methods.wording import counted
from analysis.text.arpa import NotArpa
from analysis.text.frequency import frequency_label
from experiments.materials import MaterialsFaults
from experiments.whole_files import NotWritten, keep_apart, write_whole


class Command(BaseCommand):
    help = "Put beside every word of a table of materials a distractor for the Maze task; review them in a second file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a table of materials, as for a study of self-paced reading")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="the table with distractors")
        parser.add_argument("--model", type=Path, metavar="FILE.arpa", help="an n-gram model of the language")
        parser.add_argument("--language", choices=LANGUAGES, default="en", help="the language of the texts")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed draws other distractors")

    def handle(self, *args: Any, **options: Any) -> None:
        file, out, model, language = (options[name] for name in ("file", "out", "model", "language"))
        review = out.with_name(f"{out.stem}_review.csv")
        try:
            keep_apart(read=[path for path in (file, model) if path is not None], written=[out, review])
        except NotWritten as refusal:
            refuse(self.stderr, str(refusal))
        try:
            data = file.read_bytes()
        except OSError as error:
            refuse(self.stderr, f"{file}: {error.strerror or error}.")
        try:
            made = make_distractors(data, name=file.name, language=language, model=model, seed=options["seed"])
        except MaterialsFaults as found:
            refuse(self.stderr, *(f"{file}: {fault}" for fault in found.faults))
        except TooFewCandidates as error:
            refuse(self.stderr, f"{file}: {error}")
        except (NotArpa, OSError) as error:
            refuse(self.stderr, f"{model}: {error}")
        try:
            write_whole(out, made.table)
            write_whole(review, made.review)
        except NotWritten as refusal:
            refuse(self.stderr, str(refusal))
        for warning in made.warnings:
            self.stderr.write(f"Warning: {warning}", style_func=str)
        for sentence in _summary(made, language=language, has_model=model is not None):
            self.stdout.write(sentence)
        self.stdout.write(f"{out}: the table with the column distractors. {review}: every distractor, for review.")


def _summary(made: Made, *, language: str, has_model: bool) -> list[str]:
    choices = [choice for chosen in made.choices for choice in chosen]
    n = len(choices)
    length = sum(choice.length_difference <= LENGTH_WITHIN for choice in choices)
    compared = [zipf for choice in choices if (zipf := choice.zipf_difference) is not None]
    near = sum(zipf <= ZIPF_WITHIN for zipf in compared)
    said = [
        f"{counted(n, 'distractor')} for {counted(len(made.items), 'item')}: {length} of {n} within {LENGTH_WITHIN} "
        f"letter of every word beside them, {near} of {len(compared)} within {ZIPF_WITHIN:g} Zipf "
        f"({frequency_label(language)})."
    ]
    if not has_model:
        return [
            *said,
            "No language model was given: length and frequency alone are matched, and whether a distractor happens to "
            "go on with its sentence is for you to review.",
        ]
    bits = [choice.bits for choice in choices if choice.bits is not None]
    improbable = sum(value >= LEAST_BITS for value in bits)
    return [*said, f"{improbable} of {len(bits)} are less probable than every word beside them by {LEAST_BITS:g} bits."]

"""manage.py create_study FILE.toml: create a study with its design from a study file."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from experiments.formats.faults import Fault
from experiments.models import Study
from experiments.study.lifecycle import open_study
from experiments.study.opening import opening_faults, opening_warnings
from experiments.study.refusals import NotReady
from experiments.study_files import StudyFileFaults, read_toml, store_description


class Command(BaseCommand):
    help = "Create a draft of a study from a TOML file and its materials. Nothing is stored where anything is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="The study file; the path of the materials is relative to it.")
        parser.add_argument("--owner", help="User name of the researcher who owns the study.")
        parser.add_argument("--open", action="store_true", help="Open the study at once where nothing is missing.")
        parser.add_argument(
            "--repair",
            action="store_true",
            help="Take out characters of the materials that cannot be seen, and mend letters that were encoded twice.",
        )
        parser.add_argument(
            "--accept-warnings",
            action="store_true",
            help="Store the study although its materials may not say what was meant: an encoding that was guessed, "
            "sheets that were left out, markup, hidden characters.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["owner"])
        try:
            described = read_toml(options["file"], repaired=options["repair"])
            self._warn(described.warnings, accepted=options["accept_warnings"])
            origin = f"file {options['file'].name}"
            study = store_description(described, user=owner, owner=owner, origin=origin)
        except StudyFileFaults as found:
            raise refusal(found, str(options["file"])) from found
        for line in summary(study):
            self.stdout.write(line)
        if options["open"]:
            try:
                open_study(study, owner)
            except NotReady as error:
                raise CommandError(f"The draft was stored, but it cannot open: {error}", returncode=2) from error
            self.stdout.write(f"The study '{study.slug}' is open.")

    def _warn(self, warnings: Sequence[Fault], *, accepted: bool) -> None:
        """Print what the page of the materials would say. Raises CommandError where that has to be accepted first."""
        for warning in warnings:
            self.stdout.write(f"Please check: {warning}")
        doubtful = sum(warning.is_doubtful for warning in warnings)
        if doubtful and not accepted:
            number = "One of these warnings says" if doubtful == 1 else f"{doubtful} of these warnings say"
            raise CommandError(
                f"{number} that the materials may not be read as they were meant. Nothing was stored. Correct the "
                "materials, or give --repair for hidden and double-encoded characters, or --accept-warnings to store "
                "them as they are.",
                returncode=2,
            )


def owner_named(username: str | None) -> Any:
    """Return the user with this name; None without a name. Raises CommandError if there is no such user."""
    if not username:
        return None
    users = get_user_model()
    try:
        return users.objects.get(**{users.USERNAME_FIELD: username})
    except users.DoesNotExist as error:
        raise CommandError(f"There is no user '{username}'. Nothing was stored.", returncode=2) from error


def refusal(found: StudyFileFaults, file: str) -> CommandError:
    """Return the error that names every fault of a file, one per line."""
    number = len(found.faults)
    lines = [f"{file}: {number} {'fault' if number == 1 else 'faults'}. Nothing was stored."]
    return CommandError("\n".join([*lines, *(f"  {fault}" for fault in found.faults)]), returncode=2)


def summary(study: Study) -> list[str]:
    """Return a summary of the created study, and what is missing before it can open."""
    if study.has_several_tasks:
        lines = [f"The study '{study.slug}' was created as a draft: {len(study.tasks)} tasks."]
        lines += [f"  {task.name}: {_held_by(study.seen_through(task.name))}" for task in study.tasks]
    else:
        lines = [f"The study '{study.slug}' was created as a draft: {_held_by(study)}."]
    lines += [f"Before it can open: {fault}" for fault in opening_faults(study)]
    return lines + [f"To consider: {warning}" for warning in opening_warnings(study)]


def _held_by(study: Study) -> str:
    targets = study.items.filter(is_filler=False, is_practice=False).count()
    counts = (
        (targets, "item"),
        (study.conditions.count(), "condition"),
        (study.lists.count(), "list"),
        (study.items.filter(is_filler=True).count(), "filler"),
        (study.items.filter(is_practice=True).count(), "practice text"),
    )
    return ", ".join(f"{number} {name}{'' if number == 1 else 's'}" for number, name in counts)

"""manage.py import TOOL PROJECT: make a draft of a study of a project of another tool."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.languages import LANGUAGES
from experiments.management.commands.create_study import owner_named, summary
from experiments.other_tools.carrying import Carried, carried, stem_of, told
from experiments.other_tools.pcibex.study import REPORT_FILE
from experiments.other_tools.projects import MAX_ZIP_BYTES, ProjectFaults, folder_files, uploaded_files
from experiments.other_tools.reports import HEADINGS, OUTCOMES
from experiments.other_tools.stored import record_import
from experiments.other_tools.tools import BY_SLUG
from experiments.started_by import command_on_the_data
from experiments.study_files import StudyFileFaults, store_description
from experiments.whole_files import NotWritten, write_whole


class Command(BaseCommand):
    help = (
        "Make a draft of a study of a project of another tool: PCIbex and Ibex, jsPsych, lab.js, OpenSesame, MoTR. Its "
        "scripts are read and never run; what becomes of every element is said. With --out the study is kept as a "
        "folder with its study file and the report."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tool", choices=sorted(BY_SLUG), help="The tool that the project is of.")
        parser.add_argument("project", type=Path, help="The folder of the project, an archive of it, or its file.")
        parser.add_argument("--slug", default="", help="The address of the study; by default the name of the project.")
        parser.add_argument("--title", default="", help="The title of the study; by default the name of the project.")
        parser.add_argument("--language", default="en", choices=list(LANGUAGES), help="The language of its pages.")
        parser.add_argument("--owner", help="User name of the researcher who owns the study.")
        parser.add_argument("--out", type=Path, help="A folder that the study file, its tables and the report go to.")
        parser.add_argument("--only-files", action="store_true", help="Write the folder alone, and store no study.")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["owner"])
        path: Path = options["project"]
        if options["only_files"] and not options["out"]:
            raise CommandError("--only-files needs --out, a folder.", returncode=2)
        try:
            found = carried(
                _files(path),
                stem_of(path.resolve().name) if path.is_file() else path.resolve().name,
                tool=options["tool"],
                slug=options["slug"],
                title=options["title"],
                language=options["language"],
            )
        except ProjectFaults as faults:
            raise CommandError("\n".join(str(fault) for fault in faults.faults), returncode=2) from faults
        self._tell(found)
        if options["out"]:
            self._write(found, options["out"])
        if options["only_files"]:
            return
        if found.described is None:
            create = command_on_the_data("create_study")
            lines = [f"The study could not be stored; correct its files and use {create}, or the project:"]
            raise CommandError("\n".join([*lines, *(f"  {fault}" for fault in found.faults)]), returncode=2)
        try:
            study = store_description(found.described, user=owner, owner=owner, origin=f"project {path.name}")
            record_import(study, found, user=owner)
        except StudyFileFaults as faults:
            lines = ["The study could not be stored:", *(f"  {fault}" for fault in faults.faults)]
            raise CommandError("\n".join(lines), returncode=2) from faults
        for line in summary(study):
            self.stdout.write(line)

    def _tell(self, found: Carried) -> None:
        for outcome in OUTCOMES:
            entries = found.report.of(outcome)
            if entries:
                self.stdout.write(f"{HEADINGS[outcome]}:")
            for entry in entries:
                self.stdout.write(f"  {entry}")
        self.stdout.write(told(found))

    def _write(self, found: Carried, folder: Path) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise CommandError(f"'{folder}' is not empty; give --out a new folder. Nothing was stored.", returncode=2)
        try:
            for path, data in found.files.items():
                write_whole(folder / path, data)
        except NotWritten as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        self.stdout.write(
            f"The study file and what it names were written to {folder}, the report to {REPORT_FILE} there."
        )


def _files(path: Path) -> dict[str, bytes]:
    """Return the files of a folder or an archive, or the file that it is. Raises ProjectFaults and CommandError."""
    if path.is_dir():
        return folder_files(path)
    try:
        with path.open("rb") as file:
            return uploaded_files(file.read(MAX_ZIP_BYTES + 1), path.name)
    except OSError as error:
        raise CommandError(f"'{path}' cannot be read: {error.strerror}.", returncode=2) from error

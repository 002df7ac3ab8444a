"""`manage.py verify ARCHIVE …`: compute what an archive reports from its own data, and check its plan and hashes."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.management.refusing import refuse
from experiments.loading import loading

CONTRADICTED = 1
SHOWN = 40
CANNOT_KNOW = (
    "What no archive can say of itself: whether these are the data that people gave. Somebody who alters them and "
    "computes every report, hash and date anew has an archive that verifies. Against that help copies that lie "
    "elsewhere: the hashes of plan and texts, deposited before the first participant; the SHA-256 of the archive, from "
    "when it was first shared; and the history of the study on its platform, against which --study checks."
)


class Command(BaseCommand):
    help = (
        "Compute every number that archives of a study report from the data in them, and check plan, texts, times, "
        "exclusions and hashes. Ends with 0 where nothing contradicts, 1 where something does, 2 where nothing could "
        "be read."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "archives",
            nargs="+",
            type=Path,
            metavar="ARCHIVE",
            help="an export, a report or a paper of one study, as ZIP or folder; and files that its reports read",
        )
        parser.add_argument("--seconds", type=int, default=600, help="how long one report may take (600)")
        parser.add_argument("--megabytes", type=int, default=4096, help="how much memory one report may take (4096)")
        parser.add_argument("--study", default="", metavar="SLUG", help="check against the history of this study too")
        parser.add_argument("--json", action="store_true", help="write the whole verdict as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        with loading():
            from analysis.verification.archives import UnreadableArchive
            from analysis.verification.history import check_history
            from analysis.verification.whole import verify

        def tell(said: str) -> None:
            if options["verbosity"] > 1:
                self.stderr.write(f"computing {said}", style_func=str)

        try:
            verdict = verify(options["archives"], seconds=options["seconds"], megabytes=options["megabytes"], tell=tell)
        except UnreadableArchive as refusal:
            refuse(self.stderr, str(refusal))
        if options["study"]:
            check_history(options["study"], verdict)
        if options["json"]:
            self.stdout.write(json.dumps(verdict.as_dict(), ensure_ascii=False, indent=2))
        else:
            self._say(verdict)
        if verdict.wrong:
            sys.exit(CONTRADICTED)

    def _say(self, verdict: Any) -> None:
        version = f", version {verdict.version}" if verdict.version is not None else ""
        self.stdout.write(f"Study {verdict.study or 'without a name'}{version}")
        if verdict.files:
            self.stdout.write(f"Hashes: {verdict.files_as_listed:,} of {verdict.files:,} files are as listed.")
        for said in verdict.claims.held:
            self.stdout.write(f"  {said}")
        for report in verdict.reports:
            standing = f", {report.standing}" if report.standing else ""
            numbers = f"{report.found.same:,} of {report.found.numbers:,} numbers reproduced"
            self.stdout.write(f"{report.path} ({report.method}{standing}): {report.reason or numbers}")
        for name, found in verdict.papers:
            self.stdout.write(f"{name} (manuscript): {found.same:,} of {found.numbers:,} numbers reproduced")
        for heading, lines in (
            ("Contradictions:", verdict.wrong),
            ("Not checked:", verdict.lacking),
            ("Besides:", verdict.told),
        ):
            if lines:
                self.stdout.write(heading)
                for said in lines[:SHOWN]:
                    self.stdout.write(f"  {said}")
                if len(lines) > SHOWN:
                    self.stdout.write(f"  and {len(lines) - SHOWN:,} more; --json has all")
        for name, digest in verdict.fingerprints.items():
            self.stdout.write(f"SHA-256 of the {name}: {digest}")
        self.stdout.write(CANNOT_KNOW)
        self.stdout.write(verdict.sentence)

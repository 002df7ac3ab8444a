"""`manage.py analyse METHOD --data FILE.csv --set name=value --out DIR`: run a method on any tidy CSV, no study
needed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.management.described import described_methods
from analysis.management.refusing import refuse
from analysis.methods.wording import on_one_line
from experiments.formats.csvtext import DECIMALS
from experiments.loading import loading
from experiments.started_by import command


class Command(BaseCommand):
    help = "Run an analysis on a CSV file and write its tables, figures and report; --list shows the methods."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("method", nargs="?", help="the method, as --list names it")
        parser.add_argument("--data", type=Path, metavar="FILE.csv", help="a CSV file with one row per trial")
        parser.add_argument(
            "--decimal",
            choices=DECIMALS,
            default="auto",
            help="what a comma in a number is: decimal or not; without this, where it is unmistakable",
        )
        parser.add_argument(
            "--set",
            action="append",
            nargs="+",
            default=[],
            metavar="name=value",
            dest="settings_given",
            help="a parameter of the method; several values of one parameter are separated by commas",
        )
        parser.add_argument(
            "--part", default="", metavar="NAME", help="of a table of several tasks, the rows of this one alone"
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="the folder for report.json, tables and figures")
        parser.add_argument("--list", action="store_true", help="show the methods with their parameters")
        parser.add_argument("--json", action="store_true", help="with --list: as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self._list(as_json=options["json"])
            return
        with loading():  # all of pandas, which the list does without
            from analysis.data.analyse_file import analyse_file, settings_from
            from analysis.methods.report import BadInput
        try:
            for name, meaning in (
                ("method", "a method (see --list)"),
                ("data", "--data FILE.csv"),
                ("out", "--out DIR"),
            ):
                if options[name] is None:
                    raise BadInput(f"Give {meaning}: {command('analyse')} METHOD --data FILE.csv --set dv=… --out DIR.")
            report, written = analyse_file(
                options["method"],
                data=options["data"],
                given=settings_from([pair for pairs in options["settings_given"] for pair in pairs]),
                out=options["out"],
                decimal=options["decimal"],
                part=options["part"],
            )
        except BadInput as error:
            refuse(self.stderr, on_one_line(str(error)))
        if options["verbosity"] == 0:
            return
        if report.design:
            self.stdout.write(f"Design: {report.design}")
        for sentence in report.sentences:
            self.stdout.write(sentence)
        for warning in report.warnings:
            self.stdout.write(f"Warning: {warning}")
        self.stdout.write(f"{len(written)} files in {options['out']}.")

    def _list(self, *, as_json: bool) -> None:
        methods = described_methods()
        if as_json:
            self.stdout.write(json.dumps(methods, ensure_ascii=False, indent=2))
            return
        for method in methods:
            self.stdout.write(f"{method['method']}: {method['summary']}")
            for parameter in method["parameters"]:
                self.stdout.write(f"    {_described(parameter)}")
            self.stdout.write("")


def _described(parameter: dict[str, Any]) -> str:
    shown = parameter["default"]
    if isinstance(shown, list):
        shown = ",".join(shown)
    facts = "required" if parameter["required"] else f"default {shown}" if shown not in (None, "") else "optional"
    how = "such as" if parameter["kind"] == "text" else "one of"
    choices = f"; {how} {', '.join(parameter['choices'])}" if parameter["choices"] else ""
    also = f" Also called {', '.join(parameter['also'])}." if parameter["also"] else ""
    return (
        f"{parameter['name']} ({parameter['kind']}, {facts}{choices}): {parameter['help'] or parameter['label']}{also}"
    )

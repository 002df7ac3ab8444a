"""`manage.py convert FILE --out trials.csv`: results of other tools as a table for `analyse`, with a codebook.

Materials of other tools become a table of materials instead.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.conversion.recognise import convert_file
from analysis.conversion.table import Converted, NotRecognised
from analysis.methods.wording import counted
from experiments.formats.csvtext import csv_text
from experiments.materials.reading import is_item_file, read_materials
from experiments.materials.shapes import MaterialsFaults

BAD_INPUT = 2
FAULTS_SHOWN = 20


class Command(BaseCommand):
    help = (
        "Make a table for 'analyse' of the results of PCIbex, Ibex, jsPsych, JATOS, lab.js, OpenSesame or MoTR, or a "
        "table of materials of the item files and tables of Linger, Ibex, PCIbex or OpenSesame."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="results as the tool wrote them; recognised by their content")
        parser.add_argument("--out", type=Path, required=True, metavar="trials.csv", help="the table to write")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = convert_file(options["file"])
        except (NotRecognised, OSError) as refusal:
            if isinstance(refusal, NotRecognised) and self._materials(options["file"], options["out"]):
                return
            self.stderr.write(f"{options['file']}: {refusal}", style_func=str)
            sys.exit(BAD_INPUT)
        out: Path = options["out"]
        codebook = out.with_name(f"{out.stem}_codebook.csv")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(_table(found), encoding="utf-8", newline="")
        lines = found.codebook()
        header = ["column", "meaning", "unit", "source"]
        codebook.write_text(csv_text(header, [[line[name] for name in header] for line in lines]), "utf-8", newline="")
        said = [
            f"{found.tool}: {counted(len(found.rows), 'row')} in {out}, columns explained in {codebook}.",
            *found.notes,
        ]
        for line in said:
            self.stdout.write(line)
        for fault in found.faults[:FAULTS_SHOWN]:
            self.stderr.write(str(fault), style_func=str)
        if len(found.faults) > FAULTS_SHOWN:
            self.stderr.write(f"and {len(found.faults) - FAULTS_SHOWN} more faults", style_func=str)

    def _materials(self, path: Path, out: Path) -> bool:
        """Write the table of materials that another tool's file makes; say whether it is one."""
        try:
            table = read_materials(path.read_bytes(), path.name)
        except MaterialsFaults as found:
            # Only an item file is refused for what stands in it; anything else was no file of materials.
            if not is_item_file(path.read_bytes()):
                return False
            for fault in found.faults[:FAULTS_SHOWN]:
                self.stderr.write(f"{path}: {fault}", style_func=str)
            sys.exit(BAD_INPUT)
        if not table.origin:
            return False
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(csv_text(table.header, [row.cells for row in table.rows]), encoding="utf-8", newline="")
        self.stdout.write(f"Materials of {table.origin}: {counted(len(table.rows), 'text')} in {out}.")
        for warning in table.warnings:
            self.stdout.write(str(warning))
        return True


def _table(found: Converted) -> str:
    columns = found.columns
    return csv_text(columns, [[_written(row.get(name)) for name in columns] for row in found.rows])


def _written(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value

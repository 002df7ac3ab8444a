"""`manage.py convert FILE --out trials.csv`: results of other tools as a table for `analyse`, with a codebook.

Materials of other tools become a table of materials instead.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.conversion.recognise import convert_file
from analysis.conversion.registry import KNOWN
from analysis.conversion.source import text_of
from analysis.conversion.table import Converted, NotRecognised
from analysis.management.refusing import refuse
from analysis.methods.wording import counted
from experiments.formats.csvtext import csv_text
from experiments.materials.reading import is_item_file, read_materials
from experiments.materials.shapes import MaterialsFaults
from experiments.whole_files import NotWritten, keep_apart, write_whole

FAULTS_SHOWN = 20


class Command(BaseCommand):
    help = (
        f"Make a table for 'analyse' of the results of {KNOWN}, or a table of materials of the item files and tables "
        "of Linger, Ibex, PCIbex or OpenSesame."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="results as the tool wrote them; recognised by their content")
        parser.add_argument("--out", type=Path, required=True, metavar="trials.csv", help="the table to write")
        parser.add_argument(
            "--encoding",
            default="",
            help="encoding of the file, such as shift_jis or gb18030; without it UTF-8, UTF-16 or Windows-1252",
        )
        parser.add_argument(
            "--participant",
            default="",
            metavar="COLUMN",
            help="the column that says who took part, where another one would be taken",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file, out = options["file"], options["out"]
        codebook = out.with_name(f"{out.stem}_codebook.csv")
        try:
            keep_apart(read=[file], written=[out, codebook])
            found = convert_file(file, encoding=options["encoding"], participant=options["participant"])
        except NotWritten as refusal:
            refuse(self.stderr, str(refusal))
        except OSError as error:
            refuse(self.stderr, f"{file}: {error.strerror or error}.")
        except NotRecognised as refusal:
            if not self._materials(file, out, options["encoding"]):
                refuse(self.stderr, f"{file}: {refusal}")
            return
        lines = found.codebook()
        header = ["column", "meaning", "unit", "source"]
        self._write(out, _table(found))
        self._write(codebook, csv_text(header, [[line[name] for name in header] for line in lines]))
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

    def _materials(self, path: Path, out: Path, encoding: str) -> bool:
        """Write the table of materials that another tool's file makes; say whether it is one."""
        content = path.read_bytes()
        if encoding:
            try:
                content = text_of(content, encoding)[0].encode()
            except NotRecognised:
                return False
        try:
            table = read_materials(content, path.name)
        except MaterialsFaults as found:
            # Only an item file is refused for what stands in it; anything else was no file of materials.
            if not is_item_file(content):
                return False
            refuse(self.stderr, *(f"{path}: {fault}" for fault in found.faults[:FAULTS_SHOWN]))
        if not table.origin:
            return False
        self._write(out, csv_text(table.header, [row.cells for row in table.rows]))
        self.stdout.write(f"Materials of {table.origin}: {counted(len(table.rows), 'text')} in {out}.")
        for warning in table.warnings:
            self.stdout.write(str(warning))
        return True

    def _write(self, path: Path, text: str) -> None:
        try:
            write_whole(path, text)
        except NotWritten as refusal:
            refuse(self.stderr, str(refusal))


def _table(found: Converted) -> str:
    columns = found.columns
    return csv_text(columns, [[_written(row.get(name)) for name in columns] for row in found.rows])


def _written(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value

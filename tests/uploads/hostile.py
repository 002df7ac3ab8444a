"""Files that somebody uploads to harm the platform, made here so that none has to lie about: name to bytes.

Each is small enough to be accepted by its size and asks for far more time or memory than that, or for a place that is
not its own.
"""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Callable, Mapping

CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.'
    'sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/>'
    "</Relationships>"
)
WORKBOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.'
    'org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
PARTS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/>'
    '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" '
    'Target="sharedStrings.xml"/></Relationships>'
)
SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def zipped(members: dict[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def workbook(rows: str, *, strings: str = "", prolog: str = "", more: Mapping[str, bytes | str] = {}) -> bytes:
    """Return an XLSX with these rows and shared strings as they stand."""
    return zipped(
        {
            "[Content_Types].xml": CONTENT_TYPES,
            "_rels/.rels": RELATIONS,
            "xl/workbook.xml": WORKBOOK,
            "xl/_rels/workbook.xml.rels": PARTS,
            "xl/worksheets/sheet1.xml": f"{prolog}<worksheet {SPACE}><sheetData>{rows}</sheetData></worksheet>",
            "xl/sharedStrings.xml": f"<sst {SPACE}>{strings}</sst>",
            **more,
        }
    )


def text_cell(reference: str, text: str = "x") -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t>{text}</t></is></c>'


ENTITIES = (
    "<!DOCTYPE a ["
    + '<!ENTITY b0 "ha">'
    + "".join(f'<!ENTITY b{level} "{f"&b{level - 1};" * 10}">' for level in range(1, 12))
    + "]>"
)

WORKBOOKS: dict[str, Callable[[], bytes]] = {
    "shared strings without end": lambda: workbook("<row/>", strings="<si><t>x</t></si>" * 1_000_000),
    "one shared string of 70 MB": lambda: workbook("<row/>", strings=f"<si><t>{'x' * 60_000_000}</t></si>"),
    "rows of 16,384 columns": lambda: workbook(f"<row>{text_cell('XFD1')}</row>" * 100_000),
    "wide rows that are empty": lambda: workbook('<row><c r="XFD1"/></row>' * 300_000),
    "rows far down": lambda: workbook(
        f'<row r="1">{text_cell("A1")}</row><row r="1048576">{text_cell("A1048576")}</row>'
    ),
    "cells without end": lambda: workbook("<row>" + "<c><v>1</v></c>" * 2_000_000 + "</row>"),
    "empty rows without end": lambda: workbook("<row/>" * 6_000_000),
    "deep elements": lambda: workbook("<row>" * 1_000_000),
    "attributes without end": lambda: workbook("<row " + " ".join(f'a{n}="1"' for n in range(1_000_000)) + "/>"),
    "entities": lambda: workbook(f"<row>{text_cell('A1', '&b11;')}</row>", prolog=ENTITIES),
    "entities after a long comment": lambda: workbook(
        f"<row>{text_cell('A1', '&b11;')}</row>", prolog=f"<!--{'x' * 10_000}-->{ENTITIES}"
    ),
    "an outside entity": lambda: workbook(
        f"<row>{text_cell('A1', '&e;')}</row>", prolog='<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    ),
    "a part that unpacks to 100 MB": lambda: workbook("<row/>", more={"xl/media/a.bin": bytes(100_000_000)}),
    "thousands of parts": lambda: workbook("<row/>", more={f"xl/{n}.xml": "" for n in range(5_000)}),
    "a number of a million digits": lambda: workbook(f"<row><c><v>{'9' * 1_000_000}</v></c></row>"),
    "a date far away": lambda: workbook('<row><c t="d"><v>99999999-01-01</v></c></row>'),
    "cut off": lambda: workbook(f"<row>{text_cell('A1')}</row>")[:-80],
    "no workbook at all": lambda: zipped({"a.txt": "b"}),
}
TABLES: dict[str, Callable[[], bytes]] = {
    "two million columns": lambda: b"item,text" + b",x" * 2_000_000 + b"\n",
    "two million names": lambda: b",".join(b"a%d" % n for n in range(500_000)) + b"\n1\n",
    "two million rows": lambda: b"item,text\n" + b"a,b\n" * 1_200_000,
    "an open quote": lambda: b'item,text\n"' + b"x\n" * 2_000_000,
    "quotes": lambda: b"item,text\n" + b'"' * 4_000_001,
    "empty lines": lambda: b"item,text" + b"\n" * 4_500_000,
    "carriage returns": lambda: b"item,text\r" * 400_000,
    "zeros": lambda: bytes(4_000_000),
    "half UTF-16": lambda: b"\xff\xfe" + b"a\x00" * 1_000_000 + b"\xd8",
    "surrogates": lambda: b"item,text\n" + b"\xed\xa0\x80" * 100_000,
}


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def linked(name: str, target: str) -> bytes:
    """Return an archive with a symbolic link and nothing else."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        member = zipfile.ZipInfo(name)
        member.create_system = 3
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, target)
    return buffer.getvalue()


STUDIES: dict[str, Callable[[], bytes]] = {
    "a bomb": lambda: zipped({"study.json": " " * 100_000_000}),
    "materials that are a bomb": lambda: zipped({"study.json": "{}", "materials.csv": b"a," * 40_000_000}),
    "deep JSON": lambda: zipped({"study.json": nested(1_000_000)}),
    "deep JSON in an object": lambda: zipped({"study.json": json.dumps({"format": "lectern-study"})[:-1] + ', "texts": '
                                                            + nested(900_000) + "}"}),
    "a number of a million digits": lambda: zipped({"study.json": '{"format": ' + "9" * 1_000_000 + "}"}),
    "a way out": lambda: zipped({"../../study.json": "{}"}),
    "an absolute way": lambda: zipped({"/etc/study.json": "{}"}),
    "a link": lambda: linked("study.json", "/etc/passwd"),
    "an archive in an archive": lambda: zipped({"study.json": zipped({"study.json": bytes(50_000_000)})}),
    "a thousand members": lambda: zipped({f"{n}.csv": "" for n in range(60_000)}),
    "deep TOML": lambda: b"a = " + b"[" * 400_000,
    "dotted TOML": lambda: b"a" + b".a" * 400_000 + b" = 1\n",
    "TOML of many tables": lambda: b"".join(b"[t%d.a]\n" % n for n in range(80_000)),
    "TOML with a way out": lambda: b'[materials]\nfile = "../../../etc/passwd"\n',
    "TOML with an absolute way": lambda: b'[materials]\nfile = "/etc/passwd"\n',
    "TOML with a number of a million digits": lambda: b"a = " + b"9" * 900_000 + b"\n",
    "zeros": lambda: bytes(1_000_000),
}  # fmt: skip

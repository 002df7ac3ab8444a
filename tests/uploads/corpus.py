"""Files from outside, made by code: hostile ones (every kind of file with every run of signs) and big honest ones.

A hostile file is a small frame that says which reader takes it, and between its two parts a run of the same few signs.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from analysis.methods.ranking.parsing import documents_of
from analysis.methods.report import BadInput
from analysis.text.arpa import NotArpa, read_arpa
from experiments.formats.csvtext import BrokenTable, decoded
from experiments.formats.faults import FaultsFound
from experiments.materials.reading import read_materials
from experiments.materials.table import read_table
from experiments.questionnaire.table import read_questions
from experiments.rules.wording.files import read_language_file
from experiments.study_files.uploaded import described

READERS: dict[str, Callable[[bytes], Any]] = {
    "materials": lambda data: read_materials(data, "file"),
    "a repaired table": lambda data: read_table(data, "file", repaired=True),
    "questions": read_questions,
    "a language": lambda data: read_language_file(data, "en"),
    "a study": lambda data: described(data, None),
    "a language model": lambda data: read_arpa(decoded(data).text),
    "parses": lambda data: documents_of(decoded(data).text),
}
REFUSALS = (FaultsFound, BrokenTable, NotArpa, BadInput)
FRAMES: dict[str, tuple[str, str, str]] = {
    "the beginning of a table": ("materials", "", "\nitem,text\n1,a\n"),
    "a cell": ("materials", "item,text\n1,", "\n2,b\n"),
    "a cell that is repaired": ("a repaired table", "item,text\n1,", "é\n2,b\n"),
    "the header": ("materials", "item,text,", "\n1,b\n"),
    "the beginning of a list": ("materials", "", '[["a", "D", {s: "b"}]]'),
    "a text of Ibex": ("materials", 'var items = [["a", 1], "D", {s: "', '"}]];'),
    "a list of Ibex": ("materials", "var items = [", "]"),
    "an entry of Ibex": ("materials", 'var items = [["a", "D", {s: ', "}]]"),
    "a head of Linger": ("materials", "# rel 1 ", "\nThe dog left.\n"),
    "a question of Linger": ("materials", "# rel 1 a\nThe dog left.\n? ", " Y\n"),
    "a script of OpenSesame": ("materials", 'setcycle 0 sentence "a"\nsetcycle ', "\n"),
    "a cell of a questionnaire": ("questions", "name,kind,text,items\nq,items,How?,a: ", "\n"),
    "a text of a language": ("a language", '{"language": "en", "pages": {"next": "', '"}}'),
    "a language": ("a language", '{"language": ', "}"),
    "a text of a study": ("a study", 'title = """\n', '"""\n'),
    "a value of a study": ("a study", "title = ", "\n"),
    "an entry of a language model": ("a language model", "\\data\\\nngram 1=1\n\n\\1-grams:\n-1 ", "\n\\end\\\n"),
    "a line of parses": ("parses", "# newdoc id = a", "\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"),
}
SIGNS = (
    "\n",
    " ",
    "\t",
    "\r",
    "[",
    "{",
    "(",
    "/*",
    "//",
    '"',
    "'",
    "\\",
    "+",
    "9",
    ",",
    ";",
    "\x00",
    "\u200b",
    "Ã©",
    "a ",
    "a: ",
    "#",
    "?",
    "<",
    "&",
    "=",
    "- ",
    "\\ud83d",
    '"a"+',
)
HOSTILE = [(frame, signs) for frame in FRAMES for signs in SIGNS]


def hostile(frame: str, signs: str, size: int) -> tuple[str, bytes]:
    """Return the name of the reader and a file of about this many bytes."""
    reader, before, behind = FRAMES[frame]
    return reader, (before + signs * (size // len(signs.encode())) + behind).encode()


SENTENCES = {
    "English": "The porter who greeted the guest, “a friend”, opened the door of house {n}.",
    "German": "Der Pförtner, der den Gast grüßte, öffnete „ohne Spaß“ die Tür von Haus {n}.",
    "French": "Le portier qui saluait l’invité « ouvrit »\u00a0: la maison {n}.",
    "Polish": "Dozorca, który witał gościa, otworzył drzwi domu {n}.",
    "Greek": "Ο θυρωρός που χαιρέτησε τον επισκέπτη άνοιξε την πόρτα {n}.",
    "Russian": "Швейцар, встретивший гостя, открыл дверь дома {n}.",
    "Hebrew": "השוער שבירך את האורח פתח את הדלת {n}.",
    "Arabic": "فتح البواب الذي حيّا الضيف باب البيت {n}.",
    "Persian": "دربان می\u200cخواهد در خانه {n} را باز کند.",
    "Hindi": "द्वारपाल ने अतिथि का क्\u200dष स्वागत किया {n}।",
    "Chinese": "迎接客人的门卫打开了第{n}栋房子的门。",
    "Japanese": "客を迎えた門番は　{n}番の家の扉を開けた。",
    "Thai": "คนเฝ้าประตู\u200bเปิดประตูบ้าน {n}",
    "pictures": "The porter 👩‍👩‍👧 opened door {n} 🏳️‍🌈.",
}


@dataclass(frozen=True)
class Honest:
    """A big table or item file as people have them."""

    name: str
    make: Callable[[int], bytes]
    columns: int = 4

    def __str__(self) -> str:
        return self.name


def table(
    language: str, *, delimiter: str = ",", encoding: str = "utf-8", newline: str = "\n", columns: int = 4
) -> Honest:
    """Return a table of one language; every cell is quoted."""

    def make(rows: int) -> bytes:
        header = ["item", "text", "condition", *(f"note{number}" for number in range(4, columns + 1))]
        lines = [header]
        for n in range(rows):
            text = SENTENCES[language].format(n=n)
            lines.append([str(n // 2), text, "ab"[n % 2], *(str(n * number) for number in range(4, columns + 1))])
        quoted = (delimiter.join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines)
        return (newline.join(quoted) + newline).encode(encoding)

    return Honest(f"{language}, {encoding}, {delimiter!r}, {newline!r}, {columns} columns", make, columns)


def ibex(language: str) -> Honest:
    def make(rows: int) -> bytes:
        entry = '  [["{c}", {n}], "DashedSentence", {{s: "{s}"}}], // {n}\n'
        entries = (entry.format(c="ab"[n % 2], n=n // 2 + 1, s=SENTENCES[language].format(n=n)) for n in range(rows))
        return f"var defaults = [];\n/* the items */\nvar items = [\n{''.join(entries)}];\n".encode()

    return Honest(f"{language}, Ibex", make)


def linger(language: str) -> Honest:
    def make(rows: int) -> bytes:
        sentence = SENTENCES[language]
        return "".join(f"# rel {n // 2 + 1} {'ab'[n % 2]}\n{sentence.format(n=n)}\n\n" for n in range(rows)).encode()

    return Honest(f"{language}, Linger", make)


def workbook(language: str, *, columns: int = 4) -> Honest:
    def make(rows: int) -> bytes:
        import openpyxl

        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("items")
        sheet.append(["item", "text", "condition", *(f"note{number}" for number in range(4, columns + 1))])
        for n in range(rows):
            text = SENTENCES[language].format(n=n)
            sheet.append([n // 2, text, "ab"[n % 2], *(n * number for number in range(4, columns + 1))])
        buffer = io.BytesIO()
        book.save(buffer)
        return buffer.getvalue()

    return Honest(f"{language}, XLSX, {columns} columns", make, columns)


def honest() -> Iterator[Honest]:
    """Return all honest files: every language in every kind of file that can hold it."""
    for language in SENTENCES:
        yield table(language)
        yield table(language, delimiter="\t", encoding="utf-16", newline="\r\n")
        yield table(language, delimiter=";", encoding="utf-8-sig", columns=33)
        yield ibex(language)
        yield linger(language)
        yield workbook(language)

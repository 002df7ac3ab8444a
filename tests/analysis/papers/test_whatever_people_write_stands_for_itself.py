"""Text of researchers is text in LaTeX, Markdown and Word, whatever characters it holds."""

from __future__ import annotations

import io
import re

import docx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.papers import latex, markdown
from analysis.papers.blocks import Heading, Paper, Paragraph, Tabular
from analysis.papers.references import WORKS, bibtex, printed
from analysis.papers.word import paper_docx

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NASTY = (
    "\\input{/etc/passwd}",
    "$x_1^2$ & 50% #1 ~ {",
    "𝒳 ∑ η²ₚ 😀 日本語 é ő ş",
    "a--b ''c'' ?`",
    "\x00\x1b\u202e]]>",
)
# Every command that escaping may write; nothing else begins with a backslash.
COMMAND = re.compile(r"\\(?:[A-Za-z]+(?=[^A-Za-z]|$)|[{}$&#%_`'^~=.\"])")
KNOWN = {
    *re.findall(r"\\([A-Za-z]+)", " ".join([*latex.SPECIAL.values(), *latex.LETTERS.values(), *latex.MATHS.values()])),
    *(mark for mark in latex.ACCENTS.values() if mark.isalpha()),
    "ensuremath", "unicodechar", "textit",
}  # fmt: skip


def is_balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"\\.|[{}]", text):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return False
    return depth == 0


def paper_of(text: str) -> Paper:
    table = Tabular("tables/x", text, (text, "n"), ((text, "1"),), (False, True), text, text)
    return Paper(text, text, (Heading(1, text), Paragraph(text, source=text), table))


@given(ANY)
@example(NASTY[0])
@example(NASTY[1])
@example(NASTY[2])
@example(NASTY[3])
def test_latex_is_ascii_balanced_and_knows_every_command(text):
    written = latex.escaped(text)
    assert written.isascii()
    assert is_balanced(written)
    assert "\n" not in written
    rest = COMMAND.sub("", written)
    assert "\\" not in rest
    assert not re.search(r"(?<!\\)[$&#%_^]", re.sub(r"\\ensuremath\{[^{}]*(\{[^{}]*\})?\}|\\\^", "", written))
    assert set(re.findall(r"\\([A-Za-z]+)", written)) <= KNOWN


@given(ANY)
@example(NASTY[0])
@example(NASTY[1])
def test_a_whole_text_keeps_its_structure_whatever_its_words(text):
    written = latex.paper_tex(paper_of(text))
    body = "\n".join(line for line in written.split("\\maketitle")[1].splitlines() if not line.startswith("%"))
    assert is_balanced(body)
    assert written.isascii()
    assert written.count("\\begin{document}") == written.count("\\end{document}") == 1
    for name in re.findall(r"\\begin\{(\w+)\}", written):
        assert written.count(f"\\begin{{{name}}}") == written.count(f"\\end{{{name}}}")
    table = paper_of(text).blocks[2]
    assert isinstance(table, Tabular)
    rows = latex.table_tex(table).splitlines()
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows if row.endswith("tabularnewline")] == [1, 1]


@given(ANY)
@example("a | b")
@example("<script>alert(1)</script>")
@example("# no heading\n- no list")
def test_markdown_holds_no_markup_of_others(text):
    written = markdown.escaped(text)
    assert "\n" not in written
    assert not re.search(r"(?<!\\)(?:\\\\)*[<>|`*_#\[\]]", re.sub(r"\\.", "", written))
    table = markdown.paper_md(paper_of(text)).split("|---|---:|\n")[1].splitlines()[0]
    assert len(re.sub(r"\\.", "", table).split("|")) == 4


@pytest.mark.parametrize("text", NASTY)
def test_word_holds_the_characters_themselves_and_the_same_bytes(text):
    content = paper_docx(paper_of(text))
    assert content == paper_docx(paper_of(text))
    said = docx.Document(io.BytesIO(content)).tables[0].cell(0, 0).text
    kept = re.sub(r"[\x00-\x1f]", " ", text)
    assert said.split() == kept.split()


def test_the_bibliography_is_ascii_balanced_and_whole():
    written = bibtex(sorted(WORKS))
    assert written.isascii()
    assert is_balanced(written)
    assert written.count("@article{") == len(WORKS)
    assert all({"author", "year", "title", "journal", "volume"} <= set(work.fields) for work in WORKS.values())
    assert not any(re.search(r"[{}\\$]", printed(key)) for key in WORKS)

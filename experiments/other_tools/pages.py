"""Read HTML of a page into Markdown and the fields that people fill in. Pure; no HTML comes out, nothing is run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from experiments.formats.names import numbered
from experiments.procedure.markdown import escaped

MOST_CHARACTERS = 500_000
_HEADINGS = {"h1": "# ", "h2": "## ", "h3": "## ", "h4": "## ", "h5": "## ", "h6": "## "}
_BLOCKS = frozenset(
    (
        "p", "div", "section", "article", "table", "tr", "tbody", "thead", "ul", "ol", "center", "form", "fieldset",
        "legend", "header", "footer", "main",
        "blockquote", "hr", "dl", "dt", "dd", "body", "html", "td", "th", "figure",
    )
)  # fmt: skip
_STRONG, _EMPHASIS = ("b", "strong"), ("i", "em")
_SILENT = ("script", "style", "head", "title", "template", "noscript", "svg")
_FILES = {
    "img": "image",
    "audio": "audio",
    "video": "video",
    "source": "source",
    "iframe": "iframe",
    "object": "object",
}
_NEEDED = ("obligatory", "required")


@dataclass
class Field:
    """One field of a form: its kind of HTML, its name, what stands before and behind it, and its choices."""

    kind: str
    name: str
    before: str = ""
    value: str = ""
    after: str = ""
    required: bool = False
    choices: list[str] = field(default_factory=list)


@dataclass
class Page:
    """A page: its text as Markdown, its fields, and what it shows beside text (`image logo.png`)."""

    text: str = ""
    fields: list[Field] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    alternatives: dict[str, str] = field(default_factory=dict)
    scripts: int = 0
    links: list[str] = field(default_factory=list)


def page_of(html: str) -> Page:
    """Return what a page says.

    >>> page_of("<h2>Hello</h2><p>This is <b>new</b>.<br>Go on.</p>").text
    '## Hello\\n\\nThis is **new**.\\\\\\nGo on.'
    >>> page_of('<input type="checkbox" name="c" class="obligatory"> I agree.').fields[0].after
    'I agree.'
    """
    reader = _Reader()
    reader.feed(html[:MOST_CHARACTERS])
    reader.close()
    reader.finish()
    return reader.page


def plain(html: str) -> str:
    """Return the words of a piece of HTML on one line, as a cell or a label holds them.

    >>> plain("<p>The <i>dog</i>&nbsp;barked.</p>")
    'The dog barked.'
    """
    if "<" not in html and "&" not in html:
        return " ".join(html.split())
    reader = _Words()
    reader.feed(html[:MOST_CHARACTERS])
    reader.close()
    return " ".join("".join(reader.words).split())


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in _SILENT
        if tag in _BLOCKS or tag in ("br", "li"):
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.silent = max(0, self.silent - (tag in _SILENT))
        if tag in _BLOCKS:
            self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.words.append(data)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.lines: list[str] = []
        self.now: list[str] = []
        self.prefix = ""
        self.lists: list[int] = []
        self.silent = 0
        self.open: list[str] = []
        self.link = ""
        self.select: Field | None = None
        self.option = False
        self.label: list[str] | None = None
        self.said: list[str] = []
        # The words of the block above, and whether a box or a button has just been seen, whose words follow it.
        self.above = ""
        self.at_field = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "script":
            self.page.scripts += 1
        if tag in _SILENT:
            self.silent += 1
        if self.silent:
            return
        self.page.scripts += any(name.startswith("on") and value.strip() for name, value in given.items())
        if tag in _FILES and (given.get("src") or given.get("data")):
            source = given.get("src") or given.get("data") or ""
            self.page.files.append(f"{_FILES[tag]} {source}")
            self.page.alternatives[source] = given.get("alt") or ""
        elif tag in _HEADINGS:
            self.end_block()
            self.prefix = _HEADINGS[tag]
        elif tag == "li":
            self.end_block()
            number = self.lists[-1] if self.lists else 0
            self.prefix = f"{number}. " if number else "- "
            if number:
                self.lists[-1] += 1
        elif tag in ("ul", "ol"):
            self.end_block()
            self.lists.append(1 if tag == "ol" else 0)
        elif tag == "br":
            self.now.append("\\\n" if "".join(self.now).strip() and not self.prefix else " ")
            self.said.append(" ")
        elif tag in _STRONG or tag in _EMPHASIS:
            self.mark("**" if tag in _STRONG else "*")
        elif tag == "a":
            href = given.get("href", "").strip()
            self.page.links.append(href)
            self.link = href if href.startswith(("https://", "http://", "mailto:")) and " " not in href else ""
            if self.link:
                self.now.append("[")
        elif tag in ("input", "textarea", "select"):
            self.take_field(tag, given)
        elif tag == "datalist":
            # Proposals for the field before it: a choice among them.
            listed = [own for own in self.page.fields if own.kind == "text"]
            if listed:
                self.select = listed[-1]
                self.select.kind = "select"
        elif tag == "option":
            self.end_option()
            self.option = True
            self.said = []
        elif tag in _BLOCKS:
            self.end_block()

    def mark(self, mark: str) -> None:
        self.now.append(f"\x00{mark}")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
            return
        if self.silent:
            return
        if tag in _STRONG or tag in _EMPHASIS:
            self.mark("**" if tag in _STRONG else "*")
        elif tag == "a" and self.link:
            self.now.append(f"](<{self.link}>)" if "(" in self.link else f"]({self.link})")
            self.link = ""
        elif tag == "option":
            self.end_option()
        elif tag in ("select", "datalist"):
            self.end_option()
            self.select = None
            self.said = []
        elif tag in ("ul", "ol"):
            self.end_block()
            if self.lists:
                self.lists.pop()
        elif tag in _BLOCKS or tag in _HEADINGS or tag == "li":
            self.end_block()

    def end_option(self) -> None:
        if self.option and self.select is not None and (words := " ".join("".join(self.said).split())):
            self.select.choices.append(words)
        self.option = False
        self.said = []

    def take_field(self, tag: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text").casefold() if tag == "input" else tag
        if kind in ("submit", "button", "hidden", "reset", "image"):
            return
        needed = any(word in given.get("class", "").split() for word in _NEEDED) or "required" in given
        own = Field(kind, given.get("name") or given.get("id", ""), self.words_before(), given.get("value", ""))
        known = any(other.kind == "radio" and other.name == own.name for other in self.page.fields)
        if not own.before and kind != "checkbox" and not known and self.lines and self.above:
            # The question stands in a block of its own, right above the field.
            own.before, self.above = self.above, ""
            self.lines.pop()
        self.now = []
        self.at_field = kind in ("radio", "checkbox")
        own.required = needed
        self.page.fields.append(own)
        self.said = []
        self.above = self.above if kind in ("radio", "checkbox") else ""
        if tag == "select":
            self.select = own

    def words_before(self) -> str:
        words = " ".join("".join(self.said).split())
        if self.page.fields and self.page.fields[-1].kind in ("radio", "checkbox") and not self.page.fields[-1].after:
            self.page.fields[-1].after = words
        return words

    def handle_data(self, data: str) -> None:
        if self.silent:
            return
        self.said.append(data)
        if self.select is None and not self.option and not self.at_field:
            self.now.append("\x01" + data)

    def end_block(self) -> None:
        text = _line_of(self.now)
        if text:
            self.lines.append(self.prefix + text)
        if text:
            self.above = " ".join("".join(self.said).split())
        if self.at_field:
            self.words_before()
        self.now, self.prefix, self.at_field = [], "", False
        self.said = []

    def finish(self) -> None:
        self.end_block()
        self.words_before()
        told: list[str] = []
        for line in self.lines:
            joins = told and _is_entry(line) and _is_entry(told[-1].rpartition("\n")[2])
            if joins:
                told[-1] += "\n" + line
            else:
                told.append(line)
        self.page.text = "\n\n".join(told)


def _is_entry(line: str) -> bool:
    return line.startswith("- ") or re.match(r"[0-9]{1,9}\. ", line) is not None


def _line_of(pieces: list[str]) -> str:
    """Return a block of Markdown from pieces: words begin with \\x01, marks of emphasis with \\x00."""
    found: list[str] = []
    open_marks: list[str] = []
    for piece in pieces:
        if piece.startswith("\x01"):
            words = re.sub(r"\s+", " ", piece[1:].replace("\x00", "").replace("\x01", ""))
            if open_marks and found and found[-1] == open_marks[-1] and words.startswith(" "):
                # A mark stands at the word that it begins, after the blank.
                found.insert(-1, " ")
                words = words.lstrip()
            found.append(_escaped(words))
        elif piece.startswith("\x00"):
            mark = piece[1:]
            if mark in open_marks:
                open_marks.remove(mark)
                # A mark stands at the word that it ends, before the blank.
                tail = ""
                while found and not found[-1].strip():
                    tail += found.pop()
                if found:
                    bare = found[-1].rstrip(" ")
                    tail = found[-1][len(bare) :] + tail
                    found[-1] = bare
                if found and found[-1] == mark:
                    found.pop()
                    found.append(tail)
                else:
                    found += [mark, tail]
            else:
                open_marks.append(mark)
                found.append(mark)
        else:
            found.append(piece)
    # A mark that is never closed marks nothing.
    for mark in open_marks:
        place = max(number for number, piece in enumerate(found) if piece == mark)
        del found[place]
    text = re.sub(r"(\*\*?) +(?=\S)", lambda match: match[0], "".join(found))
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r" *\\\n *", "\\\\\n", text)
    return re.sub(r"(\\\n)+$", "", text.strip()).strip()


_NEEDS = re.compile(r"([\\*_\[\]<>`#|{}])")


def _escaped(words: str) -> str:
    return _NEEDS.sub(r"\\\1", words) if _NEEDS.search(words) else words


def questions_of(page: Page, taken: set[str]) -> list[dict[str, Any]]:
    """Return the questions that the fields of a page ask, with names that are not in `taken`.

    >>> questions_of(page_of('Age: <input name="age" type="number" required>'), set())
    [{'name': 'age', 'label': 'Age:', 'kind': 'number', 'required': True}]
    """
    found: list[dict[str, Any]] = []
    radios: dict[str, dict[str, Any]] = {}
    for own in page.fields:
        if own.kind == "radio":
            choice = own.after or own.value or own.before
            if own.name in radios:
                if choice and choice not in radios[own.name]["choices"]:
                    radios[own.name]["choices"].append(choice)
                continue
            question = _question(own, "choice", taken)
            question["choices"] = [choice] if choice else []
            radios[own.name] = question
            found.append(question)
            continue
        match own.kind:
            case "checkbox":
                question = _question(own, "statement" if own.required else "choice", taken)
                question["label"] = own.after or own.before or own.value or own.name
                if not own.required:
                    question["choices"] = [Sentences.YES, Sentences.NO]
            case "select":
                question = _question(own, "choice", taken)
                question["choices"] = list(dict.fromkeys(own.choices))
            case "textarea":
                question = _question(own, "long-text", taken)
            case "number":
                question = _question(own, "number", taken)
            case "range":
                question = _question(own, "slider", taken)
            case _:
                question = _question(own, "text", taken)
        found.append(question)
    return found


class Sentences:
    """Answers to a box that may stay empty."""

    YES, NO = "Yes", "No"


def _question(own: Field, kind: str, taken: set[str]) -> dict[str, Any]:
    return {
        "name": name_of(own.name or own.before, taken),
        "label": own.before or own.name or own.after or kind,
        "kind": kind,
        "required": own.required,
    }


def name_of(wanted: str, taken: set[str], *, longest: int = 30, fallback: str = "answer") -> str:
    """Return a name for a column that is not taken, and take it.

    >>> name_of("Age (years)", {"age_years"})
    'age_years_2'
    """
    bare = re.sub(r"[^a-z0-9]+", "_", wanted.casefold()).strip("_")
    bare = bare if bare[:1].isalpha() and bare.isascii() else f"{fallback}_{bare}".strip("_")
    bare = re.sub(r"[^a-z0-9_]", "", bare)[: longest - 4].strip("_") or fallback
    return numbered(bare, taken, joint="_")


__all__ = ["Field", "Page", "escaped", "name_of", "page_of", "plain", "questions_of"]

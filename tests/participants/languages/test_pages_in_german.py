"""The platform's own pages are whole in German: no text is lacking, no page mixes languages, no file changes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from django.test import Client

from analysis.exports.deposited import LICENCES
from config.translations import APPS, lacking
from experiments.models import Study
from experiments.paradigms import PARADIGMS
from tests.participants.test_access_of_every_address import addresses, clients, filler, row_of, study  # noqa: F401

pytestmark = [pytest.mark.both, pytest.mark.django_db]

GERMAN = {"Accept-Language": "de"}
# Words of English sentences that are none of German ones.
ENGLISH = re.compile(
    r"\b(?:the|of|and|is|are|this|that|with|for|from|has|have|you|your|which|their|there|these|by|or|to|be|not|its)\b",
    re.IGNORECASE,
)
SILENT = {"script", "template", "style", "code", "pre", "textarea", "kbd", "svg"}
VOID = {"meta", "link", "input", "br", "img", "hr", "source", "wbr", "col"}
# What is typed into fields is English in every language.
TYPED = (
    "hand is left",
    "words>=14 and method=plain",
    "and, or, not",
    "„and“",
    "age is below 18",
    "check_failed is at least 2",
    "score_mood is above 20",
    "age has no answer",
)
SAID = ("title", "placeholder", "aria-label", "alt", "data-copy", "data-running", "data-hint")


class Said(HTMLParser):
    """What a page says in its own language: its texts and names, without what is marked as another language."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = []
        self.texts: list[str] = []
        self.numbers: list[str] = []
        self.feed(html)

    @property
    def is_silent(self) -> bool:
        return any(silent for _tag, silent in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_icon = "material-symbols-outlined" in given.get("class", "")
        silent = (
            tag in SILENT
            or is_icon
            or (tag != "html" and given.get("lang", "de") != "de")
            or given.get("translate") == "no"
        )
        if not (silent or self.is_silent):
            self.texts += [given[name] for name in SAID if given.get(name)]
        self.numbers += [f"{name}={given[name]}" for name in ("style", "width", "max", "min", "step", "value", "x", "d")
                         if re.search(r"\d,\d", given.get(name, ""))]  # fmt: skip
        if tag not in VOID:
            self.open.append((tag, silent))

    def handle_endtag(self, tag: str) -> None:
        places = [place for place, (name, _silent) in enumerate(self.open) if name == tag]
        if places:
            del self.open[places[-1] :]

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.is_silent:
            self.texts.append(" ".join(data.split()))


def told_by_data() -> list[str]:
    """Return every text that stands in the database, longest first: a page shows it as it was written."""
    found: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            for inner in (*value.keys(), *value.values()):
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)
        elif isinstance(value, str) and " " in value:
            found.update(" ".join(line.lstrip("-# ").split()) for line in value.splitlines())

    for model in apps.get_models():
        texts = [
            field.name
            for field in model._meta.fields
            if isinstance(field, models.CharField | models.TextField | models.JSONField)
        ]
        for row in model._default_manager.values_list(*texts) if texts else ():
            for value in row:
                collect(value)
    return sorted(found - {""}, key=len, reverse=True)


def english_in(html: str, data: list[str]) -> list[str]:
    """Return the English sentences of a page."""
    found = []
    for text in Said(html).texts:
        rest = text
        for known in (*TYPED, *data):
            rest = rest.replace(known, "")
        if ENGLISH.search(rest):
            found.append(text[:120])
    return found


def test_every_text_of_the_pages_is_said_in_german() -> None:
    assert [(message.id, message.locations) for message in lacking("de") if message.id] == []


def said_at_once(path: Path) -> Iterator[int]:
    """Yield the lines that translate while a file is read: everybody would read the language of whoever came first."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
    }
    eager = {name for name, original in imported.items() if original in {"gettext", "ngettext", "pgettext"}}

    def visit(node: ast.AST) -> Iterator[int]:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            return
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in eager:
            yield node.lineno
        for inner in ast.iter_child_nodes(node):
            yield from visit(inner)

    yield from visit(tree)


def test_no_text_is_translated_before_anybody_asks() -> None:
    places = [
        f"{path}:{line}"
        for app in APPS
        for path in sorted((settings.BASE_DIR / app).rglob("*.py"))
        for line in said_at_once(path)
    ]
    assert places == []


@pytest.mark.full("a page of the admin with a sentence in the other language")
def test_no_page_mixes_languages(clients: dict[str, Client], study: Study) -> None:  # noqa: F811
    study.refresh_from_db()
    data = [*told_by_data(), *(name for name, _address in LICENCES.values())]
    mixed: dict[str, list[str]] = {}
    decimals: dict[str, list[str]] = {}
    n_pages = 0
    filled = filler(study)
    for name, route in addresses():
        if not row_of(name) or row_of(name) == "everybody":
            continue
        for role in ("owner", "superuser"):
            answer = clients[role].get(filled(route), headers=GERMAN, follow=True)
            if answer.streaming or not answer.headers.get("Content-Type", "").startswith("text/html"):
                continue
            html = answer.content.decode()
            n_pages += 1
            described = [column.description for column, *_ in (answer.context or {}).get("offered") or ()]
            if found := english_in(html, [*described, *data]):
                mixed.setdefault(name, found)
            if found := Said(html).numbers:
                decimals.setdefault(name, found)
    assert n_pages > 150

    assert mixed == {}
    assert decimals == {}, "Numbers for the browser keep their point."


@pytest.mark.parametrize("paradigm", [paradigm.slug for paradigm in PARADIGMS])
def test_a_new_study_of_every_paradigm_is_set_up_in_german(clients: dict[str, Client], paradigm: str) -> None:  # noqa: F811
    given = {"way": "paradigm", "paradigm": paradigm, "title": "Neu", "slug": "neu", "language": "de"}
    answer = clients["owner"].post("/admin/studies/new/", given, headers=GERMAN, follow=True)
    assert answer.status_code == 200
    about = f"/admin/studies/{Study.objects.get(title='Neu').slug}"
    data = told_by_data()
    mixed = {}
    for step in (
        "",
        "materials/",
        "design/",
        "procedure/",
        "texts/welcome/",
        "preview/",
        "open/",
        "settings/",
        "plan/",
    ):
        html = clients["owner"].get(f"{about}/{step}", headers=GERMAN, follow=True).content.decode()
        if found := english_in(html, data):
            mixed[step] = found
    assert mixed == {}


@pytest.mark.parametrize("name", ["analysis:export_all", "analysis:export_file"])
def test_exports_are_the_same_in_every_language(clients: dict[str, Client], study: Study, name: str) -> None:  # noqa: F811
    address = filler(study)(dict(addresses())[name])
    english, german = (
        answer.getvalue()
        for answer in (
            clients["owner"].get(address, headers={"Accept-Language": language}) for language in ("en", "de")
        )
    )
    assert english == german
    assert settings.LANGUAGE_CODE == "en-gb"

"""Every page, button and field that a sentence of the pages names has this name, in English and in German."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from config.translations import texts_of_pages

MOST_WORDS = 7
# A name follows these words with a capital letter, or stands in quotation marks.
PLACES = re.compile(
    r"(?:\b[Uu]nder|\b(?:page|pages|step|steps|button|field|box|[Pp]ress)|→) (?P<name>(?=[A-Z])[^“”]*|“[^”]*”)"
)
QUOTED = re.compile(r"“([A-Z][^“”%{]*)”")
# What other services call theirs, and words that are quoted for what they are.
OF_OTHERS = {
    "I’ll use URL parameters", "Survey Link", "Prefer not to say", "No difference", "Which text is better?",
}  # fmt: skip


def english() -> set[str]:
    """Return every text of the pages."""
    return {
        text
        for message in texts_of_pages()
        for text in ([message.id] if isinstance(message.id, str) else message.id)
        if text
    }


@pytest.fixture(scope="module")
def texts() -> set[str]:
    return english()


@pytest.fixture(scope="module")
def labels(texts: set[str]) -> set[str]:
    """Return the texts that can be what a page, a button or a field is called."""
    return {text.rstrip("…:") for text in texts if text[0].isupper() and len(text.split()) <= MOST_WORDS}


def test_places_that_sentences_name_exist(texts: set[str], labels: set[str]) -> None:
    unknown = []
    for text in texts:
        for match in PLACES.finditer(text):
            name = match["name"]
            if name.startswith("“"):
                inner = name.strip("“”")
                known = inner in labels or "%" in inner or "{" in inner or not inner[:1].isupper()
            else:
                words = re.split(r"[ ,.;:)]", name)
                known = any(
                    " ".join(words[:count]).rstrip() in labels for count in range(1, min(len(words), MOST_WORDS) + 1)
                )
            if not known:
                unknown.append((name[:40], text))
    assert unknown == []


def test_names_in_quotation_marks_are_names_of_something(texts: set[str], labels: set[str]) -> None:
    unknown = [
        (name, text)
        for text in texts
        for name in QUOTED.findall(text)
        if name not in labels | OF_OTHERS and " → " not in name
    ]
    assert unknown == []


def test_german_sentences_name_places_as_german_pages_call_them(labels: set[str]) -> None:
    with (settings.LOCALE_PATHS[0] / "de" / "LC_MESSAGES" / "django.po").open("rb") as file:
        german = {message.id: message.string for message in read_po(file) if isinstance(message.id, str)}
    wrong = [
        (german[name], told)
        for text, told in german.items()
        for name in QUOTED.findall(text)
        if name in labels and german.get(name) and str(german[name]) not in str(told)
    ]
    assert wrong == []

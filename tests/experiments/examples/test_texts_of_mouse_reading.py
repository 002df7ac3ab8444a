"""The texts with which a mouse-contingent reading study begins, in both languages."""

import re
from pathlib import Path

import pytest

from experiments.procedure.texts import KINDS, blocks

DEFAULTS = Path(__file__).resolve().parents[3] / "experiments" / "examples" / "defaults"


def text(language, kind):
    return (DEFAULTS / language / "mouse-contingent-reading" / f"{kind}.txt").read_text(encoding="utf-8")


def shape(body):
    return [[block["type"] for block in page] for page in blocks(body)]


@pytest.mark.parametrize("kind", KINDS)
def test_both_languages_have_the_same_blocks_and_placeholders(kind):
    english, german = text("en", kind), text("de", kind)
    assert shape(english) == shape(german)
    assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", german))
    assert not re.search(r"!|[ \t]+$|[^\n] {2}|\n{3}", english + german, re.MULTILINE)


def test_participants_are_told_of_pointer_start_done_and_going_back():
    english, german = text("en", "instructions"), text("de", "instructions")
    assert all(word in english for word in ("pointer", "Start", "Done", "go back", "arrow keys", "number"))
    assert all(word in german for word in ("Zeiger", "Start", "Fertig", "zurückkehren", "Pfeiltasten", "Zahl"))


def test_the_consent_says_what_is_stored_about_reading():
    assert "which part of a text was open when" in text("en", "consent")
    assert "wann welcher Teil eines Textes offen war" in text("de", "consent")

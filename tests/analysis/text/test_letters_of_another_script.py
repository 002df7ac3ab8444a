"""Syllables and FKGL are refused for each text whose letters are not of the language's script."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.text.scripts import is_written_in, script_of

ENGLISH = ["The dog sleeps on an old mat. It is tired.", "A cat eats a small fish."]
RUSSIAN = "Собака спит сегодня."


def profile(texts: list[str], **given: object):
    return registry.run(registry.method_named("text-profile"), pd.DataFrame({"text": texts}), given)


def test_a_russian_text_among_english_ones_has_no_grade_and_changes_no_sum() -> None:
    report = profile([*ENGLISH, RUSSIAN])
    by_text = {line["text"]: line for line in report.table("texts").lines()}
    foreign = by_text[RUSSIAN]
    assert (foreign["syllables"], foreign["syllables_per_word"], foreign["fkgl"]) == (None, None, None)
    assert (foreign["words"], foreign["sentences"]) == (3, 1)
    assert isinstance(by_text[ENGLISH[1]]["syllables"], int)
    alone = profile(ENGLISH).table("profile").lines()[0]
    assert report.table("profile").lines()[0]["fkgl"] == pytest.approx(alone["fkgl"])
    assert any("1 text is not written in the letters of the language" in said for said in report.warnings)


def test_under_its_own_language_it_is_counted() -> None:
    line = profile([RUSSIAN, "Кошка ест рыбу."], language="ru").table("texts").lines()[0]
    assert line["fkgl"] is not None
    assert not math.isnan(line["fkgl"])


@pytest.mark.parametrize(
    ("text", "language", "is_so"),
    [
        ("Ελληνικά γράμματα", "en", False),
        ("Ελληνικά γράμματα", "el", True),
        ("Größe über alles", "de", True),
        ("Η λέξη is Greek for word here", "en", True),
        ("42 % — 7", "en", True),
        ("Београд је велики", "sr", True),
        ("ｆｕｌｌ ｗｉｄｔｈ", "en", True),
    ],
)
def test_the_script_of_a_text_is_that_of_half_of_its_letters(text: str, language: str, is_so: bool) -> None:
    assert is_written_in(text, script_of(language)) is is_so


def test_spoilt_texts_of_another_script_have_no_grade() -> None:
    frame = pd.DataFrame({"text": [RUSSIAN, f"{RUSSIAN} {RUSSIAN}"], "system": ["a", "a"], "item": ["1", "2"]})
    report = registry.run(registry.method_named("perturb"), frame, {"repetitions": 1})
    assert {line["fkgl"] for line in report.table("curves").lines()} == {None}
    assert any("not written in Latin letters" in said for said in report.warnings)

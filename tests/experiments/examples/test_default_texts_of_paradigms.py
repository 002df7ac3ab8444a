"""The texts that a new study of a paradigm starts with: complete, alike in both languages, about the right task."""

from __future__ import annotations

import re
from itertools import product

import pytest

from experiments.paradigms import PARADIGMS
from experiments.procedure.texts import DEFAULTS, default_body

LANGUAGES = ("en", "de")
KINDS = ("welcome", "consent", "instructions", "debriefing")
# A paradigm without a folder of its own starts with the general texts, which are about magnitude estimation.
OWN = [paradigm.slug for paradigm in PARADIGMS if (DEFAULTS / "en" / paradigm.slug).is_dir()]


def shape(body):
    return [line[:2].strip() if line[:2] in {"# ", "- ", "> "} else "text" for line in body.splitlines() if line]


def placeholders(body):
    return set(re.findall(r"\{(.*?)\}", body))


@pytest.mark.parametrize(("slug", "kind"), list(product(OWN, KINDS)))
def test_a_paradigm_has_texts_of_its_own_in_both_languages(slug, kind):
    for language in LANGUAGES:
        assert (DEFAULTS / language / slug / f"{kind}.txt").is_file()
    english, german = (default_body(kind, paradigm=slug, language=language) for language in LANGUAGES)
    assert shape(english) == shape(german)
    assert placeholders(english) == placeholders(german) == placeholders(default_body(kind, paradigm="", language="en"))


@pytest.mark.parametrize(("slug", "kind"), list(product(OWN, KINDS)))
def test_german_texts_are_polite_and_no_text_shouts(slug, kind):
    german = default_body(kind, paradigm=slug, language="de")
    assert re.findall(r"\b[Dd](?:u|ich|ir|ein|eine|einer|eines)\b", german) == []
    assert not any("!" in default_body(kind, paradigm=slug, language=language) for language in LANGUAGES)

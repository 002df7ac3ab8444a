"""What cannot be seen is named, and mended; what scripts and languages need is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from experiments.formats.hidden import mended, oddities, without_hidden


@pytest.mark.parametrize(
    ("text", "code_points", "meant"),
    [
        ("The\u00a0path", ["U+00A0 NO-BREAK SPACE"], "The path"),
        ("of\u00adten", ["U+00AD SOFT HYPHEN"], "often"),
        ("nurse\u200b met", ["U+200B ZERO WIDTH SPACE"], "nurse met"),
        ("met\u200e the", ["U+200E LEFT-TO-RIGHT MARK"], "met the"),
        ("a\ufeffb", ["U+FEFF ZERO WIDTH NO-BREAK SPACE"], "ab"),
        ("a\u202eb\u202c", ["U+202E RIGHT-TO-LEFT OVERRIDE", "U+202C POP DIRECTIONAL FORMATTING"], "ab"),
        ("a\u2028b", ["U+2028 LINE SEPARATOR"], "a b"),
        ("ill\u200ce", ["U+200C ZERO WIDTH NON-JOINER"], "ille"),
    ],
)
def test_a_hidden_character_is_named_and_mended(text: str, code_points: list[str], meant: str) -> None:
    assert [odd.code_point for odd in oddities(text)] == code_points
    assert all(odd.is_hidden for odd in oddities(text))
    assert mended(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "« oui »".replace(" ", "\u00a0"), "Vraiment\u00a0?", "10\u202f000 Wörter", "می\u200cخواهد", "क्\u200dष",
        "👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "שלום\u200f!", "客　門", "คน\u200bเฝ้า", "„Spaß“", "DIE „Ö“", "É» ET «",
        "naïve", "SÃO PAULO", "Å“", "à »",
    ],
)  # fmt: skip
def test_what_belongs_to_a_text_stays(text: str) -> None:
    assert oddities(text) == []
    assert mended(text) == text


WORDS = ("café", "Größe", "Ł", "“quoted”", "it’s", "naïve façade", "Ελληνικά", "Привет, мир", "日本語のテキスト", "🙂")


@pytest.mark.parametrize("word", WORDS)
def test_letters_that_were_encoded_twice_come_back(word: str) -> None:
    twice = "".join(
        bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in f"{word} and {word}, {word}".encode()
    )
    assert mended(twice) == f"{word} and {word}, {word}"
    assert {odd.is_hidden for odd in oddities(twice)} == {False}


@given(some.text())
def test_what_was_mended_needs_no_mending_of_hidden_characters(text: str) -> None:
    once = without_hidden(text)
    assert len(once) <= len(text)
    assert [
        odd for odd in oddities(once) if odd.is_hidden and not odd.mended and odd.text not in "\u200c\u200d\u200b"
    ] == []


@given(some.text(some.characters(max_codepoint=0x24F, exclude_categories=["Cc", "Cf", "Zs", "Cs"])))
def test_a_text_that_was_encoded_once_is_only_mended_where_it_looks_encoded_twice(text: str) -> None:
    assert mended(text) == text or any(mark in text for mark in "ÂÃÄÅÎÏÐÑ×ØÙàáâãäåæçèéêëìíîïð")

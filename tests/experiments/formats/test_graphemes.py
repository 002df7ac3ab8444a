"""Characters are those that people see, counted by browser and server alike."""

import json
import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.needs import program
from experiments.formats.graphemes import graphemes_in
from tests.needs import mark

CASES = json.loads((Path(__file__).resolve().parents[2] / "contract" / "graphemes.json").read_text("utf-8"))

# Pieces whose borders are the rules of UAX #29: marks, joiners, syllables of Hangul, conjuncts, flags, signs before.
PIECES = [
    *["a", "e", "\u0301", "\u0323", "\u200d", "\u200c", "\ufe0f", "\u20e3", "1", " ", "\n", "\r\n", "\u0600", "ß"],
    *["👩", "👧", "👍", "🏽", "🏳", "🌈", "❤", "🇩", "🇪", "🇫"],
    *["\u1112", "\u1161", "\u11ab", "한", "각", "가"],
    # Syllables as they are written: a virama stands after a consonant of its own script.
    *["क", "क्ष", "क्षि", "त्र", "स्त्री", "नि", "र्\u200dया", "ক", "ক্ষ", "ক্ত", "கு", "க்ஷ", "నా", "గ్రా", "ന്മ"],
    *["น", "ำ", "้", "ש", "ָ", "ל", "\u064f", "雨", "が", "か\u3099"],
]
BROWSER = """
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => [...segmenter.segment(text)].length)));
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"]))
def test_the_shared_texts_are_counted(case):
    assert graphemes_in(case["text"]) == case["graphemes"]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_line_between_two_texts_is_one_character_more(one, other):
    assert graphemes_in(f"{one}\t{other}") == graphemes_in(one) + 1 + graphemes_in(other)


@mark(program("node", package="nodejs", what="Node"))
def test_the_engine_of_a_browser_counts_as_the_server_does():
    chance = random.Random(34)
    texts = ["".join(chance.choices(PIECES, k=chance.randint(1, 12))) for _ in range(5_000)]
    ran = subprocess.run(["node", "-e", BROWSER], input=json.dumps(texts), capture_output=True, text=True, check=True)
    counted = json.loads(ran.stdout)
    differing = [
        (ascii(text), browser, graphemes_in(text))
        for text, browser in zip(texts, counted, strict=True)
        if browser != graphemes_in(text)
    ]
    assert not differing

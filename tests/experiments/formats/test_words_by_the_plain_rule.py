"""Words and segments are those of the rule written down plainly, character by character, for texts of many scripts."""

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.formats.words import (
    DIGIT_JOINERS,
    JOINERS,
    SCRIPTS_WITHOUT_SPACES,
    NeedsRegions,
    holds_script_without_spaces,
    needs_regions,
    split_segments,
    split_words,
)
from experiments.paradigms.pieces.areas import areas_of

TEXTS = st.lists(
    st.sampled_from(
        [
            *"ab1é…-–'’.,:/ \n\u00a0\u200b\u2009“”(",
            "e\u0301",
            "\u00ad",
            "\u200d",
            "词",
            "ไม่",
            "नि",
            "😀",
            "3,000",
            "don’t",
            " ",
        ]
    ),
    max_size=14,
).map("".join)


def plain_words(text: str) -> list[tuple[int, int]]:
    """Return where words are: a letter or number, what follows it, and joiners between such."""

    def kind(sign: str) -> str:
        category = unicodedata.category(sign)
        if sign in JOINERS or sign in DIGIT_JOINERS:
            return "j" if sign in JOINERS else "d"
        if category == "Nd":
            return "n"
        if category[0] in "LNM":
            return "m" if category[0] == "M" else "l"
        return "f" if category == "Cf" and sign != "\u200b" else " "

    kinds = [kind(sign) for sign in text]
    found, place = [], 0
    while place < len(text):
        if kinds[place] not in "ln":
            place += 1
            continue
        end = place + 1
        while end < len(text):
            follows = kinds[end + 1] if end + 1 < len(text) else " "
            joins = kinds[end] == "j" or (kinds[end] == "d" and kinds[end - 1] == "n" and follows == "n")
            if kinds[end] in "lnmf":
                end += 1
            elif joins and follows in "ln":
                end += 2
            else:
                break
        last = end
        while kinds[last - 1] == "f":
            last -= 1
        found.append((place, last))
        place = end
    return found


def has_script_without_spaces(text: str) -> bool:
    return any(first <= ord(sign) <= last for sign in text for first, last in SCRIPTS_WITHOUT_SPACES)


@settings(max_examples=400)
@given(TEXTS)
def test_words_are_those_of_the_plain_rule(text: str) -> None:
    spans = plain_words(text)
    words = [text[start:end] for start, end in spans]
    assert holds_script_without_spaces(text) is has_script_without_spaces(text)
    assert needs_regions(text) is any(map(has_script_without_spaces, words))
    if needs_regions(text):
        with pytest.raises(NeedsRegions) as refused:
            split_words(text)
        assert refused.value.word == next(word for word in words if has_script_without_spaces(word))
        return
    assert split_words(text) == words
    segments = split_segments(text)
    assert len(segments) == max(1, len(words))
    # A segment begins after the last space that may be broken at, between two words.
    cuts = [0]
    for (_start, end), (following, _end) in pairwise(spans):
        breaks = [match.end() for match in re.finditer(r"[^\S\u00a0\u202f]|\u200b", text[end:following])]
        cuts.append(end + breaks[-1] if breaks else following)
    cuts.append(len(text))
    assert segments == [text[a:b].strip().strip("\u200b") for a, b in pairwise(cuts)]


@settings(max_examples=200)
@given(TEXTS)
def test_areas_word_by_word_are_segments_with_what_is_before_them(text: str) -> None:
    if needs_regions(text):
        return
    areas = areas_of(text, unit="word")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert [area.text for area in areas] == [segment for line in lines for segment in split_segments(line)]
    assert [area.words for area in areas] == [min(1, len(split_words(area.text))) for area in areas]
    assert sum(area.before == "\n" for area in areas) == max(0, len(lines) - 1)
    shown = "".join(area.before + area.text for area in areas)
    assert "".join(shown.split()).replace("\u200b", "") == "".join("".join(lines).split()).replace("\u200b", "")
    assert areas_of(text, unit="word") == areas

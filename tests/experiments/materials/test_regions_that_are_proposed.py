"""Where texts without spaces would be cut: by a library where one is installed, whole words and brackets kept."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.csvtext import decoded
from experiments.formats.words import REGION_MARKS, regions_fault, split_regions
from experiments.materials import segmentation
from experiments.materials.segmentation import CHINESE, JAPANESE, THAI, cut, needs_marks, proposed_cuts
from experiments.paradigms.pieces.areas import area_faults
from tests.needs import SHARED, python_package, shared

TEXTS = st.text("他没来看書「」（）。、，はをパン屋คนเห็น ab3,.'\n", min_size=1, max_size=40)


@given(TEXTS, st.randoms(use_true_random=False))
def test_whatever_a_library_cuts_the_proposal_is_the_text_with_marks_and_every_region_has_a_word(text, rng):
    def anywhere(line: str) -> list[str]:
        ends = sorted({rng.randrange(len(line) + 1) for _ in range(5)} | {0, len(line)})
        return [line[start:end] for start, end in pairwise(ends)]

    proposed = cut(text, anywhere)
    if proposed:
        assert regions_fault(text, regions=proposed) is None
        faults = area_faults(text, unit="word", marked=proposed, regions=proposed, called="region")
        assert faults == [], (text, proposed)
        assert len(split_regions(proposed)) > 1


def test_a_library_that_changes_the_text_proposes_nothing():
    assert cut("他没来。", lambda text: [text.replace("没", "不")]) == ""


def test_texts_of_every_language_go_to_their_own_library(monkeypatch):
    def library(name):
        return lambda: lambda text: [text[:1], f"{text[1:]}"] if name else []

    for language in (JAPANESE, CHINESE, THAI):
        one = segmentation.LIBRARIES[language]
        fake = segmentation.Library(one.language, one.name, "json", one.unit, library(language))
        monkeypatch.setitem(segmentation.LIBRARIES, language, fake)
    assert proposed_cuts(["他没来", "彼が", "คนดี", "ខ្មែរ", "plain"], "en") == ["他 | 没来", "彼 | が", "ค | นดี", "", ""]


def test_without_a_library_nothing_is_imported_and_nothing_proposed(monkeypatch):
    def never() -> segmentation.Segmenter:
        raise AssertionError("imported")

    for language, one in list(segmentation.LIBRARIES.items()):
        absent = segmentation.Library(one.language, one.name, "no_such_package", one.unit, never)
        monkeypatch.setitem(segmentation.LIBRARIES, language, absent)
    assert proposed_cuts(["他没来", "彼が来た", "คนเห็นแขก"], "ja") == ["", "", ""]


def test_longer_texts_than_a_trial_has_are_left_to_the_table(monkeypatch):
    one = segmentation.LIBRARIES[CHINESE]
    fake = segmentation.Library(one.language, one.name, "json", one.unit, lambda: list)
    monkeypatch.setitem(segmentation.LIBRARIES, CHINESE, fake)
    assert (
        proposed_cuts(["来" * segmentation.MOST_CHARACTERS, "来" * (segmentation.MOST_CHARACTERS + 1)], "zh")[1] == ""
    )


@pytest.mark.parametrize("mark", REGION_MARKS)
def test_a_text_with_marks_needs_none(mark):
    assert not needs_marks(f"他{mark}没来。")


CASES = {
    "m10_ja": ("budoux", ["パン屋が | 客を | 見た。", "客を | パン屋が | 見た。"]),
    "m10_zh": ("rjieba", ["面包师 | 看见 | 了 | 客人。", "客人 | 被 | 面包师 | 看见 | 了。"]),
    "m10_th": ("pythainlp", ["คน | ทำ | ขนม | เห็น | แขก", "แขก | ถูก | คน | ทำ | ขนม | เห็น"]),
}


@shared("cases/materials")
@pytest.mark.parametrize(
    ("case", "expected"),
    [pytest.param(case, wanted, marks=python_package(package)) for case, (package, wanted) in CASES.items()],
)
def test_sentences_of_three_languages_are_cut_as_their_readers_would(case, expected):
    table = decoded(Path(SHARED, "cases", "materials", f"{case}.csv").read_bytes()).text.splitlines()
    texts = [line.split(",")[2] for line in table[1:]]
    cuts = proposed_cuts(texts, "en")
    assert cuts[:2] == expected
    assert all(cuts)

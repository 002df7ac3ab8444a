"""The texts of the mouse-reading example are what their labels say, and every one of them can be read area by area."""

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from django.core.management import call_command

from experiments.models import Study
from experiments.paradigms.pieces.areas import area_faults, areas_of
from experiments.study.opening import opening_faults

FOLDER = Path(__file__).resolve().parents[3] / "experiments" / "examples" / "mouse-reading"


def rows():
    with (FOLDER / "materials.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def versions():
    """Item → version → sentences as lists of words, in lower case."""
    found: dict[str, dict[str, list[list[str]]]] = defaultdict(dict)
    for row in rows():
        if row["version"]:
            found[row["item"]][row["version"]] = [part.lower().split() for part in row["text"].split("|")]
    return found


def test_twelve_items_exist_in_three_versions_beside_four_fillers_and_one_practice_text():
    assert {tuple(texts) for texts in versions().values()} == {("gold", "lin", "sem")}
    assert len(versions()) == 12
    assert Counter((row["is_filler"], row["is_practice"]) for row in rows() if not row["version"]) == {
        ("true", "false"): 4,
        ("false", "true"): 1,
    }


def test_no_text_has_punctuation_and_every_text_has_three_sentences_by_its_marks():
    for row in rows():
        assert re.fullmatch(r"[A-Za-z]+(?: (?:\| )?[A-Za-z]+)*", row["text"]), row["text"]
        assert len(areas_of(row["text"], unit="sentence")) == 3
        assert area_faults(row["text"], unit="sentence") == []


def test_lin_has_the_words_of_gold_in_another_order_sentence_by_sentence():
    for item, texts in versions().items():
        for gold, lin in zip(texts["gold"], texts["lin"], strict=True):
            assert sorted(gold) == sorted(lin), item
            assert gold != lin, item


def test_sem_refers_by_other_words_in_every_text():
    for item, texts in versions().items():
        sem, gold = (Counter(word for sentence in texts[name] for word in sentence) for name in ("sem", "gold"))
        assert sem != gold, item


def test_the_sentences_are_of_comparable_length_fillers_included():
    lengths = [area.words for row in rows() for area in areas_of(row["text"], unit="sentence")]
    assert min(lengths) >= 11
    assert max(lengths) <= 17
    totals = {row["item"]: len(row["text"].replace("|", "").split()) for row in rows() if row["is_filler"] == "true"}
    gold = [sum(map(len, texts["gold"])) for texts in versions().values()]
    assert min(gold) <= min(totals.values())
    assert max(totals.values()) <= max(gold)


@pytest.mark.django_db
def test_the_study_file_makes_a_study_with_three_lists_that_can_open():
    call_command("create_study", str(FOLDER / "study.toml"))
    study = Study.objects.get(slug="mouse-reading")
    assert [str(fault) for fault in opening_faults(study)] == []
    assert study.lists.count() == 3
    assert [question["name"] for question in study.settings["ratings"]] == ["fluency", "clarity"]

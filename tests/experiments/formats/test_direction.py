"""A text has the direction of its letters, by the rule that the browser follows too."""

import json
from pathlib import Path

import pytest

from experiments.formats.direction import direction_of
from experiments.templatetags.studies import direction

CASES = json.loads((Path(__file__).resolve().parents[2] / "contract" / "directions.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_the_shared_texts_run_in_their_direction(case):
    assert (direction_of(case["text"]) or "ltr") == case["direction"]


def test_a_template_says_nothing_of_a_text_without_letters_and_one_direction_of_a_list():
    assert direction("12:30 – 14") == ""
    assert direction(["12", "הדלת נפתחה.", "door"]) == ' dir="rtl"'
    assert direction('"><script>') == ' dir="ltr"'

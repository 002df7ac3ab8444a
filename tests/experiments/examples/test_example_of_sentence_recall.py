"""The example of sentence recall has the design of the paper: two Latin squares, fillers without causality."""

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from experiments.formats.words import count_words
from experiments.models import Stimulus
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.lifecycle import open_study
from experiments.study.opening import opening_faults, opening_warnings
from experiments.study_files import create_from_toml

EXAMPLE = Path(__file__).resolve().parents[3] / "experiments" / "examples" / "sentence-recall"
CAUSAL = re.compile(
    r"\b(?:because|caus\w+|since|so|as|for this reason|therefore|thus|hence|consequently|due to|owing to|thanks to|"
    r"result\w*|lead\w*|led to|effect\w*|why|reason\w*|make|makes|made)\b",
    re.IGNORECASE,
)


def rows():
    with (EXAMPLE / "materials.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def targets():
    return [row for row in rows() if row["formulation"]]


@pytest.fixture
def study(db, django_user_model):
    owner = django_user_model.objects.create_user("researcher")
    return create_from_toml(EXAMPLE / "study.toml", user=owner, owner=owner)


def test_thirty_two_items_in_two_formulations_and_two_sets_of_sixteen():
    cells = Counter((row["item_set"], row["formulation"]) for row in targets())
    assert cells == dict.fromkeys([("AB", "because"), ("AB", "cause"), ("CD", "because"), ("CD", "cause")], 16)
    assert len({row["item"] for row in targets()}) == 32
    others = Counter((row["is_filler"], row["is_practice"]) for row in rows() if not row["formulation"])
    assert others == {("true", "false"): 9, ("false", "true"): 4}


def test_the_sentences_keep_to_their_formulation_and_order():
    forms = {
        ("because", "cause-first"): r"(?:\w+ because|Because) (?P<a>.+), (?P<b>.+)\.",
        ("because", "effect-first"): r"(?P<b>.+) because (?P<a>.+)\.",
        ("cause", "cause-first"): r"(?P<a>.+) caused (?!by)(?P<b>.+)\.",
        ("cause", "effect-first"): r"(?P<b>.+) (?:was|were) (?:\w+ )?caused by (?P<a>.+)\.",
    }
    for row in targets():
        assert re.fullmatch(forms[row["formulation"], row["order"]], row["text"]), row["text"]
        assert len(re.findall(r"\b(?:because|caused)\b", row["text"].lower())) == 1


def test_clauses_connectives_and_quantifiers_are_marked_as_they_stand():
    for row in targets():
        spans = [row["text"].find(row[name]) for name in ("clause_a", "clause_b")]
        assert min(spans) >= 0, row["text"]
        assert (spans[0] < spans[1]) == (row["order"] == "cause-first")
        first, second = sorted(("clause_a", "clause_b"), key=lambda name: row["text"].find(row[name]))
        between = row["text"].find(row[first]) + len(row[first])
        assert between <= row["text"].find(row[second])
        outside = row["text"].replace(row["clause_a"], "").replace(row["clause_b"], "").lower()
        assert row["connective"] in outside
        assert row["quantifier"].lower() in outside
    assert sum(bool(row["quantifier"]) for row in targets()) >= 8


def test_twenty_four_pairs_have_fourteen_words_or_more_and_eight_have_fewer():
    lengths = defaultdict(list)
    for row in targets():
        lengths[row["item"]].append(count_words(row["text"]))
    assert sum(min(pair) >= 14 for pair in lengths.values()) == 24
    assert sum(max(pair) < 14 for pair in lengths.values()) == 8


def test_fillers_and_practice_hold_nothing_causal_and_no_marks():
    for row in rows():
        if not row["formulation"]:
            assert not CAUSAL.search(row["text"]), row["text"]
            assert not any(row[name] for name in ("order", "item_set", "clause_a", "clause_b", "connective"))


def test_no_text_is_there_twice_and_none_needs_more_than_plain_letters():
    texts = [row["text"] for row in rows()]
    assert len(texts) == len(set(texts))
    assert all(re.fullmatch(r"[A-Z][A-Za-z, -]+\.", text) for text in texts)


def test_every_list_shows_both_orders_and_both_lengths_in_both_formulations(study):
    for shown in study.lists.all():
        seen = Counter(
            (levels["formulation"], attributes["order"], count_words(text) >= 14)
            for levels, attributes, text in shown.stimuli.values_list("condition__levels", "item__attributes", "text")
        )
        assert seen == {
            (formulation, order, is_long): 3 if is_long else 1
            for formulation in ("because", "cause")
            for order in ("cause-first", "effect-first")
            for is_long in (True, False)
        }


def test_the_lists_are_the_groups_a_to_d_of_the_paper(study):
    assert [shown.name for shown in study.lists.all()] == ["AB-1", "AB-2", "CD-1", "CD-2"]
    texts = [{stimulus.pk for stimulus in shown.stimuli.all()} for shown in study.lists.all()]
    items = [set(shown.stimuli.values_list("item__code", flat=True)) for shown in study.lists.all()]
    assert [len(each) for each in texts] == [16] * 4
    assert items[0] == items[1] != items[2] == items[3]
    assert not texts[0] & texts[1]
    assert not items[0] & items[2]


def test_a_session_is_four_practice_sentences_then_sixteen_items_among_nine_fillers(study):
    for shown in study.lists.all():
        trials = plan_session(study_snapshot(study, shown), seed=5)
        sentences = [trial for trial in trials if trial.plugin == "sentence-recall"]
        assert Counter(trial.phase for trial in sentences) == {"practice": 4, "main": 25}
        fillers = Stimulus.objects.filter(item__part__study=study, item__is_filler=True).values_list("pk", flat=True)
        places = [trial.stimulus_id in set(fillers) for trial in sentences if trial.phase == "main"]
        assert places[0]
        assert sum(places) == 9
        runs = "".join("f" if place else "t" for place in places).split("f")
        assert max(map(len, runs)) <= 4


def test_the_study_can_be_opened_as_it_is(study):
    assert [str(fault) for fault in opening_faults(study)] == []
    assert not any("list" in warning.message or "conditions" in warning.message for warning in opening_warnings(study))
    assert open_study(study, user=study.owner).status == "open"


def test_the_study_file_speaks_of_the_materials_as_they_are():
    text = (EXAMPLE / "study.toml").read_text(encoding="utf-8")
    for fact in ("32 items in two sets of 16", "9 fillers", "4 practice", "24 items have at least 14 words"):
        assert fact in re.sub(r"\\\n", "", text)

"""Nothing that reaches a coder tells condition, participant, list or arithmetic: every answer is searched."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter

import pytest
from django.urls import reverse

from analysis.coding.queues import in_order, responses_of
from analysis.coding.recalls import state_of
from analysis.models import CodingQueue
from experiments.models import Condition, Item, Part, Study
from participants.models import Participant, Response, Session, Trial
from tests.analysis.views.coding.coder import Coder, text_of

pytestmark = pytest.mark.slow

ITEM_KEYS = {"key", "number", "stimulus", "recall", "suggestion", "coding", "revision", "codings"}
SECRET_LEVELS = ("level-zeta", "level-omega")


@pytest.fixture
def marked(study: Study) -> Study:
    """Return the study with names that occur in no text."""
    for condition, level in zip(Condition.objects.filter(part__study=study), SECRET_LEVELS, strict=True):
        Condition.objects.filter(pk=condition.pk).update(levels={"formulation": level})
    for item in Item.objects.filter(part__study=study):
        Item.objects.filter(pk=item.pk).update(code=f"secret-item-{item.position}", item_set="secret-set")
    for person in Participant.objects.filter(study=study):
        Participant.objects.filter(pk=person.pk).update(pseudonym=f"SECRET{person.pk}")
    Part.objects.filter(study=study).update(factors=[{"name": "formulation", "levels": list(SECRET_LEVELS)}])
    for trial in Trial.objects.filter(session__study=study):
        for problem in trial.params["problems"]:
            problem |= {"a": 987654, "b": 987654}
        trial.save(update_fields=["params"])
    for response in Response.objects.filter(trial__session__study=study):
        for answer in response.payload["arithmetic"]:
            answer |= {"typed": "987654", "answer": 987654}
        response.save(update_fields=["payload"])
    study.refresh_from_db()
    return study


SECRETS = re.compile(
    r"secret|level-zeta|level-omega|987654|formulation|arithmetic|item_set|item set|pseudonym", re.IGNORECASE
)


def everything_a_coder_gets(coder: Coder, study: Study) -> dict[str, str]:
    """Return all pages and answers that somebody who may only code can get at."""
    addresses = {
        "start page": reverse("admin:index"),
        "studies": reverse("study:index"),
        "page": coder.base,
        "items": f"{coder.base}items/?from=1&count=100",
        "next": f"{coder.base}next/",
        "sheet": reverse("coding:sheet", args=[study.slug, 1]),
        "table": reverse("coding:sheet_file", args=[study.slug, 1]),
        "table for Excel": reverse("coding:sheet_file", args=[study.slug, 1]) + "?excel=1",
    }
    got = {}
    for name, address in addresses.items():
        answer = coder.client.get(address)
        assert answer.status_code == 200, name
        got[name] = answer.content.decode()
    item = coder.items()[0]
    got["saved"] = coder.save(item, ["0"]).content.decode()
    got["changed meanwhile"] = coder.save(item, ["3"]).content.decode()
    got["undone"] = coder.undo(item["key"]).content.decode()
    got["refused"] = coder.save(item, ["0", "1"]).content.decode()
    return got


def test_no_answer_names_a_condition_an_item_a_participant_or_a_sum(marked, coder_named):
    for name, content in everything_a_coder_gets(coder_named("anna"), marked).items():
        found = SECRETS.findall(content)
        assert found == [], (name, found)


def test_an_item_has_nothing_but_what_has_to_be_seen(anna):
    for item in anna.items():
        assert set(item) == ITEM_KEYS
        assert all(set(piece) == {"text", "kind"} for piece in item["stimulus"] + item["recall"])
        assert item["suggestion"] is None or set(item["suggestion"]) == {"codes", "reasons"}


def test_the_names_of_recalls_are_no_keys_of_the_database(anna, study):
    pks = {str(pk) for pk in Response.objects.values_list("pk", flat=True)}
    pks |= {str(pk) for pk in Trial.objects.values_list("pk", flat=True)}
    assert not {item["key"].strip("R") for item in anna.items()} & pks


def test_recalls_of_one_participant_do_not_stand_together(anna, study):
    """The order of the queue is random over participants, so that nobody's recalls can be told by their neighbours."""
    queue = CodingQueue.objects.get(study=study)
    recalls = Response.objects.select_related("trial").in_bulk(responses_of(queue, state_of(study)))

    def owners(seed: int) -> list[int]:
        return [recalls[key].trial.session_id for key in in_order(recalls, seed=seed)]

    texts = [text_of(item["recall"]) for item in anna.items()]
    assert texts == [recalls[key].payload["recall"] for key in in_order(recalls, seed=queue.seed)]
    # One order may put some of them together by chance: 16 recalls of four people have 3 such neighbours on average.
    neighbours = [sum(one == other for one, other in itertools.pairwise(owners(seed))) for seed in range(500)]
    by_chance = sum(count * (count - 1) for count in Counter(owners(0)).values()) / len(texts)
    assert sum(neighbours) / 500 == pytest.approx(by_chance, abs=0.5)


def test_the_page_of_adjudication_is_as_blind(marked, coder_named):
    anna, ben = coder_named("anna"), coder_named("ben")
    for item in anna.items():
        anna.save(item, ["0"])
        ben.save({**item, "revision": 0}, ["3"], note="B is gone")
    judge = Coder(marked, "owner", at="adjudicate")
    items = judge.items()
    assert len(items) == 16
    for item in items:
        assert set(item) == ITEM_KEYS | {"outdated"}
        assert [set(coding) for coding in item["codings"]] == [{"coder", "codes", "note"}] * 2
        assert [coding["coder"] for coding in item["codings"]] == ["coder-1", "coder-2"]
    assert SECRETS.findall(json.dumps(items)) == []
    assert SECRETS.findall(judge.page) == []
    for name in ("anna", "ben"):
        assert name not in json.dumps(items)


@pytest.mark.parametrize("excluded", [True, False])
def test_a_session_that_is_excluded_is_not_shown(anna, study, excluded):
    Session.objects.filter(study=study).update(is_excluded=excluded)
    assert len(anna.items()) == (0 if excluded else 16)

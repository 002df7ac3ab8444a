"""Flow of participants: boxes in their order, in the columns of the groups, each leading to its step."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from experiments.models import Study
from experiments.procedure.sequence import parts_for
from experiments.study.parts import add_part, change_part, move_part, save_groups, save_questions_of_part
from experiments.views.flow import flow_of

pytestmark = pytest.mark.slow

ASKED: list[dict[str, Any]] = [
    {"name": "age", "label": "How old are you?", "kind": "number"},
    {"name": "hand", "label": "Which hand?", "kind": "choice", "choices": ["left", "right"]},
]


@pytest.fixture
def battery(ready, researcher):
    """A study with screening, three groups, parts for some of them, a rule, an order set and a pool."""
    for name, kind, paradigm in (
        ("about", "questionnaire", ""),
        ("maze", "task", "maze"),
        ("outer", "page", ""),
        ("middle", "page", ""),
        ("again", "task", "maze"),
    ):
        add_part(ready, name=name, kind=kind, paradigm=paradigm, user=researcher)
    for _step in range(5):
        move_part(ready, "about", -1, researcher)
    save_questions_of_part(ready, "about", ASKED, researcher)
    save_groups(ready, [{"name": "a", "weight": 2}, {"name": "b", "quota": 9}, {"name": "c"}], researcher)
    screening = [{"question": "age", "operator": "below", "value": 18, "outcome": "screened-out"}]
    changes: dict[str, dict[str, Any]] = {
        "about": {"settings": {"screening": screening}},
        "outer": {"groups": ["a", "c"]},
        "middle": {"groups": ["b"]},
        "maze": {"order_set": "both", "pool": "mazes"},
        "again": {"order_set": "both", "pool": "mazes", "shown_if": [{"question": "hand", "value": "left"}]},
    }
    for name, change in changes.items():
        change_part(ready, name, change, researcher)
    study = Study.objects.get(pk=ready.pk)
    study.criteria = [{"name": "left", "quota": 5, "when": [{"question": "hand", "value": "left"}]}]
    study.save()
    return study


def test_what_all_do_alike_comes_before_the_groups_and_both_end_in_the_debriefing(battery):
    alike, grouped = flow_of(battery)
    assert (alike.columns, grouped.columns) == (1, 3)
    assert [box.label for box in alike.boxes] == ["Landing page and consent", "about"]
    assert [box.said for box in grouped.boxes[:3]] == [f"Group: {n} of every 4 people" for n in (2, 1, 1)]
    assert grouped.boxes[1].marks[0].text == "at most 9 people"
    assert grouped.boxes[-1].label == "Debriefing and end"
    assert (grouped.boxes[-1].first, grouped.boxes[-1].last) == (1, 3)


def test_every_column_has_the_parts_of_its_group_in_their_order(battery):
    grouped = flow_of(battery)[1]
    for column, group in enumerate(("a", "b", "c"), start=1):
        own = sorted((box for box in grouped.boxes if box.first <= column <= box.last), key=lambda box: box.row)
        assert len({box.row for box in own}) == len(own), "Two boxes of a column lie on each other."
        names = [box.label for box in own if box.kind in ("task", "questionnaire", "page")]
        assert names == [part.shown_name for part in parts_for(battery, group) if part.name != "about"]
    rows = {box.label: box.row for box in grouped.boxes}
    assert rows["outer"] == rows["middle"], "What groups do at the same time lies side by side."


def test_boxes_say_what_they_change_places_with_and_whom_they_are_for(battery):
    boxes = {box.label: box for stretch in flow_of(battery) for box in stretch.boxes}
    assert [mark.text for mark in boxes["about"].exits] == ["Screened out by 1 rule", "Over quota by 1 criterion"]
    assert boxes["again"].is_for_some
    said = [mark.text for mark in boxes["again"].marks]
    assert said == [
        "Only if 'hand' is 'left'; other people skip it",
        "Order counterbalanced with maze",
        "Analysed as one with maze",
    ]
    assert not boxes["maze"].is_for_some


def test_every_box_leads_to_a_page_that_there_is(battery, owner):
    for address in (reverse("study:parts", args=[battery.slug]), reverse("study:home", args=[battery.slug])):
        page = owner.get(address).content.decode()
        links = re.findall(r'class="flow-(?:link|exit|mark)" href="([^"]+)"', page)
        assert len(links) == 14  # consent, three groups, six parts of which one twice, debriefing, two ways out
        for link in links:
            answer = owner.get(link.partition("#")[0])
            assert answer.status_code == 200, link
            if place := link.partition("#")[2]:
                assert f'id="{place}"' in answer.content.decode(), link


def test_a_study_of_one_task_has_its_way_on_the_page_of_parts_alone(ready, owner):
    (way,) = flow_of(ready)
    assert [box.label for box in way.boxes] == ["Landing page and consent", "Task", "Debriefing and end"]
    assert "flow-link" in owner.get(reverse("study:parts", args=[ready.slug])).content.decode()
    assert "flow-link" not in owner.get(reverse("study:home", args=[ready.slug])).content.decode()


def test_a_task_is_added_by_what_one_wants_to_do(ready, owner):
    address = reverse("study:parts", args=[ready.slug])
    owner.post(address, {"action": "add", "name": "gaps", "what": "preset:cloze"})
    owner.post(address, {"action": "add", "name": "plain", "what": "task:typed-production"})
    parts = {part.name: part for part in Study.objects.get(pk=ready.pk).ordered_parts}
    assert (parts["gaps"].paradigm, parts["gaps"].settings) == (
        "typed-production", {"task": "completion", "one_word": True}
    )  # fmt: skip
    assert parts["plain"].settings == {}
    answer = owner.post(address, {"action": "add", "name": "none", "what": "preset:telepathy"}, follow=True)
    assert "Choose what the part is" in answer.content.decode()

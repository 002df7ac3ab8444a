"""The list of parts: adding, moving, copying, removing; groups; and the pages of each task under its own address."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db.models import F
from django.urls import reverse

from experiments.models import AuditEntry, Item, Part, Study
from experiments.study.opening import opening_faults, opening_warnings

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def client(ready: Study, client_of: Any) -> Any:
    return client_of("owner", ready)


def names(study: Study) -> list[str]:
    return list(study.parts.values_list("name", flat=True))


def test_a_part_is_added_at_a_place_and_a_page_is_written_next(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    before = names(ready)
    answer = client.post(page, {"action": "add", "name": "hello", "what": "page", "place": "0"})
    assert names(ready) == ["hello", *before]
    assert "added=hello" in answer.url
    shown = client.get(answer.url.partition("#")[0]).content.decode()
    assert shown.count('<details class="fold" open>') == 1
    client.post(page, {"action": "add", "name": "hello", "what": "page", "place": "0"})
    assert names(ready) == ["hello", *before], "A name that is taken adds and moves nothing."
    client.post(page, {"action": "add", "name": "far", "what": "page", "place": "99"})
    assert names(ready)[-1] == "far"


def test_the_first_two_groups_are_named_at_once(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    assert client.get(page).content.decode().count('id="group-') == 2
    client.post(page, {"action": "groups", "name": ["one", "two"], "weight": ["1", "1"], "quota": ["", ""]})
    assert [group["name"] for group in Study.objects.get(pk=ready.pk).groups] == ["one", "two"]
    assert client.get(page).content.decode().count('id="group-') == 3


def test_parts_are_added_moved_copied_and_removed(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    before = names(ready)
    client.post(page, {"action": "add", "name": "second", "what": "task:self-paced-reading"})
    client.post(page, {"action": "add", "name": "thanks", "what": "page:"})
    client.post(page, {"action": "copy", "name": "again", "source": str(ready.task.pk)})
    assert names(ready) == [*before, "second", "thanks", "again"]
    again = Study.objects.get(pk=ready.pk).seen_through("again")
    assert again.items.count() == ready.items.count() > 0
    order = json.dumps(["again", "thanks", *before, "second"])
    client.post(page, {"action": "order", "part": "again", "order": order})
    assert names(ready) == json.loads(order)
    for wrong in (json.dumps(before), json.dumps([*before, "second", "thanks", "other"]), "{", "7", ""):
        answer = client.post(page, {"action": "order", "part": "again", "order": wrong}, follow=True)
        assert "Nothing was moved." in answer.content.decode()
        assert names(ready) == json.loads(order)
    client.post(page, {"action": "order", "part": "again", "order": json.dumps([*before, "second", "thanks", "again"])})
    client.post(page, {"action": "up", "part": "thanks"})
    assert names(ready) == [*before, "thanks", "second", "again"]
    remove = reverse("study:remove_part", args=[ready.slug, "again"])
    assert client.get(remove).status_code == 200
    client.post(remove)
    assert names(ready) == [*before, "thanks", "second"]
    assert AuditEntry.objects.filter(action__startswith="part").count() == 7


def test_a_part_takes_its_planned_analyses_along_and_the_page_says_so_before(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    client.post(page, {"action": "copy", "name": "again", "source": str(ready.task.pk)})
    planned = {"title": "", "method": "rm-anova", "params": {"dv": "rating"}, "table": "trials"}
    rules = [{"rule": "fast-trial", "ms": 200}, {"rule": "fast-trial", "ms": 300, "part": "again"}]
    ready.plan = {**ready.plan, "analyses": [{**planned, "part": "again"}, planned], "exclusion_rules": rules}
    ready.save()
    remove = reverse("study:remove_part", args=[ready.slug, "again"])
    asked = client.get(remove).content.decode()
    assert "1 planned analysis" in asked
    assert "1 exclusion rule" in asked
    client.post(remove)
    left = Study.objects.get(pk=ready.pk).plan
    assert (left["analyses"], left["exclusion_rules"]) == ([{**planned, "part": ready.task.name}], rules[:1])


def test_opening_warns_of_one_bound_for_the_times_of_different_tasks(ready: Study, client: Any) -> None:
    add = {"action": "add", "name": "words", "what": "task:timed-choice"}
    assert client.post(reverse("study:parts", args=[ready.slug]), add).status_code == 302
    rule = {"rule": "slow-trial", "ms": 2000}

    def said(*rules: dict[str, Any]) -> list[str]:
        study = Study.objects.get(pk=ready.pk)
        study.plan = {**study.plan, "exclusion_rules": list(rules)}
        return [
            one.message
            for one in opening_warnings(study)
            if ("” applies to every task, but tasks take different times.") in one.message
        ]

    assert said(rule) == [
        "The rule “answered more slowly than 2000 ms” applies to every task, but tasks take different times."
    ]
    assert said({**rule, "part": "words"}, {"rule": "interrupted-trial"}) == []


def test_a_plan_stays_with_its_task_when_another_one_is_moved_before_it(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    planned = {"title": "", "method": "rm-anova", "params": {"dv": "rating"}, "table": "trials"}
    ready.plan = {**ready.plan, "analyses": [planned]}
    ready.save()
    first = ready.task.name
    client.post(page, {"action": "copy", "name": "again", "source": str(ready.task.pk)})
    while Study.objects.get(pk=ready.pk).tasks[0].name == first:
        client.post(page, {"action": "up", "part": "again"})
    moved = Study.objects.get(pk=ready.pk)
    assert moved.plan["analyses"] == [{**planned, "part": first}]
    remove = reverse("study:remove_part", args=[ready.slug, first])
    assert "1 planned analysis" in client.get(remove).content.decode()
    client.post(remove)
    assert Study.objects.get(pk=ready.pk).plan["analyses"] == []


def test_the_page_of_instructions_shows_those_of_its_own_task(ready: Study, client: Any) -> None:
    client.post(
        reverse("study:parts", args=[ready.slug]), {"action": "copy", "name": "again", "source": str(ready.task.pk)}
    )
    address = reverse("study:text", args=[ready.slug, "instructions"])
    others = reverse("study:text", args=[Study.objects.get(pk=ready.pk).seen_through("again").slug, "instructions"])
    for number in (1, 2, 3):
        shown = client.get(address).context
        form = {"body": f"Of the first task, {number}.", "markup": "markdown", "base_version": shown["base_version"]}
        assert client.post(address, form).status_code == 302
    assert "Of the first task" not in client.get(others).content.decode()
    shown = client.get(others).context
    client.post(others, {"body": "Of the other.", "markup": "markdown", "base_version": shown["base_version"]})
    assert client.get(others).context["form"]["body"].value() == "Of the other."
    assert client.get(address).context["form"]["body"].value() == "Of the first task, 3."
    [tab] = [tab for tab in client.get(others).context["tabs"] if tab["is_current"]]
    assert (tab["url"], tab["version"]) == (others, client.get(others).context["base_version"])


def test_texts_of_the_whole_study_are_shown_once_and_instructions_once_for_each_task(ready: Study, client: Any) -> None:
    client.post(
        reverse("study:parts", args=[ready.slug]), {"action": "copy", "name": "again", "source": str(ready.task.pk)}
    )
    tabs = client.get(reverse("study:texts", args=[ready.slug])).context["tabs"]
    assert [tab["label"] for tab in tabs] == [
        "Landing page",
        "Consent",
        "Instructions: Task",
        "Instructions: again",
        "Debriefing",
    ]
    steps = [link for block in client.get(tabs[0]["url"]).context["step_blocks"] for link in block.steps]
    assert [link.task for link in steps if link.slug == "texts"] == [""]
    # The address of a text as one of a task leads to that of the study.
    assert client.get(f"/admin/studies/{ready.slug}/parts/again/texts/consent/?default=1").headers["Location"] == (
        f"/admin/studies/{ready.slug}/texts/consent/?default=1"
    )


def test_opening_warns_of_every_task_by_its_name(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    client.post(page, {"action": "copy", "name": "again", "source": str(ready.task.pk)})
    Item.objects.filter(part__study=ready, part__name="again", is_practice=True).delete()
    said = [one.message for one in opening_warnings(Study.objects.get(pk=ready.pk))]
    assert [one for one in said if "practice" in one] == ["Part 'again': There are no practice texts."]


def test_what_two_questionnaires_call_alike_is_said_before_opening(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    asked = {"name": "calm", "label": "?", "kind": "scale", "points": 5, "score": {"scale": "mood", "how": "sum"}}
    client.post(page, {"action": "add", "name": "before", "what": "questionnaire:"})
    ready.parts.filter(name="before").update(questions=[asked])
    client.post(page, {"action": "copy", "name": "after", "source": str(ready.parts.get(name="before").pk)})
    shared = [str(fault) for fault in opening_faults(Study.objects.get(pk=ready.pk)) if "both ask for" in fault.message]
    assert [fault.split(".")[0] for fault in shared] == [
        "The questionnaires 'before' and 'after' both ask for 'calm'",
        "The questionnaires 'before' and 'after' both ask for 'score_mood'",
    ]
    other = {**asked, "name": "calm_after", "score": {"scale": "mood_after", "how": "sum"}}
    ready.parts.filter(name="after").update(questions=[other])
    assert not [fault for fault in opening_faults(Study.objects.get(pk=ready.pk)) if "both ask for" in fault.message]


def test_what_cannot_be_is_refused_with_a_reason(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    before = names(ready)
    for given in ({"name": "task", "what": "page:"}, {"name": "Not good", "what": "page:"}, {"name": "x", "what": ""}):
        answer = client.post(page, {"action": "add", **given}, follow=True)
        assert 'class="note' in answer.content.decode() or "message" in answer.content.decode()
        assert answer.redirect_chain == [(page, 302)], "the refusal stands at the top of the page"
    assert names(ready) == before
    client.post(reverse("study:remove_part", args=[ready.slug, "task"]))
    assert names(ready) == before, "the only task stays"


def test_groups_and_who_sees_a_part_are_stored(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    client.post(page, {"action": "add", "name": "second", "what": "page:"})
    client.post(
        page, {"action": "groups", "name": ["young", "old", ""], "weight": ["2", "1", "1"], "quota": ["", "9", ""]}
    )
    assert Study.objects.get(pk=ready.pk).groups == [
        {"name": "young", "weight": 2}, {"name": "old", "weight": 1, "quota": 9},
    ]  # fmt: skip
    client.post(page, {"action": "change", "part": "second", "title": "Old", "order_set": "", "groups": ["old"]})
    assert ready.parts.get(name="second").groups == ["old"]
    client.post(page, {"action": "groups", "name": ["young"], "weight": ["2"], "quota": [""]})
    assert len(Study.objects.get(pk=ready.pk).groups) == 2, "a part is for the group that would be gone"


def test_whom_a_part_is_for_is_written_as_in_tables_of_questions(ready: Study, client: Any) -> None:
    page = reverse("study:parts", args=[ready.slug])
    client.post(page, {"action": "add", "name": "thanks", "what": "page:"})
    asked = {"name": "wrote_with", "label": "Hand?", "kind": "choice", "choices": ["left hand", "right"]}
    Part.objects.filter(study=ready).update(position=F("position") + 1)
    Part.objects.create(study=ready, name="about", kind="questionnaire", position=0, questions=[asked])
    condition = f"{asked['name']} is {asked['choices'][0]}"
    change = {"action": "change", "part": "thanks", "title": "", "order_set": "", "groups": []}
    assert client.post(page, {**change, "shown_if": f"{condition}\n\n"}).status_code == 302
    stored = {"question": asked["name"], "operator": "is", "value": asked["choices"][0]}
    assert Study.objects.get(pk=ready.pk).parts.get(name="thanks").shown_if == [stored]
    shown = client.get(page).content.decode()
    assert "Only if" in shown
    assert condition in shown
    refused = client.post(page, {**change, "shown_if": "nonsense"}, follow=True).content.decode()
    assert " is not a condition." in refused
    refused = client.post(page, {**change, "shown_if": "shoe is 7"}, follow=True).content.decode()
    assert "there is no answer" in refused
    assert Study.objects.get(pk=ready.pk).parts.get(name="thanks").shown_if == [stored]
    stays = client.post(page, {**change, "body": "Hi.", "minimum": "3"})
    assert stays.status_code == 302
    assert Study.objects.get(pk=ready.pk).parts.get(name="thanks").settings == {"minimum_seconds": 3}
    refused = client.post(page, {**change, "minimum": "3000"}, follow=True).content.decode()
    assert "from 1 to 600" in refused
    client.post(page, {**change, "shown_if": "", "minimum": ""})
    assert Study.objects.get(pk=ready.pk).parts.get(name="thanks").settings == {}
    assert Study.objects.get(pk=ready.pk).parts.get(name="thanks").shown_if == []


def test_the_pages_of_a_task_stay_with_it(ready: Study, client: Any) -> None:
    client.post(
        reverse("study:parts", args=[ready.slug]), {"action": "copy", "name": "second", "source": ready.task.pk}
    )
    address = reverse("study:materials", args=[Study.objects.get(pk=ready.pk).seen_through("second").slug])
    assert address == f"/admin/studies/{ready.slug}/parts/second/materials/"
    for step in ("materials", "design", "procedure", "texts/instructions"):
        answer = client.get(f"/admin/studies/{ready.slug}/parts/second/{step}/")
        assert answer.status_code == 200, step
        assert f"/parts/second/{step}/" in answer.content.decode()
    texts = f"/admin/studies/{ready.slug}/parts/second/texts/instructions/"
    assert (
        client.post(texts, {"body": "Only here."})
        .headers["Location"]
        .startswith(f"/admin/studies/{ready.slug}/parts/second/")
    )
    assert ready.texts.filter(part__name="second", body="Only here.").exists()
    assert not ready.texts.filter(part__name="task", body="Only here.").exists()
    assert client.get(f"/admin/studies/{ready.slug}/parts/none/materials/").status_code == 404

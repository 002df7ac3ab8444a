"""The page of sources: added by a click, changed, removed after a question; what is refused keeps what was typed."""

import pytest
from django.urls import reverse

from experiments.models import AuditEntry, Study
from experiments.study.lifecycle import open_study, save_details
from experiments.study.opening import opening_warnings

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(ready, researcher):
    questions = [{"name": "age", "label": "How old are you?", "kind": "number", "required": True}]
    return save_details(ready, {"questions": questions}, researcher)


def address(study):
    return reverse("study:sources", args=[study.slug])


def post(client, study, **data):
    answer = client.post(address(study), data)
    study.refresh_from_db()
    return answer


def test_a_draft_without_sources_says_what_they_are_for(ready, owner):
    page = owner.get(address(ready)).content.decode()
    assert "No sources yet" in page
    assert (
        "A quota needs an answer before the first task, but no questionnaire comes before it yet. Add a "
        "questionnaire first."
    ) in page


def test_a_source_is_added_by_one_click_and_a_second_one_like_it_is_refused(ready, owner):
    answer = post(owner, ready, action="add", kind="prolific")
    assert answer.headers["Location"].endswith("/sources/#source-prolific")
    assert ready.sources == [
        {"name": "prolific", "kind": "prolific", "parameters": ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"],
         "outcomes": {}},
    ]  # fmt: skip
    refused = post(owner, ready, action="add", kind="prolific")
    assert refused.status_code == 422
    assert "The platform cannot tell them apart. Change one of them." in refused.content.decode()
    assert len(ready.sources) == 1
    assert list(AuditEntry.objects.filter(action="source added").values_list("detail", flat=True)) == [
        "prolific (prolific)"
    ]


def test_the_page_shows_the_link_to_paste_and_one_to_test_that_is_another_every_time(ready, owner):
    post(owner, ready, action="add", kind="sona")
    [card] = owner.get(address(ready)).context["cards"]
    links = reverse("study:open", args=[ready.slug])
    assert f'href="{links}#link-{card.key}"' in owner.get(address(ready)).content.decode()
    link, again = (owner.get(links).context["links"][0] for _time in range(2))
    assert link.address == f"http://testserver/s/{ready.slug}/?survey_code=%SURVEY_CODE%"
    assert link.test_address.startswith(f"http://testserver/s/{ready.slug}/?survey_code=TEST-")
    assert again.test_address != link.test_address
    assert f'id="link-{card.key}"' in owner.get(links).content.decode()
    opening = owner.get(reverse("study:open", args=[ready.slug])).content.decode()
    assert "survey_code=%SURVEY_CODE%" in opening
    assert "PROLIFIC_PID" not in opening, "links of services that have no source here lead nobody back"


def test_what_each_outcome_leads_to_is_stored_and_empty_fields_are_not(ready, owner):
    post(owner, ready, action="add", kind="sona")
    changes = {"completed-link": "https://pool.example/?id={survey_code}", "screened-out-text": "Sorry.\r\n\r\nBye."}
    post(owner, ready, action="save", source="sona", name="pool", parameters="survey_code, wave", **changes)
    assert ready.sources == [
        {"name": "pool", "kind": "sona", "parameters": ["survey_code", "wave"],
         "outcomes": {"completed": {"link": "https://pool.example/?id={survey_code}"},
                      "screened-out": {"text": "Sorry.\n\nBye."}}},
    ]  # fmt: skip


def test_a_fault_is_said_at_its_source_with_what_was_typed_and_nothing_is_stored(ready, owner):
    post(owner, ready, action="add", kind="sona")
    before = ready.sources
    typed = {"name": "sona", "parameters": "survey_code", "completed-link": "http://pool.example/"}
    answer = post(owner, ready, action="save", source="sona", **typed)
    assert answer.status_code == 422
    [card] = answer.context["cards"]
    assert "the link must begin with https://" in card.fault
    assert card.first[0].link == "http://pool.example/"
    assert ready.sources == before


def test_a_source_is_removed_after_the_question_what_goes_with_it(ready, owner):
    post(owner, ready, action="add", kind="mturk")
    remove = reverse("study:remove_source", args=[ready.slug, "mturk"])
    assert "its texts, links and codes" in owner.get(remove).content.decode()
    ready.refresh_from_db()
    assert len(ready.sources) == 1
    owner.post(remove)
    ready.refresh_from_db()
    assert ready.sources == []
    assert owner.get(remove).status_code == 404


def test_quotas_are_written_as_lines_and_read_back(asked, owner):
    rows = {
        "criterion-name": ["young", "", "old"],
        "criterion-quota": ["20", "", "15"],
        "criterion-when": ["age is at least 18\r\nage is below 30", "", "age is at least 30"],
        "criterion-part": ["", "", ""],
    }
    post(owner, asked, action="criteria", **rows)
    assert asked.criteria == [
        {"name": "young", "quota": 20, "when": [
            {"question": "age", "operator": "at-least", "value": 18},
            {"question": "age", "operator": "below", "value": 30},
        ]},
        {"name": "old", "quota": 15, "when": [{"question": "age", "operator": "at-least", "value": 30}]},
    ]  # fmt: skip
    shown = owner.get(address(asked)).context["criteria"]
    assert [(row.name, row.quota, row.when) for row in shown] == [
        ("young", "20", "age is at least 18\nage is below 30"), ("old", "15", "age is at least 30"), ("", "", ""),
    ]  # fmt: skip


def test_a_quota_may_count_in_every_group_by_itself(asked, owner):
    row = {"criterion-name": "adults", "criterion-quota": "5", "criterion-when": "age is at least 18"}
    post(owner, asked, action="criteria", **row, **{"criterion-each": "group"})
    assert asked.criteria[0]["per_group"] is True
    assert "in each group separately" in owner.get(address(asked)).content.decode()
    post(owner, asked, action="criteria", **row, **{"criterion-each": ""})
    assert "per_group" not in asked.criteria[0]


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("age at least", "Write one condition per line, such as: age is at least 18."),
        ("hand is left", "nothing has the name &#x27;hand&#x27;."),
        ("age is at least 30\nage is below 20", ": nobody can meet both conditions."),
        ("", "must be a list of conditions"),
    ],
)
def test_a_quota_that_cannot_be_kept_is_said_at_once_with_what_was_typed(asked, owner, when, said):
    rows = {"criterion-name": "odd", "criterion-quota": "5", "criterion-when": when, "criterion-part": ""}
    answer = post(owner, asked, action="criteria", **rows)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert answer.context["criteria"][0].when == when
    assert asked.criteria == []


def test_an_open_study_takes_new_codes_sources_and_numbers_and_keeps_what_people_came_by(asked, owner, researcher):
    post(owner, asked, action="add", kind="prolific")
    row = {"criterion-name": "adults", "criterion-quota": "5", "criterion-when": "age is at least 18"}
    post(owner, asked, action="criteria", **row, **{"criterion-part": ""})
    open_study(asked, researcher)
    post(owner, asked, action="save", source="prolific", **{"completed-code": "C9"})
    assert asked.sources[0]["outcomes"] == {"completed": {"code": "C9"}}
    post(owner, asked, action="add", kind="link")
    assert [source["name"] for source in asked.sources] == ["prolific", "link"]
    post(owner, asked, action="criteria", **{**row, "criterion-quota": "9"}, **{"criterion-part": ""})
    assert asked.criteria[0]["quota"] == 9
    for refused in (
        post(owner, asked, action="save", source="prolific", name="other"),
        post(owner, asked, action="save", source="prolific", parameters="participant"),
        post(owner, asked, action="criteria", **{**row, "criterion-when": "age is at least 21"}),
        post(owner, asked, action="criteria"),
    ):
        assert refused.status_code == 422
        assert (
            " has been opened, so its design is locked. Nothing was changed. Duplicate the study and change the copy."
        ) in refused.content.decode()
    owner.post(reverse("study:remove_source", args=[asked.slug, "prolific"]))
    assert len(Study.objects.get(pk=asked.pk).sources) == 2


def test_a_viewer_sees_the_page_and_changes_nothing(ready, owner, client_of):
    post(owner, ready, action="add", kind="sona")
    viewer = client_of("viewer", ready)
    page = viewer.get(address(ready)).content.decode()
    assert 'fieldset class="form form-section" disabled' in page
    assert "Add a source" not in page
    assert post(viewer, ready, action="add", kind="link").status_code == 403
    assert len(ready.sources) == 1


def test_id_only_is_chosen_on_the_page_also_while_the_study_is_open_noted_and_warned_of(ready, owner, researcher):
    post(owner, ready, action="add", kind="sona")
    post(owner, ready, action="save", source="sona", **{"asks-id-only": "yes", "id_only": "yes", "name": "sona"})
    assert ready.sources[0]["id_only"] is True
    assert any("is id-only" in str(fault) for fault in opening_warnings(ready))
    page = owner.get(address(ready)).content.decode()
    assert 'name="id_only" value="yes" checked' in page
    open_study(ready, researcher)
    post(owner, ready, action="save", source="sona", **{"asks-id-only": "yes"})
    assert "id_only" not in ready.sources[0]
    assert not any("is id-only" in str(fault) for fault in opening_warnings(ready))
    details = AuditEntry.objects.filter(action="source changed").values_list("detail", flat=True)
    assert {"sona: id-only", "sona: no longer id-only"} <= set(details)

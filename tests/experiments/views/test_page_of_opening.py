"""Opening: what is missing is listed, opening asks first, links are exact."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from experiments.models import Study
from experiments.study.lifecycle import close_study, open_study, pause
from experiments.study.opening import opening_faults, opening_warnings

pytestmark = pytest.mark.slow


def page_of(client, study):
    return client.get(reverse("study:open", args=[study.slug]))


def change(client, study, action, **data):
    return client.post(reverse("study:change_status", args=[study.slug, action]), data, follow=True)


def test_a_bare_draft_lists_everything_that_is_missing_with_the_page_for_it(draft, owner):
    answer = page_of(owner, draft)
    lacking = {str(fault): check.url for check in answer.context["checks"] for fault in check.faults}
    assert lacking["There are no materials yet."] == f"/admin/studies/{draft.slug}/materials/"
    assert lacking["The study does not name a responsible person."] == f"/admin/studies/{draft.slug}/settings/"
    assert any("modulus" in sentence for sentence in lacking)
    assert "The design is valid" not in answer.content.decode()
    assert not answer.context["is_ready"]
    assert "open/start/" not in answer.content.decode()


def test_opening_a_study_that_is_not_ready_is_refused_and_says_where_to_look(draft, owner):
    answer = change(owner, draft, "start")
    draft.refresh_from_db()
    assert draft.status == Study.Status.DRAFT
    assert "The study cannot open yet. The list below says what is missing." in answer.content.decode()
    assert "There are no materials yet." in answer.content.decode()


def test_a_ready_study_opens_after_the_question_what_that_means(ready, owner):
    assert page_of(owner, ready).context["is_ready"]
    asked = owner.get(reverse("study:change_status", args=[ready.slug, "start"])).content.decode()
    assert "locks" in asked
    ready.refresh_from_db()
    assert ready.status == Study.Status.DRAFT
    change(owner, ready, "start")
    ready.refresh_from_db()
    assert ready.status == Study.Status.OPEN


def test_a_study_is_paused_resumed_closed_and_opened_again(ready, owner, researcher):
    open_study(ready, researcher)
    states = []
    for action in ("pause", "resume", "close", "reopen"):
        change(owner, ready, action)
        ready.refresh_from_db()
        states.append((ready.status, ready.is_paused))
    assert states == [("open", True), ("open", False), ("closed", False), ("open", False)]


def test_pausing_leads_back_to_the_page_it_was_asked_from_and_nowhere_else(ready, owner, researcher):
    open_study(ready, researcher)
    watch = reverse("watch:watch", args=[ready.slug])
    address = reverse("study:change_status", args=[ready.slug, "pause"])
    assert owner.post(address, {"next": watch}).url == watch
    assert owner.post(address, {"next": "https://elsewhere.example/"}).url == reverse("study:open", args=[ready.slug])


def test_a_change_that_came_too_late_says_so(ready, owner, researcher):
    open_study(ready, researcher)
    close_study(ready, researcher)
    answer = owner.get(reverse("study:change_status", args=[ready.slug, "pause"]), follow=True)
    assert "Somebody changed the state of the study in the meantime. Nothing was changed." in answer.content.decode()
    assert "Only an open study can be paused." in change(owner, ready, "pause").content.decode()


@pytest.mark.parametrize(("given", "stored"), [("16", 16), ("", None)])
def test_a_quota_is_set_and_taken_away(given, stored, ready, owner):
    ready.quota = 4
    ready.save()
    owner.post(reverse("study:open", args=[ready.slug]), {"quota": given})
    ready.refresh_from_db()
    assert ready.quota == stored


@pytest.mark.parametrize("given", ["0", "-3", "many"])
def test_a_quota_that_is_no_number_of_people_is_refused(given, ready, owner):
    answer = owner.post(reverse("study:open", args=[ready.slug]), {"quota": given})
    assert answer.status_code == 422
    ready.refresh_from_db()
    assert ready.quota is None


def test_the_links_hold_the_placeholders_of_the_recruitment_platforms(ready, owner):
    links = {link.name: link.address for link in page_of(owner, ready).context["links"]}
    start = "http://testserver/s/causal/"
    assert links["General link"] == start
    assert links["Prolific"] == (
        start + "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert links["SONA"] == start + "?survey_code=%SURVEY_CODE%"
    assert links["Mechanical Turk"] == (start + "?workerId=${workerId}&assignmentId=${assignmentId}&hitId=${hitId}")


def test_a_paused_study_says_so_everywhere(ready, owner, researcher):
    open_study(ready, researcher)
    pause(ready, researcher)
    for page in ("study:home", "study:open", "watch:watch"):
        assert "Paused" in owner.get(reverse(page, args=[ready.slug])).content.decode()


def test_personal_links_name_each_person_differently_and_are_not_stored(ready, owner):
    answer = owner.get(reverse("study:personal_links", args=[ready.slug]), {"number": "30"})
    lines = answer.content.decode().splitlines()
    links = {line.split(",")[1] for line in lines[1:]}
    assert lines[0] == "number,link"
    assert len(links) == 30
    assert all(link.startswith("http://testserver/s/causal/?id=") and len(link) >= 46 for link in links)
    again = owner.get(reverse("study:personal_links", args=[ready.slug]), {"number": "30"})
    assert not links & set(again.content.decode().splitlines())


@pytest.mark.parametrize("number", ["0", "100000", "some", ""])
def test_a_number_of_links_that_makes_no_sense_is_refused(number, ready, owner):
    answer = owner.get(reverse("study:personal_links", args=[ready.slug]), {"number": number}, follow=True)
    assert "Ask for a number of links between 1 and 5000." in answer.content.decode()


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("editor", 200), ("owner", 200), ("stranger", 404)])
def test_who_may_change_the_study_makes_personal_links_and_it_is_recorded(ready, client_of, role, status):
    client = client_of(role, ready)
    answer = client.get(reverse("study:personal_links", args=[ready.slug]), {"number": "3"})
    assert answer.status_code == status
    assert ready.audit_entries.filter(action="personal links made", detail="3 links").count() == (status == 200)
    if role == "viewer":
        assert "Download the links" not in client.get(reverse("study:open", args=[ready.slug])).content.decode()


@pytest.mark.parametrize(("days", "refused"), [(-1, True), (0, True), (1, False)])
def test_a_study_whose_day_of_erasure_has_come_is_not_opened(ready, days, refused):
    ready.retention_until, ready.erases_itself = timezone.localdate() + timedelta(days=days), True
    said = [fault.message for fault in opening_faults(ready) if "erased" in fault.message]
    assert bool(said) is refused
    ready.erases_itself = False
    assert not [fault for fault in opening_faults(ready) if "erased" in fault.message]
    assert any("has passed" in fault.message for fault in opening_warnings(ready)) is refused


def test_what_stops_the_opening_is_unfolded(draft, owner):
    answer = page_of(owner, draft)
    page = answer.content.decode()
    assert page.index("checks below stop the opening") < page.index(">Checklist<") < page.index('id="links"')
    assert page.count("<details open>") == sum(not check.is_ok for check in answer.context["checks"]) > 1


def test_what_does_not_stop_the_opening_is_one_line_each(ready, owner):
    of_ready = page_of(owner, ready)
    assert "<details open>" not in of_ready.content.decode()
    noted = [check for check in of_ready.context["checks"] if check.number_of_notes]
    assert "There is no date for the deletion of the data." in {str(one) for line in noted for one in line.warnings}
    assert sum(check.number_of_notes for check in noted) == len(opening_warnings(ready))


def test_a_study_that_is_open_shows_when_and_no_check_list(ready, owner, researcher):
    open_study(ready, researcher)
    ready.refresh_from_db()
    answer = page_of(owner, ready)
    assert answer.context["checks"] == []
    assert f'datetime="{ready.opened_at.isoformat()[:16]}' in answer.content.decode()


def test_every_page_that_told_a_link_leads_to_the_one_place(ready, owner, researcher):
    place = f"{reverse('study:open', args=[ready.slug])}#"
    for page in ("study:home", "study:preview"):
        assert f'href="{place}' in owner.get(reverse(page, args=[ready.slug])).content.decode(), page
    open_study(ready, researcher)
    assert f'href="{place}links"' in owner.get(reverse("watch:watch", args=[ready.slug])).content.decode()
    shown = page_of(owner, ready).content.decode()
    for inside in ("preview/texts/", "withdraw/"):
        assert f"/s/{ready.slug}/{inside}" in shown


@pytest.mark.parametrize(
    ("page", "data", "told"),
    [
        ("study:open", {"quota": "12"}, "1-2.saved"),
        ("study:open", {"quota": "0"}, None),
        ("study:open", {"action": "preview-link", "note": "Board", "days": "3"}, "1-2.answered"),
        # Refused with a message on the page that it leads to.
        ("study:parts", {"action": "order", "order": "[]"}, None),
        ("study:open", {"quota": "12", "kept_form": "1; path=/"}, None),
        ("study:open", {"quota": "12", "kept_form": ""}, None),
    ],
)
def test_the_browser_is_told_which_form_was_stored(page, data, told, ready, owner, client_of):
    address = reverse(page, args=[ready.slug])
    answer = owner.post(address, {"kept_form": "1-2", **data})
    cookie = answer.cookies.get("lectern_saved_form")
    assert (cookie.value if cookie else None) == told
    if cookie:
        assert (cookie["path"], cookie["samesite"], cookie["max-age"]) == ("/admin/", "Strict", 600)
    for role in ("anonymous", "viewer"):
        refused = client_of(role, ready).post(address, {"kept_form": "1-2", **data})
        assert "lectern_saved_form" not in refused.cookies

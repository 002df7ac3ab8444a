"""The step Code: who codes, how far, how far they agree; adding and removing coders; freezing; the step itself."""

import pytest
from django.urls import reverse

from analysis.coding.recalls import state_of
from analysis.models import Coding, CodingQueue
from experiments.models import AuditEntry
from experiments.study.steps import study_steps
from participants.models import Session
from tests.analysis.recalls import user_named

pytestmark = pytest.mark.slow


def page_of(client, study, name="overview", *arguments):
    return client.get(reverse(f"coding:{name}", args=[study.slug, *arguments])).content.decode()


def post(client, study, name, *arguments, **data):
    return client.post(reverse(f"coding:{name}", args=[study.slug, *arguments]), data, follow=True)


def step_of(study):
    return next(link.state for link in study_steps(study, user_named("owner")) if link.slug == "code")


def test_before_anybody_finished_the_page_says_what_can_be_prepared(study, owner):
    Session.objects.filter(study=study).update(status="running")
    page = page_of(owner, study)
    assert "No recalls yet" in page
    assert "Add a coder" in page
    assert step_of(study).kind == "waiting"


def test_before_anybody_codes_the_page_says_how_to_begin(study, owner):
    page = page_of(owner, study)
    assert "Nobody codes yet" in page
    assert "Agreement" not in page
    assert (step_of(study).kind, step_of(study).text) == ("missing", "Nobody codes yet")


def test_with_one_coder_there_is_nothing_to_compare_yet(study, owner, anna):
    anna.save(anna.items()[0], ["0"])
    assert "Agreement shows once two coders have coded the same recalls." in page_of(owner, study)


def test_a_coder_is_added_by_name_with_a_share(study, owner):
    user_named("anna")
    page = post(owner, study, "add_coder", username="anna", share="25").content.decode()
    assert "anna codes as coder-1" in page
    assert "0 of 4" in page
    assert "sees the whole study" not in page
    assert AuditEntry.objects.filter(study=study, action__in=["member added", "coder added"]).count() == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"username": "nobody", "share": "100"}, "Nobody has the user name"),
        ({"username": "anna", "share": "0"}, "greater than or equal to 1"),
        ({"username": "anna", "share": "101"}, "less than or equal to 100"),
        ({"username": "anna", "share": ""}, "required"),
    ],
)
def test_a_coder_that_cannot_be_added_is_named_with_the_reason(study, owner, data, sentence):
    user_named("anna")
    answer = owner.post(reverse("coding:add_coder", args=[study.slug]), data)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not CodingQueue.objects.exists()
    assert not study.memberships.exists()


def test_nobody_gets_a_second_queue(study, owner, anna):
    answer = owner.post(reverse("coding:add_coder", args=[study.slug]), {"username": "anna", "share": "10"})
    assert (answer.status_code, CodingQueue.objects.count()) == (422, 1)
    assert "already" in answer.content.decode()


def test_the_owner_may_code_and_is_told_that_they_see_the_whole_study(study, owner):
    page = post(owner, study, "add_coder", username="owner", share="100").content.decode()
    assert "sees the whole study" in page
    assert reverse("coding:workspace", args=[study.slug]) in page


def test_progress_pace_and_agreement_are_those_of_the_moment(study, owner, coder_named):
    anna, ben = coder_named("anna"), coder_named("ben", share=0.5, is_second=True)
    for item in anna.items():
        anna.save(item, ["0"], seconds=6)
    for number, item in enumerate(ben.items()):
        ben.save(item, ["3"] if number < 2 else ["0"], seconds=8)
    page = page_of(owner, study)
    assert "16 of 16" in page
    assert "8 of 8" in page
    assert "6.0 s each" in page
    assert "Settle 2 disagreements" in page
    # 6 of 8 whole codings agree.
    assert ">.75<" in page
    assert (step_of(study).kind, step_of(study).text) == ("missing", "2 disagreements to settle")


def test_a_share_is_changed_and_what_is_coded_stays(study, owner, anna):
    last = anna.items()[-1]
    anna.save(last, ["0"])
    page = post(owner, study, "share", 1, share="25").content.decode()
    assert "anna now codes 25 % of the recalls." in page
    assert last["key"] in {item["key"] for item in anna.items()}
    assert owner.post(reverse("coding:share", args=[study.slug, 1]), {"share": "x"}).status_code == 422


def test_removing_a_coder_names_what_is_lost(study, owner, anna):
    for item in anna.items()[:3]:
        anna.save(item, ["0"])
    asked = page_of(owner, study, "remove_coder", 1)
    assert "3 codings of anna" in asked
    assert Coding.objects.count() == 3
    page = post(owner, study, "remove_coder", 1).content.decode()
    assert "3 codings were deleted" in page
    assert not Coding.objects.exists()
    assert owner.get(reverse("coding:remove_coder", args=[study.slug, 1])).status_code == 404


def test_fillers_are_coded_where_it_is_asked_for(study, owner, anna):
    post(owner, study, "fillers", with_fillers="yes")
    assert len(anna.items()) == 20
    post(owner, study, "fillers", with_fillers="no")
    assert len(anna.items()) == 16


def test_freezing_says_what_is_not_finished_and_what_it_means(study, owner, anna):
    anna.save(anna.items()[0], ["0"])
    asked = page_of(owner, study, "freeze")
    assert "nobody can change a coding" in asked
    assert "Not finished yet" in asked
    page = post(owner, study, "freeze").content.decode()
    assert "The codings are frozen" in page
    assert "Add a coder" not in page
    assert (step_of(study).kind, step_of(study).text) == ("done", "Frozen")
    for name, data in (("fillers", {"with_fillers": "yes"}), ("remove_coder", {}), ("share", {"share": "10"})):
        numbers = [] if name == "fillers" else [1]
        assert "frozen" in post(owner, study, name, *numbers, **data).content.decode(), name
    assert Coding.objects.count() == 1


def test_unfreezing_needs_a_reason_that_stands_in_the_history(study, owner, anna):
    anna.save(anna.items()[0], ["0"])
    post(owner, study, "freeze")
    assert owner.post(reverse("coding:unfreeze", args=[study.slug]), {"reason": " "}).status_code == 422
    page = post(owner, study, "unfreeze", reason="One coder had read the wrong guide").content.decode()
    assert "You can change the codings again." in page
    assert "wrong guide" in AuditEntry.objects.filter(study=study).order_by("-pk").first().detail


def test_nothing_can_be_frozen_before_something_is_coded(study, owner, anna):
    post(owner, study, "freeze")
    assert not state_of(study).is_frozen
    assert step_of(study).kind == "number"


def test_the_step_counts_what_is_coded_and_is_done_in_the_end(study, anna):
    items = anna.items()
    for item in items[:5]:
        anna.save(item, ["0"])
    assert (step_of(study).kind, step_of(study).text) == ("number", "5 of 16 coded")
    for item in items[5:]:
        anna.save(item, ["0"])
    assert (step_of(study).kind, step_of(study).text) == ("done", "All coded")

"""Owners, editors, viewers and superusers see and change what they may, and nobody else anything."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser

from experiments.models import AuditEntry
from experiments.study.access import OWNER, can_code, can_edit, can_view, role_in, studies_for, studies_to_code
from experiments.study.lifecycle import LifecycleRefusal, create_study, remove_member, save_member


def rights(user, study):
    assert (study in studies_for(user)) == can_view(user, study)
    return can_view(user, study), can_edit(user, study), role_in(user, study) == OWNER


def test_the_owner_may_everything_and_a_stranger_nothing(draft, researcher, other_researcher):
    assert rights(researcher, draft) == (True, True, True)
    assert rights(other_researcher, draft) == (False, False, False)
    assert rights(AnonymousUser(), draft) == (False, False, False)


@pytest.mark.parametrize(("role", "expected"), [("viewer", (True, False, False)), ("editor", (True, True, False))])
def test_members_may_what_their_role_says(draft, researcher, other_researcher, role, expected):
    save_member(draft, other_researcher, role, researcher)
    assert rights(other_researcher, draft) == expected
    remove_member(draft, other_researcher, researcher)
    assert rights(other_researcher, draft) == (False, False, False)
    assert list(AuditEntry.objects.values_list("action", "detail")[:2]) == [
        ("member removed", "bela"),
        ("member added", f"bela: {role}"),
    ]


def test_a_superuser_owns_every_study(draft):
    admin = get_user_model().objects.create_superuser("root", "root@example.org", "a long password")
    assert rights(admin, draft) == (True, True, True)


def test_an_account_that_was_switched_off_sees_nothing(draft, researcher):
    researcher.is_active = False
    assert rights(researcher, draft) == (False, False, False)


def test_a_study_with_several_members_is_listed_once(draft, researcher, other_researcher):
    third = get_user_model().objects.create_user("cem")
    save_member(draft, other_researcher, "viewer", researcher)
    save_member(draft, third, "editor", researcher)
    create_study(slug="another", title="Another", paradigm="magnitude-estimation", user=other_researcher)
    assert [study.slug for study in studies_for(other_researcher)] == ["another", "causal"]
    assert [study.slug for study in studies_for(researcher)] == ["causal"]


def test_the_owner_needs_no_role_and_unknown_roles_are_refused(draft, researcher, other_researcher):
    with pytest.raises(LifecycleRefusal, match="owns the study"):
        save_member(draft, researcher, "viewer", researcher)
    with pytest.raises(LifecycleRefusal, match="no role 'boss'"):
        save_member(draft, other_researcher, "boss", researcher)


def test_a_coder_may_code_and_sees_nothing_else(draft, researcher, other_researcher):
    save_member(draft, other_researcher, "coder", researcher)
    assert rights(other_researcher, draft) == (False, False, False)
    assert role_in(other_researcher, draft) == "coder"
    assert can_code(other_researcher, draft)
    assert list(studies_to_code(other_researcher)) == [draft]
    assert not can_code(AnonymousUser(), draft)
    remove_member(draft, other_researcher, researcher)
    assert not can_code(other_researcher, draft)
    assert not studies_to_code(other_researcher).exists()


def test_members_who_see_the_study_may_code_but_are_no_coders(draft, researcher, other_researcher):
    save_member(draft, other_researcher, "viewer", researcher)
    assert can_code(other_researcher, draft)
    assert can_code(researcher, draft)
    assert not studies_to_code(other_researcher).exists()
    assert not studies_to_code(researcher).exists()

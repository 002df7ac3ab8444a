"""The allow-list: every operation of the API is allowed or refused, and nothing that is refused can be reached."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from config.api.catalogue import OPERATIONS
from config.api.operations.studies import ChangedStudy
from config.assistants import allowed
from config.assistants.platform import IF_STATUS, NotDone, Platform
from config.assistants.server import TOOLS
from experiments.models import Study

BY_NAME = {one.name: one for one in OPERATIONS}
REFUSED = [name for names in allowed.REFUSED.values() for name in names]
# Written down a second time: whatever happens to the table of the product, none of these is ever allowed.
NEVER = """
    open_study pause_study resume_study close_study delete_study erase_participant erase_everybody erase_identities
    get_payment_list create_personal_links list_sessions list_participants get_participant get_export get_everything
    create_archive download_archive get_run_file get_paper revoke_token simulate exclude_participant
""".split()  # noqa: SIM905 - as a table


def test_every_operation_of_the_api_is_allowed_or_refused_and_none_is_both() -> None:
    assert len(REFUSED) == len(set(REFUSED))
    assert set(allowed.ALLOWED) & set(REFUSED) == set()
    assert set(allowed.ALLOWED) | set(REFUSED) == set(BY_NAME)


@pytest.mark.parametrize("name", NEVER)
def test_what_is_for_people_alone_is_never_allowed(name: str) -> None:
    assert name in BY_NAME
    assert name not in allowed.ALLOWED
    with pytest.raises(NotDone, match="cannot use"):
        Platform("http://127.0.0.1:8000", "lectern_pat_x").ask(name, slug="any")


@pytest.mark.parametrize("name", allowed.ALLOWED)
def test_an_allowed_operation_is_asked_as_the_api_declares_it(name: str) -> None:
    declared, asked = BY_NAME[name], allowed.ALLOWED[name]
    assert (asked.method, asked.path, asked.creates) == (declared.method, declared.path, declared.creates)
    assert set(declared.scopes) <= {"read", "write"}
    stores = "write" in declared.scopes
    assert asked.changes_draft == (stores and not declared.creates)
    # The platform compares the state of the study under its lock for these alone.
    assert not asked.changes_draft or declared.is_guarded


def test_tools_use_what_is_allowed_and_all_of_it() -> None:
    used = {name for tool in TOOLS.values() for name in tool.operations}
    assert used == set(allowed.ALLOWED)
    for tool in TOOLS.values():
        operations = [allowed.ALLOWED[name] for name in tool.operations]
        assert tool.changes == any(one.changes_draft or one.creates for one in operations)


def test_fields_that_decide_about_erasing_are_not_among_those_that_assistants_change() -> None:
    assert set(ChangedStudy().fields) - set(allowed.FIELDS) == {"retention_until", "erases_itself"}


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("change_draft", {"fields": {"title": "Changed"}}),
    ("change_settings", {"settings": {}, "procedure": {"completion_code": "X"}}),
    ("replace_materials", {"table": "item,text\na,A sentence.\n"}),
    ("check_materials", {"table": "item,text\na,A sentence.\n"}),
    ("replace_text", {"kind": "debriefing", "body": "Changed."}),
    ("replace_plan", {"plan": {"hypotheses": "Changed."}}),
    ("replace_criteria", {"criteria": []}),
    ("simulate_draft", {"participants": 1}),
]


def everything() -> dict[str, list[Any]]:
    kept = {"accounts.personaltoken", "accounts.keptanswer"}
    return {
        model._meta.label_lower: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.label_lower not in kept
    }


def test_changes_are_those_that_are_tried_below() -> None:
    guarded = {name for name, tool in TOOLS.items() if tool.changes} - {"create_draft", "copy_to_draft"}
    assert guarded <= {name for name, _given in CHANGES}


@pytest.mark.parametrize(("name", "given"), CHANGES, ids=[name for name, _given in CHANGES])
def test_a_study_that_is_open_is_not_changed_whatever_the_token_allows(
    assistant: Any, open_one: Study, name: str, given: dict[str, Any]
) -> None:
    before = everything()
    told = assistant.refused(name, study=open_one.slug, **given)
    assert "only drafts" in told
    assert everything() == before


@pytest.mark.parametrize("name", [name for name in allowed.ALLOWED if allowed.ALLOWED[name].changes_draft])
def test_a_study_that_was_opened_meanwhile_is_not_changed_either(assistant: Any, open_one: Study, name: str) -> None:
    """The look at the state is left out here, as where somebody opens the study right after it."""
    platform: Platform = assistant.server.platform
    reads = {"put_materials": "get_materials", "put_text": "get_text", "put_plan": "get_plan"}
    reads |= {"put_criteria": "get_criteria", "change_settings": "get_settings", "change_study": "get_study"}
    kind: dict[str, Any] = {"kind": "debriefing"} if name == "put_text" else {}
    etag = platform.ask(reads[name], slug=open_one.slug, **kind).etag
    bodies: dict[str, Any] = {
        "put_text": {"body": "Changed."},
        "put_plan": {"hypotheses": "Changed."},
        "put_criteria": {"criteria": []},
        "change_settings": {"procedure": {"completion_code": "X"}},
        "change_study": {"title": "Changed"},
    }
    sent: dict[str, Any] = {"table": "item,text\na,A.\n"} if name == "put_materials" else {"body": bodies[name]}
    before = everything()
    with pytest.raises(NotDone, match="state"):
        platform.ask(name, etag=etag, slug=open_one.slug, **kind, **sent)
    assert everything() == before


def test_the_header_is_the_one_that_the_api_knows() -> None:
    from config.api import etags

    assert IF_STATUS == etags.IF_STATUS


def test_what_is_read_of_a_study_with_participants_names_none_of_them(assistant: Any, open_one: Study) -> None:
    from participants.models import Participant

    read = [assistant.done("read_study", study=open_one.slug, what=what) for what in _aspects()]
    read += [assistant.done("list_studies"), assistant.done("about_connection")]
    pseudonyms = list(Participant.objects.values_list("pseudonym", flat=True))
    assert pseudonyms
    assert not [name for name in pseudonyms if any(name in text for text in read)]
    paths = {path for _method, path in assistant.web.asked}
    assert not [path for path in paths if any(step in path for step in ("sessions", "participants", "exports", "runs"))]


def _aspects() -> list[str]:
    aspects: list[str] = TOOLS["read_study"].takes["what"]["enum"]
    return aspects


@pytest.mark.parametrize("slug", ["..", ".", "a/b", "../tokens/self/revoke", "%2e%2e", "a b", "ä", "", "x" * 61, "a\n"])
def test_no_name_of_a_study_leads_to_another_address(assistant: Any, slug: str) -> None:
    before = len(assistant.web.asked)
    assistant.refused("read_study", study=slug)
    assert len(assistant.web.asked) == before

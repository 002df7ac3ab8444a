"""Every operation of the schema, asked by every kind of token and person, about one's own and foreign studies."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from analysis.models import AnalysisRun
from config.accounts.models import PersonalToken
from config.accounts.tokens.made import make_token, revoke_token
from config.accounts.tokens.secrets import new_token
from config.api.schema.document import document
from experiments.models import Membership, Study
from experiments.study.access import GUESTS
from participants.models import Hook, Participant
from tests.api.conftest import ALL, Program, token_of
from tests.participants.studies import open_study

pytestmark = pytest.mark.django_db

# What every operation needs: scopes of the token (read always) and role of the person. Written down here a second time,
# so that whoever changes a declaration meets this table.
NEEDS = {
    "anybody": "get_token revoke_token list_studies list_methods",
    "maker": "create_study/write validate_study",
    "viewer": """
        get_study get_readiness get_study_file copy_study/write get_materials list_materials_versions
        get_materials_version get_materials_version_table get_materials_difference list_media get_media list_texts
        get_text get_settings get_plan list_sources get_source get_criteria get_quota get_flow get_watch get_simulation
        list_scores list_sessions/data list_participants/data get_participant/data list_exports/data get_export/data
        get_everything/data create_archive/data list_archives/data get_archive/data download_archive/data list_runs/data
        get_run/data get_run_file/data get_paper/data preview_simulation
    """,
    "editor": """
        change_study/write open_study/write pause_study/write resume_study/write close_study/write put_materials/write
        check_materials restore_materials_version/write
        add_media/write put_media/write delete_media/write put_text/write change_settings/write
        put_plan/write create_source/write change_source/write delete_source/write put_criteria/write put_quota/write
        create_personal_links/write simulate/write cancel_simulation/write remove_simulated/write
        exclude_participant/write+data include_participant/write+data erase_participant/write+data
        create_run/write+data delete_run/write+data cancel_run/write+data
        list_hooks get_hook create_hook/write+data change_hook/write+data delete_hook/write
        rotate_hook_secret/write+data send_test_event/write list_deliveries/data replay_deliveries/write+data
    """,
    "owner": """
        delete_study/write archive_study/write unarchive_study/write erase_everybody/write+data
        erase_identities/write+identities get_payment_list/data+identities
    """,
}
ROWS = {
    name: (role, tuple(sorted({"read", *scopes.split("+")} - {""})))
    for role, written in NEEDS.items()
    for name, _slash, scopes in (one.partition("/") for one in written.split())
}
LET_IN = {"viewer": ("viewer", "editor", "owner"), "editor": ("editor", "owner"), "owner": ("owner",)}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Return method, path and description of every operation of the schema."""
    paths = document()["paths"]
    return [(method.upper(), path, told) for path, methods in paths.items() for method, told in methods.items()]


def address(path: str, study: Study, slug: str = "") -> str:
    """Return an address about things that are there."""
    values = {
        "slug": slug or str(study.slug),
        "pseudonym": Participant.objects.filter(study=study).first().pseudonym,
        "run": AnalysisRun.objects.filter(study=study).first().pk,
        "kind": "consent",
        "archive": 1,
        "hook": getattr(Hook.objects.filter(study=study).first(), "pk", 1),
        "version": 1,
        "name": "trials.csv" if "exports" in path else "report.json",
    }
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", str(value))
    return path.removeprefix("/api/v1/")


@pytest.fixture
def run(study: Study) -> AnalysisRun:
    return AnalysisRun.objects.create(study=study, method="rm-anova", params={}, status="failed", error="No.")


@pytest.fixture
def members(study: Study, owner: Any, django_user_model: Any) -> dict[str, Any]:
    """People by what they may do in the study."""
    found = {"owner": owner}
    for role in ("viewer", "editor", "coder", "nobody", "administrator"):
        found[role] = django_user_model.objects.create_user(role, is_staff=True, is_superuser=role == "administrator")
        if role in Membership.Role.values:
            Membership.objects.create(study=study, user=found[role], role=role)
    return found


def counted() -> dict[str, int]:
    models = (
        model for model in apps.get_models() if model._meta.app_label in {"experiments", "participants", "analysis"}
    )
    return {model._meta.label: model._default_manager.count() for model in models}


def test_every_operation_has_a_row() -> None:
    said = {
        told["operationId"]: (told["x-lectern-role"], tuple(sorted(told["x-lectern-scopes"])))
        for _method, _path, told in operations()
    }
    assert said == ROWS


def test_nobody_gets_in_without_a_valid_token(study: Study, run: AnalysisRun, owner: Any) -> None:
    revoked, revoked_text = make_token(owner, name="revoked", scopes=ALL, expires_at=timezone.now() + timedelta(days=1))
    revoke_token(revoked, by=owner)
    expired_text = token_of(owner)
    PersonalToken.objects.filter(beginning=expired_text[:18]).update(expires_at=timezone.now() - timedelta(seconds=1))
    before = counted()
    programs = [Program(text) for text in (revoked_text, expired_text, new_token(), "", "lectern_pat_" + "é" * 46)]
    # A browser that is logged in is not a program with a token.
    programs[3].client.force_login(owner)
    for number, (method, path, _told) in enumerate(operations()):
        answer = programs[number % len(programs)].ask(method, address(path, study))
        # So many refusals from one address are themselves limited.
        assert answer.status_code in (401, 429), (method, path)
        assert answer.status_code == 429 or answer["WWW-Authenticate"].startswith("Bearer")
    assert counted() == before
    for program in programs:
        assert program.get("tokens/self/").status_code in (401, 429)


def test_an_account_that_is_closed_has_no_tokens(program: Program, owner: Any) -> None:
    owner.is_active = False
    owner.save()
    assert program.get("tokens/self/").status_code == 401


def test_a_token_without_a_scope_is_refused(study: Study, run: AnalysisRun, members: dict[str, Any]) -> None:
    programs = {
        lacking: Program(token_of(members["owner"], [scope for scope in ALL if scope != lacking]))
        for lacking in ALL[1:]
    }
    before = counted()
    for method, path, told in operations():
        for scope in told["x-lectern-scopes"]:
            if scope == "read":
                continue  # every token can read
            answer = programs[scope].ask(method, address(path, study))
            assert (answer.status_code, answer.json()["code"]) == (403, "lacks-scope"), (method, path, scope)
            assert scope in answer.json()["detail"]
    assert counted() == before


def test_a_foreign_study_is_not_there(study: Study, run: AnalysisRun, members: dict[str, Any]) -> None:
    """Whether a study exists is told to nobody who was not added, nor to a token for other studies."""
    other = open_study("another-study", owner=members["owner"])
    programs = [Program(token_of(members[role])) for role in ("nobody", "coder")]
    programs.append(Program(token_of(members["owner"], studies=[other])))
    before = counted()
    for method, path, told in operations():
        if "{slug}" in path:
            for program in programs:
                there = program.ask(method, address(path, study))
                nowhere = program.ask(method, address(path, study, slug="no-such-study"))
                assert there.status_code == nowhere.status_code == 404, (method, path, told["operationId"])
                assert there.json() == nowhere.json()
    assert counted() == before
    assert [one["slug"] for one in programs[2].get("studies/").json()["items"]] == ["another-study"]
    assert [program.get("studies/").json()["items"] for program in programs[:2]] == [[], []]


def test_people_do_what_their_role_allows(study: Study, run: AnalysisRun, members: dict[str, Any]) -> None:
    programs = {role: Program(token_of(members[role])) for role in ("viewer", "editor", "owner", "administrator")}
    for method, path, told in operations():
        needed = told["x-lectern-role"]
        if "{slug}" not in path:
            continue
        for role, program in programs.items():
            with transaction.atomic():
                answer = program.ask(method, address(path, study))
                transaction.set_rollback(True)
            is_let_in = role == "administrator" or role in LET_IN[needed]
            refused = answer.status_code == 403 and answer.json()["code"] == "not-allowed"
            assert refused is not is_let_in, (method, path, role, answer.status_code)
            assert answer.status_code < 500, (method, path, answer.status_code)
            assert answer.status_code != 401, (method, path, role)


def test_guests_make_no_studies(study: Study, members: dict[str, Any]) -> None:
    members["viewer"].groups.add(Group.objects.create(name=GUESTS))
    program = Program(token_of(members["viewer"]))
    new = {"slug": "new-one", "title": "New", "paradigm": "rating"}
    assert program.post("studies/", new).status_code == 403
    assert program.post("studies/validate/", new).status_code == 403
    assert program.post("studies/small-study/copy/", {"slug": "copied"}).status_code == 403
    assert Study.objects.count() == 1


def test_a_token_for_some_studies_makes_none(study: Study, owner: Any) -> None:
    program = Program(token_of(owner, studies=[study]))
    assert program.post("studies/", {"slug": "n", "title": "New", "paradigm": "rating"}).status_code == 403
    assert program.post("studies/small-study/copy/", {"slug": "copied"}).status_code == 403
    assert program.get("studies/small-study/").status_code == 200
    assert program.get("tokens/self/").json()["studies"] == ["small-study"]

"""Every address of the URL conf, asked by everybody: who is let in, and who is not. A new address needs a row here.

`test_access_matrix` says exactly what participants' addresses answer; here are all, with one question each: is somebody
let in or turned away (to the log-in, 403, 404, 405)?
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from analysis.models import AnalysisRun, TableRun, UploadedTable
from config.accounts import urls as accounts
from experiments.models import AuditEntry, Item, Membership, StimulusList, Study
from participants.models import Response, Session, SessionCode, Trial
from tests.participants.studies import Browser, open_study

# Whoever stands further right may do what those on the left may.
STRANGERS = ("anonymous", "other participant", "participant")

# Who is let in: everybody (what exactly happens there, `test_access_matrix` says of participants' addresses),
# researchers with an account, members of the study, who uploaded the table, those who may see the record,
# administrators, or nobody.
ROWS: dict[str, str] = {
    "everybody": """
        participants:home participants:healthz participants:readyz participants:landing participants:run
        participants:preview participants:reading participants:preview-link
        participants:media participants:withdraw participants:continue participants:api-study participants:api-start
        participants:api-recover participants:api-resume participants:api-open participants:api-results
        participants:api-check participants:api-advance
        participants:api-pause participants:api-release participants:api-complete participants:api-errors
        participants:api-withdraw participants:api-preview participants:api-validate participants:api-preview-check
        participants:plugin-module
        schema schema-ui documents document admin:login admin:logout
    """,
    "staff": """
        study:index study:start tables:tables admin:index admin:search admin:password_change admin:password_change_done
        admin:autocomplete admin:jsi18n admin:view_on_site admin:app_list admin:admin/(?P<url>.*)$
        admin:experiments_study_changelist admin:experiments_study_add admin:experiments_auditentry_changelist
        admin:participants_participant_changelist admin:participants_session_changelist
        admin:participants_trial_changelist admin:participants_response_changelist
        admin:analysis_analysisrun_changelist
    """,
    "members": """
        study:import_report
        study:home study:materials study:item study:replace_materials study:check_materials study:store_materials
        study:template_of_materials study:media study:add_media study:remove_media
        study:download_materials study:design study:list study:procedure study:questions study:texts study:text
        study:wording study:upload_wording study:remove_wording study:language_file study:labels
        study:preview study:open study:personal_links study:change_status study:settings study:add_person
        study:look study:parts study:remove_part study:part_questions study:screening study:sources study:remove_source
        study:hand_over study:remove_person study:copy study:archive study:shelf study:delete
        watch:watch watch:supervision watch:discard_code watch:hold_session watch:release_session watch:participants
        watch:let_in watch:let_in_by_id
        watch:simulate watch:simulation_progress watch:cancel_simulation watch:remove_simulated
        watch:erase_identities watch:payment watch:erase_all watch:participant watch:replay watch:exclude watch:readmit
        watch:withdraw
        coding:overview coding:add_coder coding:share coding:remove_coder coding:sheet coding:sheet_file coding:fillers
        coding:scheme coding:freeze coding:unfreeze coding:workspace coding:items coding:next coding:save coding:undo
        coding:adjudicate coding:adjudicate_items coding:adjudicate_next coding:decide coding:adjudicate_undo
        analysis:profile analysis:plan analysis:plan_suggested analysis:plan_family analysis:plan_new
        analysis:run_planned analysis:unplan
        analysis:analyse analysis:suggested analysis:new analysis:run analysis:progress analysis:compare analysis:again
        analysis:calibrate analysis:cancel analysis:delete analysis:rating_study analysis:run_file
        analysis:export analysis:export_all analysis:export_archive
        analysis:export_progress analysis:export_file analysis:scores analysis:remove_score
        analysis:store_profile analysis:store_run analysis:word_scores analysis:remove_word_score
        analysis:profile_figure analysis:export_paper analysis:distractors analysis:store_distractors
        analysis:sequential analysis:without_sequential analysis:end_sequential
    """,
    "their owner": """
        tables:table tables:download tables:delete tables:study tables:new tables:run tables:progress
        tables:delete_run tables:run_file
    """,
}
# The lists of records have one address for each of these; in all of them the same holds.
RECORDS = (
    "experiments_study", "experiments_auditentry", "participants_participant", "participants_session",
    "participants_trial", "participants_response", "analysis_analysisrun",
)  # fmt: skip
OF_RECORD = ("add", "history", "delete", "change")
ACCOUNTS = ("auth_user",)


def row_of(name: str) -> str:
    """Return who is let in at an address; empty for one that nobody has thought of."""
    for who, names in ROWS.items():
        if name in names.split():
            return who
    if re.fullmatch(r"admin:admin/\w+/\w+/<path:object_id>/", name):
        # An old form of the address, which leads to the page of the record without having looked for it.
        return "staff"
    for model in RECORDS:
        if name in {f"admin:{model}_{what}" for what in OF_RECORD}:
            return "members"
    if name.startswith("admin:account_") or any(name.startswith(f"admin:{model}_") for model in ACCOUNTS):
        return "administrators"
    return ""


def addresses(resolver: Any = None, route: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Return (name, route) of every address that the platform has."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            if pattern.urlconf_module is accounts:
                continue  # whoever has an account meets them; they have rows of their own in tests/accounts
            within = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from addresses(pattern, route + str(pattern.pattern), within)
        elif isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name or route + str(pattern.pattern)}", route + str(pattern.pattern)


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


@pytest.fixture
def clients(study: Study, django_user_model: Any) -> dict[str, Client]:
    participant = Browser(study, seed=1)
    participant.start()
    participant.open()
    participant.send(participant.result(0))
    stranger = Browser(open_study("another-study"), seed=2)
    stranger.start()
    made = {"anonymous": Client(), "participant": participant.client, "other participant": stranger.client}
    for role in ("other researcher", "viewer", "owner", "superuser"):
        user = django_user_model.objects.create_user(role, is_staff=True, is_superuser=role == "superuser")
        made[role] = Client()
        made[role].force_login(user)
        if role == "viewer":
            Membership.objects.create(study=study, user=user, role="viewer")
        if role == "owner":
            Study.objects.filter(pk=study.pk).update(owner=user)
    SessionCode.objects.create(  # type: ignore[misc]  # the codes are properties, which seal them
        study=study, code="S2S2S2", release_code="R2L2S2", session=Session.objects.get(study=study)
    )
    AuditEntry.objects.create(study=study, study_slug=study.slug, action="changed")
    AnalysisRun.objects.create(study=study, method="rm-anova", params={}, data_hash="0", code_version="1")
    table = UploadedTable.objects.create(
        owner=django_user_model.objects.get(username="owner"), name="t.csv", content="a\r\n1\r\n", columns=[], rows=1
    )
    TableRun.objects.create(table=table, method="rm-anova", params={}, status="failed", error="No.")
    return made


def filled(route: str, study: Study) -> str:
    """Return the address of a route, about things of this study that are there."""
    session = Session.objects.get(study=study)
    of_model = {
        "study": study, "auditentry": AuditEntry.objects.get(study=study, action="changed"), "user": study.owner,
        "participant": session.participant, "session": session, "trial": Trial.objects.filter(session=session).first(),
        "response": Response.objects.get(trial__session=session), "analysisrun": AnalysisRun.objects.get(study=study),
    }  # fmt: skip
    values = {
        "slug": study.slug, "item_id": Item.objects.filter(part__study=study).first(),
        "list_id": StimulusList.objects.filter(part__study=study).first(), "kind": "consent", "part": "task",
        "action": "close", "which": "texts",
        "user_id": study.memberships.get().user, "code_id": SessionCode.objects.get(),
        "pseudonym": session.participant.pseudonym, "position": 0, "number": 1, "index": 0, "method": "rm-anova",
        "run_id": of_model["analysisrun"], "score_id": 0, "name": "trials.csv", "content_type_id": 1,
    }  # fmt: skip
    if route.startswith("admin/tables/"):
        table_id, run_id = UploadedTable.objects.get().pk, TableRun.objects.get().pk
        values |= {"table_id": table_id, "run_id": run_id, "name": "report.json"}
    named = re.search(r"^admin/\w+/(\w+)/", route)
    about = of_model.get(named[1] if named else "")
    values |= {"object_id": about, "id": about}

    def value(found: re.Match[str]) -> str:
        given = values.get(found[1])
        return str(getattr(given, "pk", given) or 0)

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)


def is_turned_away(answer: Any) -> bool:
    """Return whether somebody got no further than the door: to the log-in, to the start page, or a refusal."""
    if answer.status_code in {301, 302}:
        where = answer.headers["Location"]
        return where.startswith("/admin/login/") or where in {"/admin/", "/admin/studies/"}
    return answer.status_code in {400, 401, 403, 404, 405}


def counted() -> dict[str, int]:
    """Return how many rows there are of everything but log-ins and their messages."""
    return {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models()
        if model._meta.app_label in {"experiments", "participants", "analysis", "auth"}
    }


def test_every_address_has_a_row() -> None:
    assert [name for name, _route in addresses() if not row_of(name)] == []
    known = {name for name, _route in addresses()}
    assert {name for names in ROWS.values() for name in names.split()} <= known


@pytest.mark.parametrize("role", [*STRANGERS, "other researcher"])
def test_whoever_is_not_meant_is_turned_away(clients: dict[str, Client], study: Study, role: str) -> None:
    study.refresh_from_db()
    open_to = {"everybody"} if role in STRANGERS else {"everybody", "staff"}
    routes = [(name, filled(route, study)) for name, route in addresses() if row_of(name) not in open_to]
    assert len(routes) > 90
    before = counted()
    let_in = [
        (method, name, answer.status_code)
        for name, address in routes
        for method in ("get", "post")
        if not is_turned_away(answer := getattr(clients[role], method)(address))
    ]
    assert let_in == []
    assert counted() == before


def test_a_viewer_changes_nothing_by_any_request_without_a_body(clients: dict[str, Client], study: Study) -> None:
    study.refresh_from_db()
    before = counted()
    for name, route in addresses():
        if row_of(name) == "members":
            answer = clients["viewer"].post(filled(route, study))
            assert answer.status_code < 500, name
    after = counted()
    # An export leaves its entry in the history.
    assert {model: number for model, number in after.items() if model != "experiments.AuditEntry"} == {
        model: number for model, number in before.items() if model != "experiments.AuditEntry"
    }


def test_an_uploaded_table_is_its_owners_alone(clients: dict[str, Client], study: Study) -> None:
    study.refresh_from_db()
    addresses_of = [filled(route, study) for name, route in addresses() if row_of(name) == "their owner"]
    assert len(addresses_of) == 9
    for role in ("other researcher", "viewer", "superuser"):
        assert {clients[role].get(address).status_code for address in addresses_of} <= {404, 405}
    let_in = [clients["owner"].get(address).status_code for address in addresses_of if "/runs/" not in address]
    assert let_in == [200] * len(let_in)


@pytest.mark.parametrize(
    "name", ["study:home", "study:materials", "study:settings", "watch:watch", "watch:participants", "analysis:export"]
)
def test_members_are_let_in(clients: dict[str, Client], study: Study, name: str) -> None:
    study.refresh_from_db()
    address = filled(dict(addresses())[name], study)
    assert [clients[role].get(address).status_code for role in ("viewer", "owner", "superuser")] == [200] * 3

"""Every address of the URL conf, asked by everybody: who is let in, and who is not. A new address needs a row here.

`test_access_matrix` says exactly what participants' addresses answer; here are all, with one question each: is somebody
let in or turned away (to the log-in, 403, 404, 405)?
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from analysis.models import AnalysisRun, Deposit, TableRun, UploadedTable
from config.accounts import urls as accounts
from experiments.models import AuditEntry, Item, Membership, StimulusList, Study, Team, TeamMember
from experiments.study.lifecycle import share_with_team
from participants.models import (
    Hook,
    PaymentTotal,
    RecruitmentAccount,
    RecruitmentIdentity,
    Response,
    Session,
    SessionCode,
    Trial,
)
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
        api-v1:openapi api-v1:schema api-v1:r-client
        schema schema-ui study-file-schema llms documents document admin:login admin:logout
    """,
    "staff": """
        study:index study:start study:suggested_name tables:tables admin:index admin:search
        admin:password_change admin:password_change_done
        admin:autocomplete admin:jsi18n admin:view_on_site admin:app_list admin:admin/(?P<url>.*)$
        admin:experiments_study_changelist admin:experiments_study_add admin:experiments_auditentry_changelist
        admin:participants_participant_changelist admin:participants_session_changelist
        admin:participants_trial_changelist admin:participants_response_changelist
        admin:analysis_analysisrun_changelist
    """,
    "members": """
        study:import_report study:looked_at
        study:people study:history study:regions study:materials_versions study:materials_difference
        study:materials_version_csv study:restore_materials
        study:home study:materials study:item study:replace_materials study:check_materials study:store_materials
        study:template_of_materials study:media study:add_media study:remove_media
        study:download_materials study:design study:list study:procedure study:questions study:texts study:text
        study:read_texts study:wording study:upload_wording study:remove_wording study:language_file study:labels
        study:languages study:translations
        study:preview study:open study:personal_links study:change_status study:settings study:add_person
        study:look study:parts study:remove_part study:part_questions study:screening study:sources study:remove_source
        study:hand_over study:remove_person study:share study:stop_sharing study:comments
        watch:notifications watch:hooks watch:hook watch:rotate_hook watch:delete_hook
        watch:recruiting watch:recruiting_draft watch:recruiting_total
        study:copy study:archive study:shelf study:delete
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
        analysis:analyse analysis:picture analysis:picture_progress
        analysis:suggested analysis:new analysis:run analysis:progress analysis:compare analysis:again
        analysis:calibrate analysis:levels analysis:cancel analysis:delete analysis:rating_study analysis:run_file
        analysis:data analysis:data_file analysis:export analysis:export_all analysis:export_archive
        analysis:deposit analysis:deposit_progress analysis:change_deposit
        analysis:export_progress analysis:export_file analysis:scores analysis:remove_score
        analysis:store_profile analysis:store_run analysis:word_scores analysis:remove_word_score
        analysis:profile_figure analysis:export_paper analysis:distractors analysis:store_distractors
        analysis:sequential analysis:without_sequential analysis:end_sequential
    """,
    "programs": """
        api-v1:tokens/self/ api-v1:tokens/self/revoke/ api-v1:methods/ api-v1:nothing
    """,
    "their owner": """
        tables:table tables:download tables:delete tables:study tables:new tables:run tables:progress
        tables:delete_run tables:run_file
    """,
}
# What of the addresses of members somebody sees who may look at the data only, and through which nothing is changed.
ABOUT_DATA = [
    "watch:notifications", "study:comments", "study:home", "watch:watch", "watch:participants", "watch:participant",
    "watch:replay", "watch:exclude", "analysis:analyse", "analysis:picture", "analysis:picture_progress",
    "analysis:new", "analysis:run", "analysis:progress", "analysis:compare", "analysis:again", "analysis:calibrate",
    "analysis:levels", "analysis:cancel", "analysis:delete", "analysis:rating_study", "analysis:store_run",
    "analysis:run_file", "analysis:data", "analysis:data_file", "analysis:export", "analysis:export_all",
    "analysis:export_archive", "analysis:export_progress", "analysis:export_file", "analysis:export_paper",
    "analysis:deposit", "analysis:deposit_progress", "analysis:change_deposit",
]  # fmt: skip
# What they may send: a comment on what they see, what they want to be told, and the request for an archive.
OF_ONES_OWN = {"study:comments", "watch:notifications", "analysis:export_all"}
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
    if name.startswith("api-v1:studies/"):
        return "programs"  # people who are logged in are nobody there; tests/api asks each with every kind of token
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
    now = timezone.now()
    Hook.objects.create(
        study=study, study_slug=study.slug, address="https://example.org/", looked_at=now, created_at=now
    )
    account = RecruitmentAccount.objects.create(study=study, provider="prolific", created_at=now)
    PaymentTotal.objects.create(study=study, account=account, total=0, created_at=now)
    AnalysisRun.objects.create(study=study, method="rm-anova", params={}, data_hash="0", code_version="1")
    Deposit.objects.create(study=study, archive="zenodo", layout="flat", status="failed")
    table = UploadedTable.objects.create(
        owner=django_user_model.objects.get(username="owner"), name="t.csv", content="a\r\n1\r\n", columns=[], rows=1
    )
    TableRun.objects.create(table=table, method="rm-anova", params={}, status="failed", error="No.")
    return made


def filler(study: Study) -> Callable[[str], str]:
    """Return what makes the address of a route, about things of this study that are there now."""
    session = Session.objects.get(study=study)
    of_model = {
        "study": study, "auditentry": AuditEntry.objects.get(study=study, action="changed"), "user": study.owner,
        "participant": session.participant, "session": session, "trial": Trial.objects.filter(session=session).first(),
        "response": Response.objects.get(trial__session=session), "analysisrun": AnalysisRun.objects.get(study=study),
    }  # fmt: skip
    values = {
        "slug": study.slug, "item_id": Item.objects.filter(part__study=study).first(),
        "list_id": StimulusList.objects.filter(part__study=study).first(), "kind": "consent", "part": "task",
        "action": "close", "which": "texts", "tag": "de",
        "user_id": study.memberships.order_by("pk").first().user, "team_id": 0, "code_id": SessionCode.objects.get(),
        "pseudonym": session.participant.pseudonym, "position": 0, "number": 1, "index": 0, "method": "rm-anova",
        "run_id": of_model["analysisrun"], "score_id": 0, "name": "trials.csv", "content_type_id": 1,
        "hook_id": Hook.objects.get(study=study), "account_id": RecruitmentAccount.objects.get(study=study),
        "total_id": PaymentTotal.objects.get(study=study), "deposit_id": Deposit.objects.get(study=study),
    }  # fmt: skip
    of_table = {"table_id": UploadedTable.objects.get(), "run_id": TableRun.objects.get(), "name": "report.json"}

    def filled(route: str) -> str:
        known = {**values, **of_table} if route.startswith("admin/tables/") else values
        named = re.search(r"^admin/\w+/(\w+)/", route)
        about = of_model.get(named[1] if named else "")

        def value(found: re.Match[str]) -> str:
            given = {**known, "object_id": about, "id": about}.get(found[1])
            return str(getattr(given, "pk", given) or 0)

        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)

    return filled


def is_turned_away(answer: Any) -> bool:
    """Return whether somebody got no further than the door: to the log-in, to the start page, or a refusal."""
    if answer.status_code in {301, 302}:
        where = answer.headers["Location"]
        return where.startswith("/admin/login/") or where in {"/admin/", "/admin/studies/"}
    return answer.status_code in {400, 401, 403, 404, 405, 429}


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
    filled = filler(study)
    routes = [(name, filled(route)) for name, route in addresses() if row_of(name) not in open_to]
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
    filled = filler(study)
    for name, route in addresses():
        if row_of(name) == "members":
            answer = clients["viewer"].post(filled(route))
            assert answer.status_code < 500, name
    after = counted()
    # An export leaves its entry in the history.
    assert {model: number for model, number in after.items() if model != "experiments.AuditEntry"} == {
        model: number for model, number in before.items() if model != "experiments.AuditEntry"
    }


def answers_of(client: Client, study: Study, names: Collection[str] | None = None) -> dict[str, int]:
    """Return the status of these addresses of members, or of all, asked by GET."""
    filled = filler(study)
    asked = [
        (name, filled(route))
        for name, route in addresses()
        if row_of(name) == "members" and (names is None or name in names)
    ]
    return {name: client.get(address).status_code for name, address in asked}


@pytest.fixture
def colleague(study: Study, clients: dict[str, Client], django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("colleague", is_staff=True)


def test_the_role_for_data_opens_what_was_collected_and_nothing_else(
    clients: dict[str, Client], study: Study, colleague: Any
) -> None:
    study.refresh_from_db()
    Membership.objects.create(study=study, user=colleague, role="data")
    client = Client()
    client.force_login(colleague)
    before = counted()
    answers = answers_of(client, study)
    viewers = answers_of(clients["viewer"], study, [name for name in ABOUT_DATA if answers[name] in (403, 404)])
    assert {name for name, status in viewers.items() if status not in (403, 404)} == set()
    # Everything else is not there, whatever it is; the lists of records lead nowhere else.
    opened = {name for name, status in answers.items() if name not in ABOUT_DATA and status not in (302, 404, 405)}
    assert opened == {name for name in opened if name.startswith("admin:") and answers[name] == 403}
    filled = filler(study)
    posted = {
        name: client.post(filled(route)).status_code
        for name, route in addresses()
        if row_of(name) == "members" and not name.startswith("admin:") and name not in OF_ONES_OWN
    }
    refused = {True: (403, 405), False: (404, 405)}
    assert {name: status for name, status in posted.items() if status not in refused[name in ABOUT_DATA]} == {}
    after = counted()
    assert {model: n for model, n in after.items() if model != "experiments.AuditEntry"} == {
        model: n for model, n in before.items() if model != "experiments.AuditEntry"
    }


def test_who_looks_at_data_sees_no_identity_and_no_material(
    clients: dict[str, Client], study: Study, colleague: Any
) -> None:
    study.refresh_from_db()
    session = Session.objects.get(study=study)
    known = {"source": "prolific", "external_id": "5f8e6d4c3b2a190807060504"}
    RecruitmentIdentity.objects.create(study=study, participant=session.participant, **known)
    Membership.objects.create(study=study, user=colleague, role="data")
    client = Client()
    client.force_login(colleague)
    filled = filler(study)
    named = dict(addresses())
    for name in ("watch:watch", "watch:participants", "watch:participant", "analysis:data", "analysis:export_file"):
        answer = client.get(filled(named[name]))
        assert answer.status_code == 200
        text = answer.getvalue()
        assert b"5f8e" not in text
        assert b"0504" not in text
    assert client.get(f"/s/{study.slug}/preview/").status_code == 404
    assert client.get(filled(named["watch:payment"])).status_code == 404
    assert study.title in client.get("/admin/").content.decode()
    home = client.get(filled(named["study:home"]))
    assert home.status_code == 302
    assert home["Location"].endswith("/watch/")
    page = client.get(home["Location"]).content.decode()
    assert f"/admin/studies/{study.slug}/materials/" not in page
    assert f"/admin/studies/{study.slug}/people/" not in page


@pytest.mark.parametrize("role", ["editor", "data"])
def test_a_team_opens_what_the_role_opens_and_closes_with_it(
    clients: dict[str, Client], study: Study, colleague: Any, django_user_model: Any, role: str
) -> None:
    study.refresh_from_db()
    other = django_user_model.objects.create_user("added alone", is_staff=True)
    Membership.objects.create(study=study, user=other, role=role)
    team = Team.objects.create(name="Laboratory")
    entry = TeamMember.objects.create(team=team, user=colleague)
    share_with_team(study, team, role, None)
    alone, by_team = Client(), Client()
    alone.force_login(other)
    by_team.force_login(colleague)
    assert answers_of(by_team, study) == answers_of(alone, study)
    entry.delete()
    assert {status for name, status in answers_of(by_team, study).items() if not name.startswith("admin:")} <= {
        404,
        405,
    }


def test_an_uploaded_table_is_its_owners_alone(clients: dict[str, Client], study: Study) -> None:
    study.refresh_from_db()
    filled = filler(study)
    addresses_of = [filled(route) for name, route in addresses() if row_of(name) == "their owner"]
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
    address = filler(study)(dict(addresses())[name])
    assert [clients[role].get(address).status_code for role in ("viewer", "owner", "superuser")] == [200] * 3

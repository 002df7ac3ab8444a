"""Sessions and participants: where they are, their quality, exclusion and its undo."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers

from config.api.declarations import DATA, IDENTITIES, READ, WRITE, Answer, Call, Operation
from config.api.fields import Choice, Number, Shape, Table, Text, Truth, Whole
from config.api.operations.shapes import Nothing
from config.api.paging import Page, page_of, paged
from config.api.problems import Problem, at
from participants.erasure.identities import erase_identities
from participants.erasure.whole_studies import erase_all
from participants.erasure.withdrawal import loss_of, withdraw
from participants.models import Session
from participants.session.answered import A_PAGE
from participants.session.planned_exclusion import judge_finished, rule_in_words
from participants.watching.exclusion import exclude, readmit
from participants.watching.monitoring import PLACES, place_condition, place_in
from participants.watching.session_quality import flags_of, quality_of


class Which(Page):
    """Which sessions are listed."""

    state = Choice(choices=PLACES, required=False, help_text="Where they are.")
    simulated = Truth(required=False, help_text="`true`: simulated ones alone; `false`: people alone.")


class SessionShape(Shape):
    """One session: who by pseudonym, where it is, when."""

    session = Whole(help_text="Its number, as exports have it.")
    participant = Text(help_text="The pseudonym.")
    list = Text(allow_blank=True)
    group = Text(allow_blank=True)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    state = Choice(choices=PLACES)
    status = Choice(choices=Session.Status.choices)
    outcome = Text(allow_blank=True)
    is_simulated = Truth()
    is_excluded = Truth(help_text="By a researcher.")
    exclusion_reason = Text(allow_blank=True)
    planned_exclusion = Text(allow_blank=True, help_text="The rule of the plan that leaves it out, in words.")
    study_version = Whole()
    started_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    minutes = Number(allow_null=True)


class ParticipantShape(Shape):
    """One participant with the quality of the session."""

    session = SessionShape()
    flags = serializers.ListField(child=Text(), help_text="What is worth a look.")
    quality = Table(help_text="Figures of data quality, by name.")


class Reason(Shape):
    """Why a session is left out."""

    reason = Text(max_length=500, help_text="Exports have it next to the data.")


class Confirmed(Shape):
    """What shows that somebody means it."""

    confirm = Text(max_length=60, help_text="The address of the study, so that nobody erases the wrong one.")


class Erased(Shape):
    """What was erased of one participant."""

    participant = Text()
    answers = Whole()
    event_batches = Whole()
    had_recruitment_id = Truth()
    was_complete = Truth()


class ErasedAll(Shape):
    """What was erased of all participants."""

    participants = Whole()
    simulated = Whole()
    finished = Whole()
    answers = Whole()
    recruitment_ids = Whole()


class ErasedIdentities(Shape):
    """How many recruitment ids were erased."""

    recruitment_ids = Whole()


def shown(session: Session) -> dict[str, Any]:
    """Return a session as `SessionShape` has it."""
    ended = session.finished_at
    return {
        "session": session.pk,
        "participant": session.participant.pseudonym,
        "list": session.list.name if session.list is not None else "",
        **{name: getattr(session, name) for name in (
            "group", "source", "status", "outcome", "is_simulated", "is_excluded", "exclusion_reason", "study_version",
            "started_at", "last_seen_at", "finished_at",
        )},
        "state": place_in(session),
        "planned_exclusion": str(rule_in_words(session.study, session.planned_exclusion or "")),
        "minutes": round((ended - session.started_at).total_seconds() / 60, 3) if ended else None,
    }  # fmt: skip


def list_sessions(call: Call) -> Answer:
    """The sessions of the study in the order in which they started."""
    judge_finished(call.study, most=A_PAGE)
    found = _sessions(call)
    if "simulated" in call.query:
        found = found.filter(is_simulated=call.query["simulated"])
    if "state" in call.query:
        found = found.filter(place_condition(call.study, call.query["state"]))
    return paged(call, found, shown)


def get_participant(call: Call) -> Answer:
    """One participant with the quality of the session."""
    return Answer(_participant(_session(call)))


def _participant(session: Session) -> dict[str, Any]:
    quality = {fact.name: fact.value for fact in quality_of(session)}
    return {"session": shown(session), "flags": [str(flag) for flag in flags_of(session)], "quality": quality}


def exclude_participant(call: Call) -> Answer:
    """Leave a session out of the analyses; its data are kept."""
    if not call.body["reason"].strip():
        raise Problem(
            "invalid", "Nobody was excluded.", [at("/reason", "Say why, for people who read the data later.")]
        )
    exclude(_session(call), reason=call.body["reason"], user=call.user)
    return get_participant(call)


def include_participant(call: Call) -> Answer:
    """Take an exclusion back."""
    readmit(_session(call), user=call.user)
    return get_participant(call)


def erase_participant(call: Call) -> Answer:
    """Erase everything about a participant, permanently."""
    session = _session(call)
    loss = loss_of(session.participant)
    withdraw(session.participant, by_participant=False, user=call.user)
    return Answer(
        {
            "participant": call.path["pseudonym"],
            "answers": loss.responses,
            "event_batches": loss.event_batches,
            "had_recruitment_id": loss.has_recruitment_id,
            "was_complete": loss.is_complete,
        }
    )


def erase_everybody(call: Call) -> Answer:
    """Erase all participants of a study that is not open, permanently."""
    _confirmed(call)
    loss = erase_all(call.study, user=call.user)
    return Answer(
        {
            "participants": loss.participants,
            "simulated": loss.simulated,
            "finished": loss.finished,
            "answers": loss.responses,
            "recruitment_ids": loss.recruitment_ids,
        }
    )


def erase_ids(call: Call) -> Answer:
    """Erase all recruitment ids of the study, and keep the data."""
    _confirmed(call)
    return Answer({"recruitment_ids": erase_identities(call.study, user=call.user)})


def _confirmed(call: Call) -> None:
    if call.body["confirm"] != str(call.study.slug):
        fault = at("/confirm", "This is not the address of the study.", f"Send {call.study.slug!s}.")
        raise Problem("invalid", "Nothing was erased.", [fault])


def _sessions(call: Call) -> QuerySet[Session]:
    return Session.objects.filter(study=call.study).select_related("study", "participant", "list")


def _session(call: Call) -> Session:
    found = _sessions(call).filter(participant__pseudonym=call.path["pseudonym"]).first()
    if found is None:
        raise Http404
    return found


_AT = "studies/{slug}/participants/{pseudonym}/"
OPERATIONS = (
    Operation(
        "list_sessions", "GET", "studies/{slug}/sessions/", "List sessions", list_sessions,
        scopes=(READ, DATA), query=Which, gives=page_of(SessionShape, "sessions"), headers=("Link",),
    ),
    Operation(
        "list_participants", "GET", "studies/{slug}/participants/", "List participants", list_sessions,
        scopes=(READ, DATA), query=Which, gives=page_of(SessionShape, "sessions"), headers=("Link",),
        description="Everybody has one session in a study, so this is the list of sessions.",
    ),
    Operation(
        "get_participant", "GET", _AT, "Read a participant's session and its quality", get_participant,
        scopes=(READ, DATA), gives=ParticipantShape,
    ),
    Operation(
        "exclude_participant", "POST", f"{_AT}exclude/", "Exclude a participant", exclude_participant,
        scopes=(READ, WRITE, DATA), role="editor", body=Reason, gives=ParticipantShape,
        description="The data are kept; analyses leave them out, and exports name the reason.",
    ),
    Operation(
        "include_participant", "POST", f"{_AT}include/", "Take an exclusion back", include_participant,
        scopes=(READ, WRITE, DATA), role="editor", body=Nothing, is_body_optional=True, gives=ParticipantShape,
    ),
    Operation(
        "erase_participant", "POST", f"{_AT}erase/", "Erase a participant permanently", erase_participant,
        scopes=(READ, WRITE, DATA), role="editor", body=Nothing, is_body_optional=True, gives=Erased,
        description="Do this when the person asks for it. The study remembers only that somebody withdrew.",
    ),
    Operation(
        "erase_everybody", "POST", "studies/{slug}/erase-participants/", "Erase all participants permanently",
        erase_everybody, scopes=(READ, WRITE, DATA), role="owner", body=Confirmed, gives=ErasedAll,
        description="Of a study that is not open, at the end of retention.",
    ),
    Operation(
        "erase_identities", "POST", "studies/{slug}/erase-identities/", "Erase all recruitment ids", erase_ids,
        scopes=(READ, WRITE, IDENTITIES), role="owner", body=Confirmed, gives=ErasedIdentities,
        description="When everybody has been paid. All answers stay, under their pseudonyms.",
    ),
)  # fmt: skip

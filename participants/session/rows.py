"""Load sessions (with study and participant) and studies by prepared statements.

When a class starts at once they are read hundreds of times a second; compiling the SQL each time would dominate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model
from django.db.models.base import ModelState

from experiments.models import Part, Study
from participants.models import Participant, Session
from participants.prepared import Prepared
from participants.sealing import digest

Row = TypeVar("Row", bound=Model)


def _columns(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


_SESSION, _STUDY, _PARTICIPANT = _columns(Session), _columns(Study), _columns(Participant)
_WHOLE = [*_SESSION, *[f"study__{name}" for name in _STUDY], *[f"participant__{name}" for name in _PARTICIPANT]]
# Fields of a session needed to store a result; others are deferred.
_SESSION_FOR_RESULTS = [
    "id", "study_id", "participant_id", "status", "last_seen_at", "lease_holder", "lease_until", "language",
    "given_up_at",
]  # fmt: skip
# With its own words, in which every answer is given: asked for later, they would be a statement for each result.
_STUDY_FOR_RESULTS = ["id", "slug", "language", "languages", "conduct", "wording"]
_PARTICIPANT_FOR_RESULTS = ["id", "pseudonym"]
_FOR_RESULTS = [
    *_SESSION_FOR_RESULTS,
    *[f"study__{name}" for name in _STUDY_FOR_RESULTS],
    *[f"participant__{name}" for name in _PARTICIPANT_FOR_RESULTS],
]

_by_token = Prepared(
    lambda token_hash, slug: (
        Session.objects.filter(token_hash=token_hash).filter(study__slug=slug).order_by().values_list(*_WHOLE)
    )
)
_by_token_for_results = Prepared(
    lambda token_hash, slug: (
        Session.objects.filter(token_hash=token_hash).filter(study__slug=slug).order_by().values_list(*_FOR_RESULTS)
    )
)
_locked_session = Prepared(
    lambda pk: Session.objects.select_for_update(no_key=True).filter(pk=pk).order_by().values_list(*_SESSION)
)
_study_by_slug = Prepared(lambda slug: Study.objects.filter(slug=slug).order_by().values_list(*_STUDY))
_PART = _columns(Part)
_parts_of = Prepared(lambda study: Part.objects.filter(study_id=study).order_by("position", "pk").values_list(*_PART))
# What cannot change any more; the moment of its creation tells a study from any other.
_frozen: dict[tuple[Prepared, int, datetime], list[Any]] = {}
_MOST_FROZEN = 200
_locked_study = Prepared(
    lambda pk: Study.objects.select_for_update(no_key=True).filter(pk=pk).order_by().values_list(*_STUDY)
)


def session_by_token(token: str, slug: str) -> Session | None:
    """Return the session of a study that this token names, with its study and participant."""
    return next((_session(row, _SESSION, _STUDY, _PARTICIPANT) for row in _by_token(digest(token), slug)), None)


def session_for_results(token: str, slug: str) -> Session | None:
    """Return the same with what storing a result needs and no more."""
    names = (_SESSION_FOR_RESULTS, _STUDY_FOR_RESULTS, _PARTICIPANT_FOR_RESULTS)
    return next((_session(row, *names) for row in _by_token_for_results(digest(token), slug)), None)


def locked_session_row(session: Session) -> Session | None:
    """Return a session as it is now, locked until the transaction ends; its study and participant as they were read."""
    for row in _locked_session(session.pk):
        fresh = _made(Session, _SESSION, iter(row))
        fresh.study, fresh.participant = session.study, session.participant
        return fresh
    return None


def study_by_slug(slug: str) -> Study | None:
    """Return the study at an address."""
    return next((_made(Study, _STUDY, iter(row)) for row in _study_by_slug(slug)), None)


def locked_study_row(pk: int) -> Study:
    """Return a study as it is now, locked until the transaction ends. Raises Study.DoesNotExist."""
    for row in _locked_study(pk):
        return _made(Study, _STUDY, iter(row))
    raise Study.DoesNotExist


def with_parts(study: Study) -> Study:
    """Return the study with its parts read, unless they have been."""
    if "_parts" not in study.__dict__:
        study.ordered_parts = [_made(Part, _PART, iter(row)) for row in rows_of_design(_parts_of, study)]
    return study


def rows_of_design(read: Prepared, study: Study) -> list[Any]:
    """Return what a statement reads of a study's design; once the study was opened, it is read once and remembered."""
    if not study.is_frozen:
        return read(study.pk)
    key = (read, study.pk, study.created_at)
    rows = _frozen.get(key)
    if rows is None:
        if len(_frozen) >= _MOST_FROZEN:
            _frozen.clear()
        rows = _frozen[key] = read(study.pk)
    return rows


def _session(row: Sequence[Any], of_session: list[str], of_study: list[str], of_participant: list[str]) -> Session:
    values = iter(row)
    session = _made(Session, of_session, values)
    session.study, session.participant = _made(Study, of_study, values), _made(Participant, of_participant, values)
    return in_own_language(session)


def in_own_language(session: Session) -> Session:
    """Return the session with its study as it is said in the language in which the session began."""
    if session.study.languages:
        session.study = session.study.said_in(session.language)
    return session


def _made(model: type[Row], names: list[str], values: Iterator[Any]) -> Row:
    # What `from_db` makes, as unpickling does: without looking at each of forty fields and calling for signals.
    row = model.__new__(model)
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    row.__dict__.update(zip(names, values, strict=False))  # the names come first: no value is taken from what follows
    return row

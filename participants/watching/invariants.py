"""Invariants of a study's data, which must hold whatever happened to servers, browsers and networks.

Each function returns one sentence for every violation. They only read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from django.db.models import Count, Max, Q
from django.utils import timezone

from experiments.formats.faults import listed
from experiments.models import Part, Stimulus, StimulusList, Study
from experiments.models.parts import TASK
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm
from experiments.procedure.arranging import placed_by
from experiments.procedure.sequence import groups_of, parts_for
from experiments.procedure.sessions import ITEM_LANGUAGE, session_stimuli
from experiments.rules.procedure import is_repeated
from participants.content import LATER_FIELDS, RESULT_FIELDS, content_hash, result_content
from participants.intake.entries import CLOCKS
from participants.intake.payloads import payload_faults
from participants.models import (
    EventBatch,
    Participant,
    RecruitmentIdentity,
    Response,
    Session,
    SessionList,
    Tombstone,
    Trial,
)
from participants.session.assignment import is_stale, list_counts
from participants.session.completing import missing_from
from participants.watching.exclusion import READMITTED
from participants.watching.paid_once import paid_once
from participants.watching.sealed_values import sealed_values_open

_ROWS = 2_000
SEALED = "I11 what is sealed opens"


def violations(study: Study) -> dict[str, list[str]]:
    """Return the violations of every invariant by its name; an empty list where it holds."""
    return {name: check(study) for name, check in INVARIANTS.items()}


def stored_as_acknowledged(study: Study) -> list[str]:
    """I1: what is stored has the hash that was acknowledged."""
    stored = (*RESULT_FIELDS, *LATER_FIELDS)
    responses = Response.objects.filter(trial__session__study=study).values_list(
        "trial__session__participant__pseudonym", "trial__position", "content_hash", *stored
    )
    faults = [
        f"Participant {pseudonym}, position {position}: the response is not what was acknowledged."
        for pseudonym, position, digest, *content in responses.iterator(chunk_size=_ROWS)
        if content_hash(result_content(dict(zip(stored, content, strict=True)))) != digest
    ]
    batches = EventBatch.objects.filter(trial__session__study=study).values_list(
        "trial__session__participant__pseudonym", "trial__position", "sequence", "content_hash", "events"
    )
    return faults + [
        f"Participant {pseudonym}, position {position}: event batch {sequence} is not what was acknowledged."
        for pseudonym, position, sequence, digest, events in batches.iterator(chunk_size=200)
        if content_hash(events) != digest
    ]


def only_what_was_asked(study: Study) -> list[str]:
    """I2: trials are numbered without gaps, and every stored payload is one that its plugin accepts."""
    sessions = Session.objects.filter(study=study).annotate(number=Count("trials"), last=Max("trials__position"))
    faults = [
        f"Participant {pseudonym}: {number} trials, but the last one has position {last}."
        for pseudonym, number, last in sessions.values_list("participant__pseudonym", "number", "last")
        if number and last != number - 1
    ]
    rows = Response.objects.filter(trial__session__study=study).values_list(
        "trial__session__participant__pseudonym",
        "trial__position",
        "trial__part__paradigm",
        "trial__plugin",
        "trial__params",
        "trial__private",
        "payload",
    )
    for pseudonym, position, paradigm, *trial in rows.iterator(chunk_size=_ROWS):
        wrong = _payload_faults(paradigm_behind(paradigm), *trial)
        if wrong:
            faults.append(f"Participant {pseudonym}, position {position}: {wrong[0]}")
    return faults


def _payload_faults(paradigm: Paradigm, plugin: str, params: Any, private: Any, payload: Any) -> list[str]:
    return payload_faults(paradigm, plugin=plugin, params=params, private=private, payload=payload)


def complete_means_all_there(study: Study) -> list[str]:
    """I3: a complete session has a response for every trial and every announced batch of events."""
    faults = []
    for session in Session.objects.filter(study=study, status=Session.Status.COMPLETE).select_related("participant"):
        missing = missing_from(session)
        if missing:
            faults.append(
                f"Participant {session.participant} is complete, but positions {missing.positions} and events "
                f"{missing.events} are missing."
            )
        elif not session.trials.exists():
            faults.append(f"Participant {session.participant} is complete without a single trial.")
    return faults


def lists_are_balanced(study: Study) -> list[str]:
    """I4: lists differ by at most one, and by one more for every place that was freed or taken up again."""
    now = timezone.now()
    faults = []
    for simulated in (False, True):
        sessions = Session.objects.filter(study=study, is_simulated=simulated).select_related("study")
        freed = sum(
            session.is_excluded
            or bool(session.planned_exclusion)
            or session.returned_late
            or session.status == Session.Status.ENDED
            or is_stale(session, now=now)
            for session in sessions
        )
        readmitted = study.audit_entries.filter(action=READMITTED).count()
        # Every group is balanced in itself, and in it every language.
        kinds = max(1, len(study.groups)) * len(study.all_languages)
        allowed = kinds + freed + readmitted + Tombstone.objects.filter(study=study).count()
        for task in study.tasks:
            counts = list_counts(study.seen_through(task.name), simulated=simulated, now=now).values()
            spread = max(counts, default=0) - min(counts, default=0)
            if spread > allowed:
                kind = "simulated" if simulated else "real"
                of = f" of {task.name}" if study.has_several_tasks else ""
                faults.append(
                    f"The lists{of} of {kind} sessions differ by {spread}; at most {allowed} can be explained."
                )
    return faults


def one_person_one_session(study: Study) -> list[str]:
    """I5: one participant has one session; one recruitment id is one participant."""
    people = Participant.objects.filter(study=study).annotate(number=Count("sessions")).exclude(number=1)
    faults = [f"Participant {person} has {person.number} sessions." for person in people]
    identities = RecruitmentIdentity.objects.filter(study=study).values("source", "external_id_hash")
    repeated = identities.annotate(number=Count("pk")).filter(number__gt=1)
    faults += [f"One recruitment id ({row['source']}) belongs to {row['number']} participants." for row in repeated]
    wrong = Session.objects.filter(study=study).exclude(participant__study=study)
    faults += [f"Session {session.pk} belongs to a participant of another study." for session in wrong]
    without = Session.objects.filter(study=study, list=None, assigned_at__isnull=False)
    has_lists = StimulusList.objects.filter(part__study=study).exists()
    return faults + [f"Session {one.pk} has no list." for one in without if has_lists and _has_task(study, one)]


def _has_task(study: Study, session: Session) -> bool:
    """Return whether a session has a task, as far as its group is one of the study."""
    if session.group not in _group_names(study):
        return True
    if session.stage is not None:
        # Tasks that later answers decide have no list yet.
        return False
    return any(part.kind == TASK for part in parts_for(study, session.group, session.skipped.split()))


def _group_names(study: Study) -> list[str]:
    return [group.name for group in groups_of(study)] or [""]


def everyone_sees_each_item_once(study: Study) -> list[str]:
    """I6: a session shows every stimulus of its list, every filler and every practice text, each item once.

    Where everybody sees several conditions, each item once in each of them; where texts are repeated, each as often as
    the procedure says.
    """
    several = {task.pk for task in study.tasks if paradigm_behind(task.paradigm).shows_several}
    in_every_condition = {task.pk for task in study.tasks if task.procedure.get("conditions") in ("all", "several")}
    repeated = {task.pk: task for task in study.tasks if is_repeated(task.procedure)}
    everybody: dict[int, set[int]] = {}
    of_everybody = Stimulus.objects.filter(item__part__study=study, condition=None).filter(
        Q(item__is_filler=True) | Q(item__is_practice=True)
    )
    for part, stimulus in of_everybody.values_list("item__part_id", "pk"):
        everybody.setdefault(part, set()).add(stimulus)
    expected: dict[int, set[int]] = {}
    for one in StimulusList.objects.filter(part__study=study).prefetch_related("stimuli"):
        expected[one.pk] = everybody.get(one.part_id, set()) | {stimulus.pk for stimulus in one.stimuli.all()}
    read_in = _language_of_texts(study)
    languages = dict(Session.objects.filter(study=study).values_list("pk", "language")) if read_in else {}
    lists = _lists(study)
    faults = [fault for task in study.tasks if task.pk in several for fault in _comparisons_of_lists(task)]
    for (pseudonym, session, part), rows in groupby(_shown(study), key=lambda row: row[:3]):
        if part in several:
            continue
        shown = [(stimulus, item) for *_, stimulus, item in rows]
        # In every condition: the same text of an item must not come twice; otherwise no two of its texts.
        seen = Counter(shown if part in in_every_condition else ((0, item) for _, item in shown))
        often = _times_of(repeated[part], lists.get((session, part))) if part in repeated else {}
        twice = {item for (_, item), number in seen.items() if number > often.get(item, 1)}
        if twice:
            faults.append(f"Participant {pseudonym} sees items more than once: {', '.join(sorted(twice))}.")
        wanted = expected.get(lists.get((session, part), 0), set())
        if read_in:
            wanted = {one for one in wanted if read_in.get(one, languages[session]) == languages[session]}
        skipped, strange = wanted - {stimulus for stimulus, _ in shown}, {stimulus for stimulus, _ in shown} - wanted
        if skipped or strange:
            faults.append(
                f"Participant {pseudonym} lacks {len(skipped)} stimuli of the list and sees {len(strange)} of others."
            )
    return faults


def _language_of_texts(study: Study) -> dict[int, str]:
    """Return the language of texts that are for people of one language alone, by their keys."""
    if not study.languages:
        return {}
    texts = Stimulus.objects.filter(item__part__study=study, item__attributes__has_key=ITEM_LANGUAGE)
    rows = texts.values_list("pk", f"item__attributes__{ITEM_LANGUAGE}")
    return {pk: language for pk, language in rows if language}


def _times_of(task: Part, list_id: int | None) -> dict[str, int]:
    """Return how often a session on a list shows one text of each item."""
    shown = session_stimuli(task, None if list_id is None else task.lists.filter(pk=list_id).first())
    return {stimulus.item: stimulus.repetitions for stimulus in placed_by(shown, task.procedure)}


def _comparisons_of_lists(task: Part) -> list[str]:
    """Texts that share a trial belong to one list, no group of texts occurs twice, every item and filler is shown."""
    items = {
        one.pk: set(one.stimuli.values_list("item__code", flat=True)) for one in task.lists.prefetch_related("stimuli")
    }
    everybody = set(task.items.filter(Q(is_filler=True) | Q(is_practice=True)).values_list("code", flat=True))
    lists = _lists(task.study)
    rows = Trial.objects.filter(part=task, stimulus__isnull=False).order_by("session_id", "position")
    columns = ("session__participant__pseudonym", "session_id", "stimulus__item__code", "private")
    faults = []
    for (pseudonym, session), found in groupby(
        rows.values_list(*columns).iterator(chunk_size=_ROWS), key=lambda row: row[:2]
    ):
        shown = [(item, tuple(sorted(private["stimuli"]))) for _, _, item, private in found]
        twice = sorted({item for (item, _), number in Counter(shown).items() if number > 1})
        if twice:
            faults.append(f"Participant {pseudonym} compares the same texts more than once: {listed(twice)}.")
        there = {item for item, _ in shown}
        expected = everybody | items.get(lists.get((session, task.pk), 0), set())
        if there != expected:
            faults.append(
                f"Participant {pseudonym} lacks {len(expected - there)} items of the list and sees "
                f"{len(there - expected)} of others."
            )
    return faults


def _lists(study: Study) -> dict[tuple[int, int], int]:
    """Return (session, task) → list."""
    first = Session.objects.filter(study=study, list__isnull=False).values_list("pk", "list__part_id", "list_id")
    further = SessionList.objects.filter(session__study=study).values_list("session_id", "list__part_id", "list_id")
    return {(session, part): pk for session, part, pk in [*first, *further]}


def _shown(study: Study) -> Iterator[tuple[str, int, int, int, str]]:
    rows = Trial.objects.filter(session__study=study, stimulus__isnull=False).order_by(
        "session_id", "part_id", "position"
    )
    return rows.values_list(
        "session__participant__pseudonym", "session_id", "part_id", "stimulus_id", "stimulus__item__code"
    ).iterator(chunk_size=_ROWS)


def the_withdrawn_are_nowhere(study: Study) -> list[str]:
    """I9: a withdrawal leaves nobody behind without a session."""
    alone = Participant.objects.filter(study=study, sessions=None)
    return [f"Participant {person} is left without a session." for person in alone]


def times_are_differences(study: Study) -> list[str]:
    """I10: a reaction time is not negative, and where it was measured its onset and clock are known."""
    rows = (
        Response.objects.filter(trial__session__study=study)
        .filter(Q(rt_ms__lt=0) | ~Q(clock__in=CLOCKS) | Q(rt_ms__isnull=False, onset_ms__isnull=True))
        .values_list("trial__session__participant__pseudonym", "trial__position", "rt_ms", "onset_ms", "clock")
    )
    return [
        f"Participant {pseudonym}, position {position}: rt_ms {rt_ms}, onset_ms {onset_ms}, clock '{clock}'."
        for pseudonym, position, rt_ms, onset_ms, clock in rows
    ]


INVARIANTS: dict[str, Callable[[Study], list[str]]] = {
    "I1 what was acknowledged is stored": stored_as_acknowledged,
    "I2 nothing is stored that was not asked for": only_what_was_asked,
    "I3 complete means all there": complete_means_all_there,
    "I4 lists are balanced": lists_are_balanced,
    "I5 one person, one session, one list": one_person_one_session,
    "I6 every item once": everyone_sees_each_item_once,
    "I9 the withdrawn are nowhere": the_withdrawn_are_nowhere,
    "I10 reaction times are differences on one clock": times_are_differences,
    SEALED: sealed_values_open,
    "I12 nobody is paid twice": paid_once,
}

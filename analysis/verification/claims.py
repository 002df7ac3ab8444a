"""Check what an archive says of its plan, texts, times and exclusions against each other and against its tables."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from analysis.methods.wording import counted, listed
from experiments.formats.csvtext import BYTE_ORDER_MARK, unguarded
from experiments.rules.exclusion_checks import SeenTrial
from experiments.rules.exclusion_rules import ANSWER, BY_SLUG, judge
from experiments.study.registration import Text, levels_of, plan_sha256, texts_sha256

# The entry of the history is written in the same moment as the time of the opening.
SAME_MOMENT = timedelta(minutes=1)
Row = dict[str, str]


@dataclass
class Claims:
    """What is in order (`held`), what contradicts (`wrong`), what the archive does not say (`lacking`); sentences.

    `plan_in_words` is the half of the verdict that is about the plan.
    """

    held: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    plan_in_words: str = ""


def rows_of(content: bytes, *, only: Sequence[str] | None = None) -> list[Row]:
    """Return the rows of an exported CSV file, in either variant; `only` these columns of them, where it has them.

    >>> rows_of('\\ufeffitem,text\\r\\na,\\'=b\\r\\n'.encode())
    [{'item': 'a', 'text': '=b'}]
    """
    text = content.decode("utf-8", "replace")
    is_guarded = text.startswith(BYTE_ORDER_MARK)
    found = []
    for row in csv.DictReader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK), newline="")):
        cells = {name: row[name] or "" for name in (row if only is None else only) if name in row}
        found.append({name: unguarded(value) for name, value in cells.items()} if is_guarded else cells)
    return found


def check_plan(known: Mapping[str, Any], found: Claims) -> None:
    """Check the plan against the hash beside it and the one that the history recorded at opening."""
    plan = plan_sha256(known["plan"])
    registered = known.get("registered")
    planned = len(known["plan"]["analyses"])
    if plan != known["plan_sha256"]:
        found.wrong.append(f"The plan has the SHA-256 {plan}; the archive says {known['plan_sha256']}.")
    elif registered and plan != registered["plan_sha256"]:
        found.wrong.append(f"The plan has the SHA-256 {plan}; at opening {registered['plan_sha256']} was recorded.")
    elif known.get("opened_at") is None:
        found.lacking.append("The study was not opened when this was exported, so its plan was not fixed.")
    elif registered:
        found.held.append(f"The plan ({counted(planned, 'analysis', 'analyses')}) is that of the opening: {plan}.")
    else:
        found.lacking.append(
            f"The study was opened before hashes were recorded; that the plan ({plan}) is that of the opening rests "
            f"on the platform, which changes no plan after it."
        )


def check_texts(known: Mapping[str, Any], tables: Mapping[str, Sequence[Row]], found: Claims) -> None:
    """Check the texts of the exported materials against the hashes; `tables` are those that the archive has."""
    missing = [one["path"] for one in known["materials"] if one["path"] not in tables]
    if missing:
        found.lacking.append(f"The materials are not here ({listed(missing)}), so the texts were not checked.")
        return
    texts: list[Text] = []
    for one in known["materials"]:
        for row in tables[one["path"]]:
            levels = {name: row[name] for name in one["factors"] if row.get(name)}
            texts.append((one["task"], row["item"], levels_of(levels), row["text"]))
    digest = texts_sha256(texts)
    registered = known.get("registered")
    if digest != known["texts_sha256"]:
        found.wrong.append(f"The texts of the materials have the SHA-256 {digest}, not {known['texts_sha256']}.")
    elif registered and digest != registered["texts_sha256"]:
        found.wrong.append(
            f"The texts have the SHA-256 {digest}; at opening {registered['texts_sha256']} was recorded."
        )
    else:
        since = " as recorded at opening" if registered else ""
        found.held.append(f"{counted(len(texts), 'text')}{since}: {digest}.")


def check_times(known: Mapping[str, Any], sessions: Sequence[Row] | None, found: Claims) -> None:
    """Check when the plan was fixed against when people took part, and put it into words."""
    opened, registered = _moment(known.get("opened_at")), known.get("registered")
    if known.get("opened_at") and opened is None:
        found.wrong.append(f"The time of the opening, '{known['opened_at']}', is none.")
    if opened and registered:
        recorded = _moment(registered["at"])
        if recorded is None or abs(recorded - opened) > SAME_MOMENT:
            found.wrong.append(
                f"The study was opened at {known['opened_at']}; the history recorded {registered['at']}."
            )
    first = _moment(known.get("first_participant_at"))
    if sessions is None:
        found.lacking.append("The sessions are not here, so when people took part is what the archive says alone.")
    else:
        people = [row for row in sessions if row.get("simulated") != "true"]
        begun = sorted(moment for row in people if (moment := _moment(row.get("started_at"))))
        if len(begun) < len(people):
            found.wrong.append(f"{counted(len(people) - len(begun), 'session')} of people began at no time.")
        earliest = begun[0] if begun else None
        if earliest != first:
            found.wrong.append(
                f"The first participant began at {_shown(earliest)} by sessions.csv, and at {_shown(first)} by what "
                f"the archive says of itself."
            )
    if opened is None:
        return
    if first is None:
        found.plan_in_words = f"plan fixed on {opened:%Y-%m-%d}, and nobody has taken part"
    elif first < opened:
        found.wrong.append(f"Somebody took part at {_shown(first)}, before the study opened at {_shown(opened)}.")
        found.plan_in_words = "plan fixed after the first participant"
    else:
        found.plan_in_words = f"plan fixed {_apart(first - opened)} before the first participant"


def _apart(time: timedelta) -> str:
    """Return a span in words.

    >>> _apart(timedelta(days=12, hours=5)), _apart(timedelta(minutes=90)), _apart(timedelta(seconds=20))
    ('12 days', '1 hour', '0 minutes')
    """
    if time.days:
        return counted(time.days, "day")
    hours = time.seconds // 3600
    return counted(hours, "hour") if hours else counted(time.seconds // 60, "minute")


def check_sessions(tables: Mapping[str, Sequence[Row]], found: Claims) -> None:
    """Check that all tables say the same of every session: when it began, and whether it was simulated."""
    said: dict[str, dict[str, tuple[str, str]]] = {}
    for name, rows in tables.items():
        said[name] = {row["participant"]: (row.get("started_at", ""), row.get("simulated", "")) for row in rows}
    if len(said) < 2:
        return
    (first, known), *others = said.items()
    for name, theirs in others:
        # Somebody who never got a trial has a row of sessions alone.
        apart = [person for person in theirs if known.get(person) != theirs[person]]
        if apart:
            found.wrong.append(f"{first} and {name} say different things of the sessions of {listed(apart)}.")


def check_exclusions(known: Mapping[str, Any], trials: Sequence[Row], people: Sequence[Row], found: Claims) -> None:
    """Apply the rules of the plan to the trials again, and hold what the table leaves out against them."""
    rules = known["plan"]["exclusion_rules"]
    person = {row["participant"]: row for row in people}
    pools = {part: pool for pool, parts in known.get("pools", {}).items() for part in parts}
    tasks = list(dict.fromkeys(one["task"] for one in known["materials"]))
    by_session: dict[str, list[Row]] = defaultdict(list)
    for row in trials:
        by_session[row["participant"]].append(row)
    checked, apart, unknown = 0, [], 0
    has_answer_rules = any(rule["rule"] == ANSWER for rule in rules)
    for name, rows in by_session.items():
        if name not in person:
            found.wrong.append(f"{name} has trials and no row in participants.csv.")
            continue
        if has_answer_rules and any("answer:" in row.get("exclusion_reason", "") for row in rows):
            unknown += 1
            continue
        expected = _expected(rows, person[name], rules, tasks, pools)
        for row in rows:
            checked += 1
            if (row["excluded"], row["exclusion_reason"]) != expected[row["position"]]:
                apart.append(f"{name}, position {row['position']}")
    if apart:
        found.wrong.append(
            f"By the rules of the plan and the exclusions by hand, {counted(len(apart), 'trial')} would be left out "
            f"or kept otherwise: {listed(apart)}."
        )
    elif checked:
        stated = counted(len(rules), "rule")
        found.held.append(f"What is left out of {checked:,} trials follows from {stated} and exclusions by hand.")
    if unknown:
        found.lacking.append(f"{counted(unknown, 'session')} left out by a rule on answers: not applied again.")


def _expected(
    rows: Sequence[Row],
    person: Row,
    rules: Sequence[Mapping[str, Any]],
    tasks: Sequence[str],
    pools: Mapping[str, str],
) -> dict[str, tuple[str, str]]:
    """Return, by position, whether a trial is left out and why; `pools` has the pool of a task, where it has one."""
    if person["excluded"] == "true":
        return {row["position"]: ("true", person["exclusion_reason"]) for row in rows}
    part = next((name for name in ("study_part", "part") if name in rows[0]), "")
    seen = [
        SeenTrial(
            position=int(row["position"]),
            rt_ms=_number(row.get("rt_ms")),
            focus_losses=int(_number(row.get("focus_losses")) or 0),
            interrupted=row.get("interrupted") == "true",
            is_target=row.get("is_filler") != "true",
            rating=_number(row.get("rating")),
            attention=row.get("attention", "").strip().lower(),
            correct={"true": True, "false": False}.get(row.get("correct", "")),
            task=pools.get(row[part], row[part]) if part else tasks[0],
            out_of_view=int(_number(row.get("out_of_view")) or 0),
        )
        for row in rows
        if row["phase"] == "main" and row["answered"] == "true" and row["item"]
    ]
    # Tasks of a pool are one, in rules as in analyses.
    names = dict.fromkeys(pools.get(task, task) for task in tasks)
    of_tasks = {name: _quality(person, f"{name}_" if len(tasks) > 1 else "") for name in names}
    lowest: dict[str, float] = {}
    for quality in of_tasks.values():
        for name, value in quality.items():
            lowest[name] = min(value, lowest.get(name, value))
    verdict = judge([rule for rule in rules if rule["rule"] != ANSWER], seen, lowest, None, of_tasks)
    if verdict.session:
        return {row["position"]: ("true", verdict.session) for row in rows}
    left_out = {str(position): reason for position, reason in verdict.trials.items()}
    return {
        row["position"]: ("true", left_out[row["position"]]) if row["position"] in left_out else ("false", "")
        for row in rows
    }


def _quality(person: Row, prefix: str) -> dict[str, float]:
    needed = {rule.needs for rule in BY_SLUG.values() if rule.needs}
    values = ((name, _number(person.get(f"{prefix}{name}"))) for name in needed)
    return {name: value for name, value in values if value is not None}


def _number(cell: str | None) -> float | None:
    try:
        return float(cell) if cell else None
    except ValueError:
        return None


def _moment(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def _shown(moment: datetime | None) -> str:
    return "no time" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"

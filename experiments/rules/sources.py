"""Sources: where participants come from, by which parameters of their link they are recognised, and how each goes back.

A source is `{"name", "kind", "parameters": [name, …], "outcomes": {outcome: {"text", "link", "code"}}}`. Its first
parameter identifies a person, the others accompany it; a source of the kind `link` may have none and is that of
everybody whom no other source recognises. A link may hold parameters in braces, or `{participant_id}` for the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.rules.procedure import PARAMETER_NAME

PROLIFIC, SONA, MTURK, LINK, OTHER = "prolific", "sona", "mturk", "link", "other"
KINDS: Mapping[str, str] = {
    PROLIFIC: "Prolific",
    SONA: "SONA",
    MTURK: "Mechanical Turk",
    LINK: "Own link",
    OTHER: "Another service",
}
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    PROLIFIC: ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    SONA: ("survey_code",),
    MTURK: ("workerId", "assignmentId", "hitId"),
    LINK: (),
    OTHER: ("participant",),
}
# How services write what they fill into a link.
_FILLED_IN = {PROLIFIC: "{{%NAME%}}", SONA: "%NAME%", MTURK: "${NAME}", OTHER: "{NAME}"}
COMPLETED, OVER_QUOTA, DECLINED, WITHDRAWN = "completed", "over-quota", "declined", "withdrawn"
OUTCOMES: Mapping[str, str] = {
    COMPLETED: "Completed",
    "screened-out": "Screened out",
    "failed-check": "Failed a check",
    OVER_QUOTA: "Over quota",
    DECLINED: "Declined the consent",
    WITHDRAWN: "Withdrawn",
    "dropped-out": "Ended when coming back",
}
KEYS = ("name", "kind", "parameters", "outcomes")
RETURN_KEYS = ("text", "link", "code")
PARTICIPANT_ID = "participant_id"
MOST_SOURCES, MOST_PARAMETERS = 12, 10
MOST_OF_A_TEXT, MOST_OF_A_LINK, MOST_OF_A_CODE = 2_000, 1_000, 100
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PLACEHOLDER = re.compile(r"\{([A-Za-z0-9_]+)\}")
# What services write in the place of a parameter: {{%X%}}, %X%, ${X}, {X}, [X], <X>.
_UNREPLACED = re.compile(r"\{\{%?\w*%?\}\}|%\w+%|\$?\{\w*\}|\[\[?%?\w+%?\]?\]|<\w+>")
# A hint of what is wrong is worth more than that somebody's link has capital Xs in it.
_STRANGE_IN_LINKS = re.compile(r"%[A-Z]+_[A-Z_]+%|\bX{4,}\b|\{\{|\$\{")


@dataclass(frozen=True)
class Return:
    """How an outcome leads back to a source: a text in the place of the platform's own, a link, a code."""

    text: str = ""
    link: str = ""
    code: str = ""


@dataclass(frozen=True)
class Source:
    """Where participants come from; see the head of the module."""

    name: str
    kind: str = OTHER
    parameters: tuple[str, ...] = ()
    outcomes: Mapping[str, Return] = field(default_factory=dict)

    @property
    def identifying(self) -> str:
        """The parameter that says who somebody is; empty where there is none."""
        return self.parameters[0] if self.parameters else ""

    @property
    def query(self) -> str:
        """What the service appends to the address of the study, with its own placeholders."""
        written = _FILLED_IN.get(self.kind, "{NAME}")
        return "&".join(
            f"{name}={written.replace('NAME', name.upper() if self.kind == SONA else name)}" for name in self.parameters
        )


def sources_of(stored: Sequence[Mapping[str, Any]]) -> list[Source]:
    """Return the sources that a study has stored, in their order.

    >>> [source] = sources_of([{"name": "pool", "kind": "prolific", "outcomes": {"completed": {"code": "C1"}}}])
    >>> source.identifying, source.outcomes["completed"].link
    ('PROLIFIC_PID', 'https://app.prolific.com/submissions/complete?cc=C1')
    """
    return [_source(one) for one in stored]


def _source(stored: Mapping[str, Any]) -> Source:
    kind = str(stored.get("kind", OTHER))
    parameters = stored.get("parameters")
    outcomes = {
        outcome: _with_link(kind, Return(**{key: str(given.get(key) or "") for key in RETURN_KEYS}))
        for outcome, given in (stored.get("outcomes") or {}).items()
    }
    return Source(str(stored["name"]), kind, tuple(PARAMETERS[kind] if parameters is None else parameters), outcomes)


def _with_link(kind: str, given: Return) -> Return:
    """The link of Prolific follows from its code."""
    if kind != PROLIFIC or given.link or not re.fullmatch(r"[A-Za-z0-9_-]+", given.code):
        return given
    return Return(given.text, f"https://app.prolific.com/submissions/complete?cc={given.code}", given.code)


def is_lacking(value: str) -> bool:
    """Return whether the value of a parameter names nobody: it is empty, or the placeholder was not filled in.

    >>> [is_lacking(value) for value in ("5f3c2a9b", " ", "{{%PROLIFIC_PID%}}", "%SURVEY_CODE%", "${workerId}")]
    [False, True, True, True, True]
    """
    return not value.strip() or _UNREPLACED.fullmatch(value.strip()) is not None


def source_faults(sources: Any) -> list[Fault]:
    """Return everything that is wrong with the sources of a study. `setting` says of which one and where.

    >>> print(source_faults([{"name": "pool", "kind": "prolifik"}])[0])
    Setting '1.kind': Source 'pool': there is no kind 'prolifik'. Did you mean 'prolific'?
    """
    if not isinstance(sources, list) or not all(isinstance(source, Mapping) for source in sources):
        return [Fault(message="The sources must be tables, such as [[sources]].", step="sources")]
    faults = []
    if len(sources) > MOST_SOURCES:
        faults.append(Fault(message=f"A study has {MOST_SOURCES} sources at most.", step="sources"))
    names, identifying = dict[str, int](), dict[str, str]()
    for number, source in enumerate(sources, start=1):
        own = _faults_of(source, number)
        faults += own
        name = str(source.get("name"))
        if name in names:
            faults.append(_fault(number, "name", name, "another source has the same name.", "Give it another one."))
        names[name] = number
        if own:
            continue
        parameter = _source(source).identifying
        if parameter in identifying:
            by = f"the parameter '{parameter}'" if parameter else "a link without parameters"
            message = f"the source '{identifying[parameter]}' is recognised by {by} as well."
            faults.append(_fault(number, "parameters", name, message, "Nobody could tell them apart; change one."))
        identifying[parameter] = name
    return faults


def _fault(number: int, place: str, name: str, message: str, suggestion: str = "") -> Fault:
    return Fault(
        setting=f"{number}.{place}", message=f"Source '{name}': {message}", suggestion=suggestion, step="sources"
    )


def _faults_of(source: Mapping[str, Any], number: int) -> list[Fault]:
    name = source.get("name")
    shown = str(name) if name else str(number)

    def fault(place: str, message: str, suggestion: str = "") -> Fault:
        return _fault(number, place, shown, message, suggestion)

    faults = [
        fault(str(key), f"there is no key '{key}'.", did_you_mean(str(key), KEYS) or f"Known are: {listed(KEYS)}.")
        for key in source
        if key not in KEYS
    ]
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > 40:
        faults.append(fault("name", "a name has lower-case letters, digits and hyphens, 40 at most."))
    kind = source.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        suggestion = did_you_mean(str(kind), KINDS) or f"Known are: {listed(list(KINDS))}."
        return [*faults, fault("kind", f"there is no kind '{kind}'." if kind else "the kind is missing.", suggestion)]
    parameters = source.get("parameters", list(PARAMETERS[kind]))
    if not isinstance(parameters, list) or not all(isinstance(one, str) for one in parameters):
        return [*faults, fault("parameters", "the parameters must be a list of names.")]
    wrong = [one for one in parameters if not PARAMETER_NAME.fullmatch(one)]
    if wrong:
        faults.append(fault("parameters", f"{listed(wrong)} cannot be the name of a parameter of a link."))
    if len(parameters) > MOST_PARAMETERS or len(set(parameters)) < len(parameters):
        faults.append(fault("parameters", f"at most {MOST_PARAMETERS} parameters, each once."))
    if not parameters and kind != LINK:
        faults.append(fault("parameters", "nobody could be recognised.", "Name the parameter that carries the id."))
    outcomes = source.get("outcomes", {})
    if not isinstance(outcomes, Mapping):
        return [*faults, fault("outcomes", "the outcomes must be tables, such as [sources.outcomes.completed].")]
    for outcome, given in outcomes.items():
        place = f"outcomes.{outcome}"
        if outcome not in OUTCOMES:
            suggestion = did_you_mean(str(outcome), OUTCOMES) or f"Known are: {listed(list(OUTCOMES))}."
            faults.append(fault(place, f"there is no outcome '{outcome}'.", suggestion))
        elif not isinstance(given, Mapping):
            faults.append(fault(place, f"'{outcome}' must be a table with a text, a link or a code."))
        else:
            faults += [
                fault(f"{place}.{key}" if key else place, f"'{outcome}': {message}", suggestion)
                for key, message, suggestion in _return_faults(given, parameters)
            ]
    return faults


def _return_faults(given: Mapping[str, Any], parameters: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return (key, message, suggestion) of everything that is wrong with the return of one outcome."""
    faults = [
        (str(key), f"there is no key '{key}'.", did_you_mean(str(key), RETURN_KEYS))
        for key in given
        if key not in RETURN_KEYS
    ]
    most = {"text": MOST_OF_A_TEXT, "link": MOST_OF_A_LINK, "code": MOST_OF_A_CODE}
    for key, length in most.items():
        value = given.get(key, "")
        if not isinstance(value, str) or len(value) > length or "\x00" in value:
            faults.append((key, f"the {key} must be a text of at most {length:,} characters.", ""))
    link = given.get("link", "")
    if isinstance(link, str) and link:
        faults += [("link", message, suggestion) for message, suggestion in _link_faults(link, parameters)]
    return faults


def _link_faults(link: str, parameters: Sequence[str]) -> list[tuple[str, str]]:
    strange = _STRANGE_IN_LINKS.search(link)
    if strange:
        possible = f"Write {{{parameters[0]}}} there." if parameters else "Leave it out."
        return [(f"'{strange[0]}' is filled in by nobody here.", possible)]
    if not re.match(r"https://[^/?#{}\s]+", link):
        return [("the link must begin with https:// and name its server.", "Copy it from the service.")]
    known = [PARTICIPANT_ID, *parameters] if parameters else []
    faults = [
        (
            f"the link has {{{name}}}, which is no parameter of the source.",
            did_you_mean(name, known) or (f"Known are: {listed(known)}." if known else "The source has no parameters."),
        )
        for name in PLACEHOLDER.findall(link)
        if name not in known
    ]
    try:
        URLValidator(schemes=["https"])(PLACEHOLDER.sub("x", link))
    except ValidationError:
        faults.append((f"'{link}' is no address of a page.", "Copy it from the service."))
    return faults

"""Recruitment sources: where participants come from, the URL parameters that identify them, and how they return.

A source is `{"name", "kind", "parameters": [name, …], "id_only", "outcomes": {outcome: {"text", "link", "code"}}}`. Its
first parameter identifies a participant, the others are stored with it; a source of the kind `link` may have none and
gets everybody whom no other source recognises. With `id_only` an id alone opens the session of its participant; without
it they need their own browser, their resume code or a signed link. A link may hold parameters in braces, or
`{participant_id}` for the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from experiments.formats.faults import Fault, did_you_mean, listed, unknown_keys
from experiments.rules.procedure import PARAMETER_NAME
from experiments.sentences import Sentence

PROLIFIC, SONA, MTURK, LINK, OTHER = "prolific", "sona", "mturk", "link", "other"
KINDS: Mapping[str, str] = {
    PROLIFIC: "Prolific",
    SONA: "SONA",
    MTURK: "Mechanical Turk",
    LINK: Sentence("Own link"),
    OTHER: Sentence("Another service"),
}
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    PROLIFIC: ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    SONA: ("survey_code",),
    MTURK: ("workerId", "assignmentId", "hitId"),
    LINK: (),
    OTHER: ("participant",),
}
# Sources that the standard consent names: their service knows people by an id of its own. Of any other source it says
# what holds of every recruitment service.
NAMED_IN_TEXTS = (PROLIFIC, SONA, MTURK)
# Placeholder syntax of recruitment services.
_FILLED_IN = {PROLIFIC: "{{%NAME%}}", SONA: "%NAME%", MTURK: "${NAME}", OTHER: "{NAME}"}
COMPLETED, OVER_QUOTA, DECLINED, WITHDRAWN = "completed", "over-quota", "declined", "withdrawn"
SCREENED_OUT = "screened-out"
OUTCOMES: Mapping[str, str] = {
    COMPLETED: Sentence("Completed"),
    SCREENED_OUT: Sentence("Screened out"),
    "failed-check": Sentence("Failed a check"),
    OVER_QUOTA: Sentence("Over quota"),
    DECLINED: Sentence("Declined the consent"),
    WITHDRAWN: Sentence("Withdrawn"),
    "dropped-out": Sentence("Ended on return"),
}
KEYS = ("name", "kind", "parameters", "id_only", "outcomes")
RETURN_KEYS = ("text", "link", "code")
PARTICIPANT_ID = "participant_id"
MOST_SOURCES, MOST_PARAMETERS = 12, 10
MOST_OF_A_TEXT, MOST_OF_A_LINK, MOST_OF_A_CODE = 2_000, 1_000, 100
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PLACEHOLDER = re.compile(r"\{([A-Za-z0-9_]+)\}")
# Placeholders that services leave unfilled: {{%X%}}, %X%, ${X}, ${e://Field/X}, {X}, [X], <X>, XXXX, its name.
# And the values that scripts produce for a missing parameter.
_UNREPLACED = re.compile(
    r"\{\{%?\w*%?\}\}|%\w+%|\$?\{\w*\}|\$\{e://[^}]*\}|\[\[?%?\w+%?\]?\]|<\w+>|X{4,}|PROLIFIC_PID"
    r"|(?i:undefined|null|none|nan)"
)
# A useful message matters more than links that happen to contain capital Xs.
_STRANGE_IN_LINKS = re.compile(r"%[A-Z]+_[A-Z_]+%|\bX{4,}\b|\{\{|\$\{")


@dataclass(frozen=True)
class Return:
    """How an outcome leads back to a source: a text instead of the platform's own, a link, a code."""

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
    id_only: bool = False

    @property
    def identifying(self) -> str:
        """The parameter that identifies a participant; empty if there is none."""
        return self.parameters[0] if self.parameters else ""

    @property
    def query(self) -> str:
        """The query string that the service appends to the study's URL, with its own placeholders."""
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
    names = tuple(PARAMETERS[kind] if parameters is None else parameters)
    return Source(str(stored["name"]), kind, names, outcomes, stored.get("id_only") is True)


def _with_link(kind: str, given: Return) -> Return:
    """The link of Prolific follows from its code."""
    if kind != PROLIFIC or given.link or not re.fullmatch(r"[A-Za-z0-9_-]+", given.code):
        return given
    return Return(given.text, f"https://app.prolific.com/submissions/complete?cc={given.code}", given.code)


def is_lacking(value: str) -> bool:
    """Return whether a parameter's value is missing: empty, or a placeholder that was not filled in.

    >>> [is_lacking(value) for value in ("5f3c2a9b", " ", "{{%PROLIFIC_PID%}}", "%SURVEY_CODE%", "undefined", "XXXX")]
    [False, True, True, True, True, True]
    """
    return not value.strip() or _UNREPLACED.fullmatch(value.strip()) is not None


def source_faults(sources: Any) -> list[Fault]:
    """Validate the sources of a study. Return a list of faults, whose `setting` says which source and where.

    >>> print(source_faults([{"name": "pool", "kind": "prolifik"}])[0])
    Setting '1.kind': Source 'pool': there is no kind 'prolifik'. Did you mean 'prolific'?
    """
    if not isinstance(sources, list) or not all(isinstance(source, Mapping) for source in sources):
        return [Fault(message=Sentence("The sources must be tables, such as [[sources]]."), step="sources")]
    faults = []
    if len(sources) > MOST_SOURCES:
        faults.append(Fault(message=Sentence("A study has {most} sources at most.", most=MOST_SOURCES), step="sources"))
    names, identifying = dict[str, int](), dict[str, str]()
    for number, source in enumerate(sources, start=1):
        own = _faults_of(source, number)
        faults += own
        name = str(source.get("name"))
        if name in names:
            message = Sentence("another source has the same name.")
            faults.append(_fault(number, "name", name, message, Sentence("Give it a different name.")))
        names[name] = number
        if own:
            continue
        parameter = _source(source).identifying
        if parameter in identifying:
            said = {"source": identifying[parameter], "parameter": parameter}
            message = (
                Sentence("the parameter '{parameter}' also identifies the source '{source}'.", **said)
                if parameter
                else Sentence("a link without parameters also identifies the source '{source}'.", **said)
            )
            suggestion = Sentence("The platform cannot tell them apart. Change one of them.")
            faults.append(_fault(number, "parameters", name, message, suggestion))
        identifying[parameter] = name
    return faults


def _fault(number: int, place: str, name: str, message: str, suggestion: str = "") -> Fault:
    said = Sentence("Source '{name}': {message}", name=name, message=message)
    return Fault(setting=f"{number}.{place}", message=said, suggestion=suggestion, step="sources")


def _nearest(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or Sentence("Possible names: {names}.", names=listed(known))


def _faults_of(source: Mapping[str, Any], number: int) -> list[Fault]:
    name = source.get("name")
    shown = str(name) if name else str(number)

    def fault(place: str, message: str, suggestion: str = "") -> Fault:
        return _fault(number, place, shown, message, suggestion)

    faults = [
        fault(str(key), Sentence("there is no key '{key}'.", key=key), _nearest(str(key), KEYS))
        for key in source
        if key not in KEYS
    ]
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > 40:
        faults.append(
            fault("name", Sentence("a name needs lower-case letters, digits and hyphens, {most} at most.", most=40))
        )
    kind = source.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        message = Sentence("there is no kind '{kind}'.", kind=kind) if kind else Sentence("the kind is missing.")
        return [*faults, fault("kind", message, _nearest(str(kind), list(KINDS)))]
    parameters = source.get("parameters", list(PARAMETERS[kind]))
    if not isinstance(parameters, list) or not all(isinstance(one, str) for one in parameters):
        return [*faults, fault("parameters", Sentence("the parameters must be a list of names."))]
    wrong = [one for one in parameters if not PARAMETER_NAME.fullmatch(one)]
    if wrong:
        message = Sentence("{names} cannot be the name of a link parameter.", names=listed(wrong))
        faults.append(fault("parameters", message))
    if len(parameters) > MOST_PARAMETERS or len(set(parameters)) < len(parameters):
        faults.append(
            fault("parameters", Sentence("there can be at most {most} parameters, each once.", most=MOST_PARAMETERS))
        )
    if not parameters and kind != LINK:
        suggestion = Sentence("Name the parameter that contains the id.")
        faults.append(
            fault("parameters", Sentence("the platform cannot recognise anybody without a parameter."), suggestion)
        )
    id_only = source.get("id_only", False)
    if not isinstance(id_only, bool):
        faults.append(fault("id_only", Sentence("id_only must be true or false.")))
    elif id_only and not parameters:
        message = Sentence("without a parameter, no id can open a session.")
        faults.append(fault("id_only", message, Sentence("Delete id_only.")))
    outcomes = source.get("outcomes", {})
    if not isinstance(outcomes, Mapping):
        message = Sentence("the outcomes must be tables, such as [sources.outcomes.completed].")
        return [*faults, fault("outcomes", message)]
    for outcome, given in outcomes.items():
        place = f"outcomes.{outcome}"
        if outcome not in OUTCOMES:
            message = Sentence("there is no outcome '{outcome}'.", outcome=outcome)
            faults.append(fault(place, message, _nearest(str(outcome), list(OUTCOMES))))
        elif not isinstance(given, Mapping):
            message = Sentence("'{outcome}' must be a table with a text, a link or a code.", outcome=outcome)
            faults.append(fault(place, message))
        else:
            faults += [
                fault(
                    f"{place}.{key}" if key else place,
                    Sentence("'{outcome}': {message}", outcome=outcome, message=said),
                    suggestion,
                )
                for key, said, suggestion in _return_faults(given, parameters)
            ]
    return faults


def _return_faults(given: Mapping[str, Any], parameters: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Return (key, message, suggestion) of everything that is wrong with the return of one outcome."""
    yield from (
        (str(key), Sentence("there is no key '{key}'.", key=key), hint)
        for key, hint in unknown_keys(given, RETURN_KEYS)
    )
    most = {"text": MOST_OF_A_TEXT, "link": MOST_OF_A_LINK, "code": MOST_OF_A_CODE}
    for key, length in most.items():
        value = given.get(key, "")
        if not isinstance(value, str) or len(value) > length or "\x00" in value:
            message = Sentence("the {key} must be a text of at most {length:,} characters.", key=key, length=length)
            yield key, message, ""
    link = given.get("link", "")
    if isinstance(link, str) and link:
        yield from (("link", message, suggestion) for message, suggestion in _link_faults(link, parameters))


def _link_faults(link: str, parameters: Sequence[str]) -> list[tuple[str, str]]:
    strange = _STRANGE_IN_LINKS.search(link)
    if strange:
        possible = Sentence("Write {{{name}}} instead.", name=parameters[0]) if parameters else Sentence("Delete it.")
        return [(Sentence("the platform does not fill in '{text}'.", text=strange[0]), possible)]
    if not re.match(r"https://[^/?#{}\s]+", link):
        message = Sentence("the link must begin with https:// and contain the name of a server.")
        return [(message, Sentence("Copy the link from the service."))]
    known = [PARTICIPANT_ID, *parameters] if parameters else []
    faults: list[tuple[str, str]] = [
        (
            Sentence("the link contains {{{name}}}, which is not a parameter of the source.", name=name),
            _nearest(name, known) if known else Sentence("The source has no parameters."),
        )
        for name in PLACEHOLDER.findall(link)
        if name not in known
    ]
    try:
        URLValidator(schemes=["https"])(PLACEHOLDER.sub("x", link))
    except ValidationError:
        faults.append(
            (Sentence("'{link}' is not the address of a page.", link=link), Sentence("Copy the link from the service."))
        )
    return faults

"""Read recruitment ids from the parameters of a participant's link, and who may begin because of earlier studies.

Prolific sends PROLIFIC_PID, STUDY_ID and SESSION_ID; SONA sends id or survey_code; Mechanical Turk sends workerId,
assignmentId and hitId. A study can declare further parameters; the first of those identifies the person where the link
carries none of the known ones. The sources of a study (`experiments.rules.sources`) come before all of these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.rules.procedure import IGNORED, KEPT_OUT, MINE, ONLY_COMPLETED, PLATFORM
from experiments.rules.sources import PARTICIPANT_ID, PLACEHOLDER, Source, is_lacking, sources_of
from experiments.study.access import studies_with_data_for
from experiments.study.personal_links import SIGNATURE, is_signed
from participants.content import why_not_storable
from participants.models import RecruitmentIdentity, Session
from participants.refusals import Refusal
from participants.sealing import keyed_digest

IDENTIFYING = ("PROLIFIC_PID", "workerId", "id", "survey_code")
ACCOMPANYING = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
MAX_CHARACTERS = 200
# Parameters with which a service names the same person in every study.
OF_SERVICES = ("PROLIFIC_PID", "workerId", "participantId")


@dataclass(frozen=True)
class Identity:
    """A participant's recruitment id. `source` is the parameter that carried it."""

    source: str
    external_id: str
    parameters: Mapping[str, str]

    @property
    def values(self) -> dict[str, str]:
        """What may be filled into a link that leads back."""
        return {**self.parameters, self.source: self.external_id, PARTICIPANT_ID: self.external_id}


@dataclass(frozen=True)
class Arrival:
    """A participant's recruitment source (None: no named one) and identity.

    `lacking` is the identifying parameter if the link lacks its value; `is_signed`: this platform made the link for
    this one person.
    """

    source: Source | None = None
    identity: Identity | None = None
    lacking: str = ""
    is_signed: bool = False

    @property
    def opens_session(self) -> bool:
        """Whether the link alone opens the session of the person whom it names; otherwise it only finds them."""
        if self.identity is None:
            return False
        source = self.source
        return self.is_signed or (source is not None and source.id_only and source.identifying == self.identity.source)

    @property
    def name(self) -> str:
        """The name of the source; empty for no named one."""
        return self.source.name if self.source else ""

    @property
    def values(self) -> dict[str, str]:
        """What may be filled into a link that leads back."""
        return self.identity.values if self.identity else {}


def parameter_names(study: Study) -> list[str]:
    """Return the parameters that a participant's link may carry: the known ones and those the study declares."""
    of_sources = [name for source in sources_of(study.sources) for name in source.parameters]
    return list(dict.fromkeys([*IDENTIFYING, *ACCOMPANYING, *_declared(study), *of_sources]))


def _declared(study: Study) -> list[str]:
    return [str(name) for name in study.conduct.get("recruitment_parameters") or []]


def arrival_from(study: Study, recruitment: Mapping[str, Any]) -> Arrival:
    """Return source and identity of a participant from the parameters of a link.

    A source is recognised by its first parameter; the first matching source wins. Otherwise the source is the one that
    needs no parameter, or none.
    """
    sources = sources_of(study.sources)
    parameters = _usable(study, recruitment)
    for source in sources:
        if source.identifying in parameters:
            identity = _identity(source.identifying, parameters)
            return Arrival(source, identity, is_signed=_is_signed(study, identity, recruitment))
    for_everybody = next((source for source in sources if not source.parameters), None)
    found = identity_from(study, recruitment)
    if found is None:
        return Arrival(for_everybody, None, _lacking(study, sources, recruitment))
    return Arrival(for_everybody, found, is_signed=_is_signed(study, found, recruitment))


def _is_signed(study: Study, identity: Identity, recruitment: Mapping[str, Any]) -> bool:
    signature = recruitment.get(SIGNATURE)
    return isinstance(signature, str) and is_signed(study, identity.source, identity.external_id, signature)


def refuse_lacking(study: Study, arrival: Arrival, recruitment: Mapping[str, Any]) -> None:
    """Raise Refusal `link-incomplete` if a link lacks the value of its identifying parameter.

    Studies without named sources treat an empty parameter as missing, as in earlier versions.
    """
    given = recruitment.get(arrival.lacking)
    if arrival.lacking and (study.sources or (isinstance(given, str) and given.strip() and is_lacking(given))):
        raise link_incomplete(arrival.lacking)


def link_incomplete(parameter: str) -> Refusal:
    """Return the refusal for a link whose parameter is empty or was not filled in."""
    return Refusal(
        "link-incomplete",
        _(
            "Your link is not complete: what should tell us who you are (%(parameter)s) is missing from it. Please go "
            "back to the page on which you found the link and open it from there. Nothing was stored."
        )
        % {"parameter": parameter},
    )


def _lacking(study: Study, sources: list[Source], recruitment: Mapping[str, Any]) -> str:
    identifying = [*(source.identifying for source in sources), *IDENTIFYING, *_declared(study)]
    given = next((name for name in identifying if name and name in recruitment), "")
    if given:
        return given
    alone = (source for source in sources if any(name in recruitment for name in source.parameters))
    return next((source.identifying for source in alone), "")


def _usable(study: Study, recruitment: Mapping[str, Any]) -> dict[str, str]:
    """Return the known parameters with a value; empty, overlong, unstorable and unreplaced ones are left out."""
    return {
        name: value.strip()
        for name in parameter_names(study)
        if isinstance(value := recruitment.get(name), str)
        and len(value.strip()) <= MAX_CHARACTERS
        and not is_lacking(value)
        and not why_not_storable(value)
    }


def _identity(parameter: str, parameters: Mapping[str, str]) -> Identity:
    accompanying = {name: value for name, value in parameters.items() if name != parameter}
    return Identity(source=parameter, external_id=parameters[parameter], parameters=accompanying)


def identity_from(study: Study, recruitment: Mapping[str, Any]) -> Identity | None:
    """Return the identity that the parameters of a link give, or None where they identify nobody.

    Parameters that are neither known nor declared are dropped, as are empty, overlong, unstorable, unreplaced values.
    """
    parameters = _usable(study, recruitment)
    candidates = [name for name in (*IDENTIFYING, *_declared(study)) if name not in ACCOMPANYING]
    source = next((name for name in candidates if name in parameters), None)
    return None if source is None else _identity(source, parameters)


def stored_values(recruitment: RecruitmentIdentity | None) -> dict[str, str]:
    """Return what may be filled into a link that leads somebody back."""
    if recruitment is None:
        return {}
    return Identity(recruitment.source, recruitment.external_id, recruitment.parameters).values


def filled_link(link: str, values: Mapping[str, Any], *, needed: Collection[str] | None = None) -> str:
    """Return a link with its placeholders filled in; empty where one of those that are `needed` (all) would be empty.

    >>> filled_link("https://pool.example/done?id={id}", {"id": "a b"})
    'https://pool.example/done?id=a%20b'
    >>> filled_link("https://pool.example/done?id={id}", {})
    ''
    """
    if any(not values.get(name) for name in PLACEHOLDER.findall(link) if needed is None or name in needed):
        return ""
    return PLACEHOLDER.sub(lambda placeholder: quote(str(values.get(placeholder[1], "")), safe=""), link)


def why_kept_out(study: Study, identity: Identity | None) -> Refusal | None:
    """Return why a person may not begin because of earlier studies; None if they may.

    The keyed hash of an id is the same in every study, so that a person is recognised without anybody reading the id.
    An id means the same person only within its parameter; across the platform only ids that services give out count,
    because number 17 of one laboratory is not number 17 of another. People without an id in their link cannot be
    recognised: nobody knows that they took part, or that they completed.
    """
    rule = study.conduct.get("earlier_participation") or IGNORED
    if rule == KEPT_OUT:
        return _kept_out() if identity is not None and _took_part(study, identity).exists() else None
    if rule == ONLY_COMPLETED:
        is_known = identity is not None and _took_part(study, identity, completed=True).exists()
        return None if is_known else _not_among_them()
    return None


def _took_part(study: Study, identity: Identity, *, completed: bool = False) -> QuerySet[RecruitmentIdentity]:
    names = [str(name) for name in study.conduct.get("earlier_studies") or []]
    hashed = keyed_digest(identity.external_id)
    found = RecruitmentIdentity.objects.filter(external_id_hash=hashed, source=identity.source).exclude(study=study.pk)
    if completed:
        found = found.filter(participant__sessions__status=Session.Status.COMPLETE)
    return found.filter(participant__is_simulated=False).filter(_one_of(study, identity, names))


def _one_of(study: Study, identity: Identity, names: list[str]) -> Q:
    """Return the condition on the study in which somebody took part: what its owner may name, and nothing else."""
    if PLATFORM in names and identity.source in OF_SERVICES:
        return Q()
    named = Study.objects.filter(slug__in=names)
    if study.owner is None:
        condition = Q(study__in=named)
    else:
        mine = Q(study__in=named.filter(pk__in=studies_with_data_for(study.owner).values("pk")))
        condition = mine | Q(study__in=named.filter(owner=study.owner))
    if MINE in names:
        condition |= Q(study__owner=study.owner)
    return condition


def _kept_out() -> Refusal:
    return Refusal(
        "kept-out",
        _(
            "You have taken part in an earlier study that asked similar questions, and this one is for people who have "
            "not seen them. Thank you for your interest; nothing was stored."
        ),
    )


def _not_among_them() -> Refusal:
    return Refusal(
        "kept-out",
        _(
            "This study is for people who completed an earlier one, and we could not find you among them. If you did, "
            "open the link exactly as you received it, or write to the address below. Nothing was stored."
        ),
    )

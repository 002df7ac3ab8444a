"""The ids by which recruitment platforms know their participants: read from the link, kept apart from the data.

Prolific sends PROLIFIC_PID, STUDY_ID and SESSION_ID; SONA sends id or survey_code; Mechanical Turk sends workerId,
assignmentId and hitId. A study can declare further parameters; the first of those identifies the person where the link
carries none of the known ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from experiments.models import Study
from participants.content import why_not_storable
from participants.models import Session

IDENTIFYING = ("PROLIFIC_PID", "workerId", "id", "survey_code")
ACCOMPANYING = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
MAX_CHARACTERS = 200


@dataclass(frozen=True)
class Identity:
    """Who a recruitment platform says this is."""

    source: str
    external_id: str
    parameters: Mapping[str, str]


def parameter_names(study: Study) -> list[str]:
    """Return the parameters that a participant's link may carry: the known ones and those the study declares."""
    declared = [str(name) for name in study.procedure.get("recruitment_parameters") or []]
    return list(dict.fromkeys([*IDENTIFYING, *ACCOMPANYING, *declared]))


def identity_from(study: Study, recruitment: Mapping[str, Any]) -> Identity | None:
    """Return the identity that the parameters of a link give, or None where they identify nobody.

    Parameters that are neither known nor declared are dropped, as are empty, overlong and unstorable values.
    """
    names = parameter_names(study)
    parameters = {
        name: value.strip()
        for name in names
        if isinstance(value := recruitment.get(name), str)
        and 0 < len(value.strip()) <= MAX_CHARACTERS
        and not why_not_storable(value)
    }
    candidates = [name for name in [*IDENTIFYING, *names] if name not in ACCOMPANYING]
    source = next((name for name in candidates if name in parameters), None)
    if source is None:
        return None
    accompanying = {name: value for name, value in parameters.items() if name != source}
    return Identity(source=source, external_id=parameters[source], parameters=accompanying)


def return_address(session: Session) -> str:
    """Return the study's redirect with placeholders such as {PROLIFIC_PID} filled in; empty where there is none."""
    address = str(session.study.procedure.get("redirect_url") or "")
    if not address:
        return ""
    recruitment = getattr(session.participant, "recruitment", None)
    values = {**recruitment.parameters, recruitment.source: recruitment.external_id} if recruitment else {}
    return re.sub(
        r"\{([A-Za-z0-9_]+)\}", lambda placeholder: quote(str(values.get(placeholder[1], "")), safe=""), address
    )

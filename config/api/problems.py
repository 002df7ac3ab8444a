"""Problems: why a request was not done, what was kept and what to do, as RFC 9457 has it (application/problem+json)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, RequestDataTooBig, ValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions

from analysis.methods.report import BadInput
from experiments.formats.faults import Fault, FaultsFound
from experiments.study.refusals import FrozenStudy, LifecycleRefusal, NotReady
from experiments.uploads.reading import Busy
from participants.erasure.whole_studies import StillOpen
from participants.refusals import Refusal

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 5
MOST_FAULTS = 500


@dataclass(frozen=True)
class Kind:
    """A kind of problem: its code, the status of its answers, and what it means in a few words."""

    code: str
    status: int
    title: str


KINDS = {
    kind.code: kind
    for kind in (
        Kind("malformed", 400, "The request cannot be read"),
        Kind("not-authenticated", 401, "A valid token is missing"),
        Kind("lacks-scope", 403, "The token may not do this"),
        Kind("not-allowed", 403, "The person of the token may not do this"),
        Kind("not-found", 404, "There is nothing at this address"),
        Kind("wrong-method", 405, "The address has no such operation"),
        Kind("refused", 409, "The state of the study does not allow it"),
        Kind("frozen", 409, "The study has been opened, so its design cannot change"),
        Kind("not-ready", 409, "The study cannot open yet"),
        Kind("in-progress", 409, "The first request with this key is not finished"),
        Kind("precondition-failed", 412, "Somebody changed it since you read it"),
        Kind("too-large", 413, "The body is too large"),
        Kind("unsupported-media-type", 415, "The body is of a type that is not taken here"),
        Kind("invalid", 422, "The request is not valid"),
        Kind("other-request", 422, "The idempotency key was used for another request"),
        Kind("precondition-required", 428, "Say which state you change"),
        Kind("too-many-requests", 429, "Too many requests"),
        Kind("server-error", 500, "Something went wrong"),
        Kind("busy", 503, "The platform is busy"),
    )
}


@dataclass
class Problem(Exception):
    """A request was not done. `detail` says what happened and what to do; `faults` are all that is wrong with it."""

    code: str
    detail: str
    faults: Sequence[Mapping[str, Any]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        return KINDS[self.code]

    def content(self) -> dict[str, Any]:
        """Return the problem as the body of an answer."""
        more = len(self.faults) - MOST_FAULTS
        said = f"{self.detail} {more} more faults are not listed." if more > 0 else self.detail
        return {
            "type": f"/docs/api/#{self.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "code": self.code,
            "detail": said,
            **({"faults": list(self.faults[:MOST_FAULTS])} if self.faults else {}),
        }


def placed(fault: Fault, *, within: str = "") -> dict[str, Any]:
    """Return a fault as JSON: `place` (a JSON pointer, or the name of a setting), `line`, `column`, what and advice."""
    return {
        "place": f"{within}{fault.setting}" if fault.setting.startswith("/") or not within else within,
        "line": fault.line,
        "column": fault.column,
        "message": str(fault.message),
        "suggestion": str(fault.suggestion),
        "step": fault.step,
    }


def at(place: str, message: str, suggestion: str = "") -> dict[str, Any]:
    """Return a fault at a place of the request."""
    return placed(Fault(setting=place, message=message, suggestion=suggestion))


def invalid(faults: Sequence[Fault], *, within: str = "") -> Problem:
    """Return the problem of a request with faults; `within` is the place of the body that they are about."""
    number = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
    detail = f"The request has {number}. Nothing was stored; correct what is listed and send it again."
    return Problem("invalid", detail, [placed(fault, within=within) for fault in faults])


def problem_of(error: Exception) -> Problem | None:
    """Return the problem that an exception of the platform or of the framework means; None for one that is a bug."""
    match error:
        case Problem():
            return error
        case NotReady():
            faults = [placed(fault) for fault in error.faults]
            return Problem(
                "not-ready", "The study cannot open yet; what is missing is listed. Nothing was changed.", faults
            )
        case FrozenStudy():
            return Problem("frozen", str(error))
        case LifecycleRefusal() | StillOpen():
            return Problem("refused", str(error))
        case FaultsFound():
            return invalid(error.faults)
        case BadInput():
            return Problem("invalid", f"{error} Nothing was stored.", [at("", str(error))])
        case Refusal():
            return Problem("not-found" if error.status == 404 else "refused", str(error.message))
        case ValidationError():
            return invalid(list(_of_model(error)))
        case exceptions.ValidationError():
            return _of_body(error)
        case Busy():
            detail = "All places are taken in which files are read. Nothing was stored; send it again in a few seconds."
            return Problem("busy", detail, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})
        case OperationalError() | InterfaceError():
            detail = "The database cannot be reached or is full. Nothing was stored; send the request again."
            return Problem("busy", detail, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})
        case Http404() | ObjectDoesNotExist() | exceptions.NotFound():
            return not_found()
        case PermissionDenied():
            return Problem("not-allowed", str(error) or "You may not do this. Ask the owner of the study.")
        case RequestDataTooBig():
            return Problem("too-large", "The body is larger than what is taken here. Nothing was stored.")
        case exceptions.MethodNotAllowed():
            return Problem("wrong-method", "There is no such operation at this address. The header Allow names those.")
        case exceptions.Throttled():
            seconds = max(1, math.ceil(getattr(error, "wait", None) or 60))
            detail = f"There were too many requests within a minute. Nothing was done; ask again in {seconds} seconds."
            return Problem("too-many-requests", detail, headers={"Retry-After": str(seconds)})
        case exceptions.ParseError():
            return Problem("malformed", "The request cannot be read. Nothing was stored.")
        case _:
            return None


def not_found(what: str = "") -> Problem:
    """Return the problem of an address at which there is nothing, or nothing that the person may know of."""
    return Problem("not-found", what or "There is nothing at this address, or you were not added to its study.")


def not_authenticated(detail: str) -> Problem:
    """Return the problem of a request without a valid token."""
    return Problem("not-authenticated", detail, headers={"WWW-Authenticate": 'Bearer realm="lectern"'})


def _of_body(error: exceptions.ValidationError) -> Problem:
    faults = [Fault(setting=place, message=message) for place, message in _flat(error.detail, "")]
    return invalid(faults)


def _flat(detail: Any, place: str) -> Iterator[tuple[str, str]]:
    """Yield (JSON pointer, message) for everything that a serializer found."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            step = "" if name in ("non_field_errors", "") else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _flat(inner, place + step)
    elif isinstance(detail, list | tuple):
        for number, inner in enumerate(detail):
            yield from _flat(inner, f"{place}/{number}" if isinstance(inner, Mapping | list) and inner else place)
    else:
        yield place, str(detail)


def _of_model(error: ValidationError) -> Iterator[Fault]:
    if not hasattr(error, "error_dict"):
        yield from (Fault(message=message) for message in error.messages)
        return
    for name, messages in error.message_dict.items():
        yield from (Fault(setting="" if name == "__all__" else f"/{name}", message=message) for message in messages)


__all__ = ["CONTENT_TYPE", "KINDS", "Kind", "Problem", "at", "invalid", "not_found", "placed", "problem_of"]

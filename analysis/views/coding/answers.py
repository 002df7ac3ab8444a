"""Requests and responses of the coding endpoints: plain values, a status, and a message if refused."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.generic import View

from analysis.coding.adjudicating import Disagreement
from analysis.coding.queues import ItemView
from analysis.coding.refusals import CodingRefusal
from analysis.coding.seen import Seen
from experiments.languages import in_language

STATUS = {"unknown": 404, "frozen": 409, "changed": 409, "nothing": 409}
LARGEST_BODY = 64 * 1024
LONGEST_NOTE = 2_000
MOST_CODES = 60
# A text that was on the screen for longer than a day was not looked at.
MOST_SECONDS = 86_400.0
LARGEST_WINDOW = 100


class Unreadable(ValueError):
    """A request that is not what the page sends."""


@dataclass(frozen=True)
class Sent:
    """Codes for one recall, as a page sends them."""

    key: str
    codes: list[str]
    note: str
    seconds: float
    revision: int | None


def answer(status: int = 200, **values: Any) -> JsonResponse:
    """Return values as JSON that nobody keeps."""
    response = JsonResponse(values, status=status)
    response["Cache-Control"] = "no-store"
    return response


def refused(refusal: CodingRefusal, **values: Any) -> JsonResponse:
    """Return a refusal with its sentence."""
    return answer(STATUS.get(refusal.code, 400), code=refusal.code, message=in_language(str(refusal)), **values)


class Endpoint(View):
    """An endpoint behind a page. Refusals become a status and a sentence."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except Http404 as missing:
            return answer(404, code="unknown", message=str(missing))
        except PermissionDenied as denied:
            return answer(403, code="denied", message=str(denied))
        except Unreadable as fault:
            return answer(400, code="unreadable", message=str(fault))
        except CodingRefusal as refusal:
            return refused(refusal)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return answer(405, code="method", message=_("This address does not accept this kind of request."))


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the object that was sent. Raises Unreadable."""
    if len(request.body) > LARGEST_BODY:
        raise Unreadable(_("This is too long for one coding. Nothing was saved."))
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise Unreadable(_("The request is not JSON. Nothing was saved.")) from error
    if not isinstance(body, dict):
        raise Unreadable(_("The request is not a JSON object. Nothing was saved."))
    return body


def sent(body: dict[str, Any]) -> Sent:
    """Return the coding that was sent. Raises Unreadable with a sentence for what is wrong with it."""
    codes, note, seconds = body.get("codes"), body.get("note", ""), body.get("seconds", 0)
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes) or len(codes) > MOST_CODES:
        raise Unreadable(_("'codes' must be a list of codes. Nothing was saved."))
    if not isinstance(note, str) or "\x00" in note:
        raise Unreadable(_("'note' must be a text. Nothing was saved."))
    if len(note) > LONGEST_NOTE:
        raise Unreadable(
            _("The note has %(n)d characters; at most %(most)d are possible. Shorten it; nothing was saved.")
            % {"n": len(note), "most": LONGEST_NOTE}
        )
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool) and math.isfinite(seconds)
    if not is_number or seconds < 0:
        raise Unreadable(_("'seconds' must be a number of seconds. Nothing was saved."))
    return Sent(
        key=key_of(body),
        codes=codes,
        note=note.strip(),
        seconds=min(float(seconds), MOST_SECONDS),
        revision=revision_of(body),
    )


def key_of(body: dict[str, Any]) -> str:
    """Return the opaque name of a recall. Raises Unreadable."""
    key = body.get("key")
    if not isinstance(key, str) or not 0 < len(key) <= 40 or "\x00" in key:
        raise Unreadable(_("'key' must be the name of a recall. Nothing was saved."))
    return key


def revision_of(body: dict[str, Any]) -> int | None:
    """Return which state of the coding was seen, or None. Raises Unreadable."""
    revision = body.get("revision")
    if revision is not None and (not isinstance(revision, int) or isinstance(revision, bool) or revision < 0):
        raise Unreadable(_("'revision' must be a whole number. Nothing was saved."))
    return revision


def window_of(request: HttpRequest) -> tuple[int, int]:
    """Return from which text on, counting from 1, and how many texts were asked for."""
    numbers = []
    for name, otherwise in (("from", 1), ("count", 20)):
        given = request.GET.get(name, "")
        numbers.append(int(given) if given.isdecimal() and len(given) < 10 else otherwise)
    return max(1, numbers[0]), min(LARGEST_WINDOW, max(1, numbers[1]))


def item_json(view: ItemView) -> dict[str, Any]:
    """Return what a coder's page gets of a recall: nothing of condition, participant, list or arithmetic."""
    return {
        "key": view.recall_id,
        "number": view.position,
        **_texts(view),
        "coding": {"codes": list(view.codes), "note": view.note} if view.is_coded else None,
        "revision": view.revision,
        "codings": [],
    }


def disagreement_json(view: Disagreement, *, number: int) -> dict[str, Any]:
    """Return what the page of adjudication gets of a recall: as blind as its coders, with what they gave."""
    return {
        "key": view.recall_id,
        "number": number,
        **_texts(view),
        "coding": None if view.decided is None else {"codes": list(view.decided), "note": view.note},
        "revision": view.revision,
        "outdated": view.is_outdated,
        "codings": [
            {"coder": opinion.coder, "codes": list(opinion.codes), "note": opinion.note} for opinion in view.opinions
        ],
    }


def _texts(view: Seen) -> dict[str, Any]:
    suggestion = view.suggestion
    return {
        "stimulus": [{"text": mark.text, "kind": mark.kind} for mark in view.stimulus_marks],
        "recall": [{"text": mark.text, "kind": mark.kind} for mark in view.recall_marks],
        "suggestion": None
        if suggestion is None
        else {"codes": list(suggestion.codes), "reasons": [in_language(reason) for reason in suggestion.reasons]},
    }

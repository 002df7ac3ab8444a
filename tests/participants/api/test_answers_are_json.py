"""Answers of the participants' API are the JSON that Django REST framework would send, sooner."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils.translation import gettext_lazy
from rest_framework.renderers import JSONRenderer

from experiments.sentences import Sentence
from participants.api.base import FastJSONRenderer
from participants.models import Session

ANSWERS: dict[str, Any] = {
    "nothing": None,
    "a session": {"trials": [{"position": 0, "params": {"text": "Straße \u2028 \U0001f600", "of": [1, 0.1, 1e300]}}]},
    "a sentence with places": {"message": Sentence("There is no column '{name}'.", name="ü")},
    "a choice": {"status": Session.Status.RUNNING},
    "a translation that waits": {"detail": gettext_lazy("Continue")},
    "a moment": {"at": datetime(2026, 11, 25, 9, 30, tzinfo=UTC)},
    "a large integer": {"seed": 2**70},
    "a key that is no text": {1: "one"},
}


@pytest.mark.parametrize("what", ANSWERS)
def test_an_answer_says_the_same_by_either_library(what: str) -> None:
    ours, theirs = (each().render(ANSWERS[what], "application/json") for each in (FastJSONRenderer, JSONRenderer))
    assert json.loads(ours or b"null") == json.loads(theirs or b"null")
    assert bool(ours) == bool(theirs)


def test_json_is_indented_where_that_is_asked_for() -> None:
    assert b'\n    "a": 1' in FastJSONRenderer().render({"a": 1}, "application/json; indent=4")

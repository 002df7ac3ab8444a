"""Hooks: where a study sends its events, and what was delivered. For people who may edit the study, as on its page."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Count, Q, QuerySet
from rest_framework import serializers

from config.api.declarations import DATA, READ, WRITE, Answer, Call, Operation
from config.api.fields import Choice, Shape, Text, Truth, Whole
from config.api.operations.shapes import Nothing
from config.api.paging import Page, page_of, paged
from config.api.problems import Problem, at, not_found
from experiments.study.refusals import LifecycleRefusal
from participants.hooks import managing
from participants.hooks.reaching import LONGEST_ADDRESS
from participants.models import Hook, HookEvent

EVENTS = [kind for kind, _label in managing.CHOICES]
ALL_EVENTS = [str(kind) for kind in HookEvent.Kind.values]


def events(**more: Any) -> Any:
    kinds = Choice(choices=EVENTS)
    return serializers.ListField(child=kinds, min_length=1, max_length=len(EVENTS), **more)


class HookShape(Shape):
    """A hook, without its secret."""

    id = Whole()
    address = Text()
    events = serializers.ListField(child=Choice(choices=ALL_EVENTS), help_text="Which events are sent.")
    is_active = Truth()
    off_because = Text(allow_blank=True, help_text="The answer of the receiver that switched it off; else empty.")
    waiting = Whole(help_text="How many events wait to be sent.")
    given_up = Whole(help_text="How many events were given up after three days.")
    created_at = serializers.DateTimeField()
    url = Text()


class Hooks(Shape):
    """All hooks of a study."""

    items = HookShape(many=True)


class NewHook(Shape):
    """Where events are sent, and which."""

    address = Text(max_length=LONGEST_ADDRESS, help_text="The https:// address of your program.")
    events = events(help_text="The kinds of events, such as `session.completed`.")


class HookWithSecret(HookShape):
    """A hook with its new secret, which is shown this once."""

    secret = Text(help_text="What signs the events. Keep it: it is not shown again.")


class ChangedHook(Shape):
    """What of a hook changes; what is left out stays."""

    is_active = Truth(required=False, help_text="`false` switches it off; what happens meanwhile is not sent.")
    events = events(required=False, help_text="All kinds of events that are sent from now on.")


class DeliveryShape(Shape):
    """An event on its way to a hook."""

    delivery = Text(help_text="Its id, the same in every attempt and in the header Lectern-Delivery.")
    event = Choice(choices=ALL_EVENTS)
    state = Choice(choices=HookEvent.State.choices)
    attempts = Whole()
    status = Whole(allow_null=True, help_text="The status of the last answer; null where there was none.")
    answer = Text(allow_blank=True, help_text="The beginning of the last answer, or why there was none.")
    body = Text(help_text="What is sent, byte for byte.")
    stored_at = serializers.DateTimeField()
    next_attempt_at = serializers.DateTimeField(allow_null=True, help_text="Null where it no longer waits.")
    sent_at = serializers.DateTimeField(allow_null=True)


class Which(Page):
    """Which deliveries are listed."""

    state = Choice(choices=HookEvent.State.choices, required=False, help_text="Only those in this state.")


class ToSendAgain(Shape):
    """Which event is sent again."""

    delivery = Text(
        required=False, max_length=36,
        help_text="The id of an event that was delivered or given up; left out: all that were given up.",
    )  # fmt: skip


class SentAgain(Shape):
    """How many events wait to be sent again."""

    events = Whole()


def list_hooks(call: Call) -> Answer:
    """All hooks of the study, of which there are a few at most."""
    return Answer({"items": [shown(call, hook) for hook in _hooks(call)]})


def create_hook(call: Call) -> Answer:
    """Add a hook; its secret is in this answer alone."""
    try:
        managing.checked_address(call.body["address"])
    except LifecycleRefusal as refusal:
        raise Problem("invalid", "No hook was added.", [at("/address", str(refusal))]) from None
    kinds = dict.fromkeys(call.body["events"])
    hook = managing.add_hook(call.study, address=call.body["address"], kinds=kinds, user=call.user)
    answer = shown(call, _named(call, str(hook.pk)))
    return Answer({**answer, "secret": hook.secret}, headers={"Location": answer["url"]})


def get_hook(call: Call) -> Answer:
    """One hook."""
    return Answer(shown(call, _hook(call)))


def change_hook(call: Call) -> Answer:
    """Choose other events, and switch a hook on or off."""
    hook = _hook(call)
    if "events" in call.body:
        managing.choose_kinds(hook, dict.fromkeys(call.body["events"]), user=call.user)
    if "is_active" in call.body:
        managing.switch(hook, on=call.body["is_active"], user=call.user)
    return get_hook(call)


def delete_hook(call: Call) -> Answer:
    """Delete a hook with its events."""
    managing.delete_hook(_hook(call), user=call.user)
    return Answer(status=204)


def rotate_secret(call: Call) -> Answer:
    """Give a hook a new secret; for a day the old one signs, too."""
    hook = managing.rotate_secret(_hook(call), user=call.user)
    return Answer({**shown(call, _hook(call)), "secret": hook.secret})


def send_test(call: Call) -> Answer:
    """Send a test, if the hook is on."""
    hook = _hook(call)
    if not hook.is_active:
        raise Problem("refused", "The hook is off, so no test was sent. Switch it on first.")
    managing.send_test(hook)
    return get_hook(call)


def list_deliveries(call: Call) -> Answer:
    """The deliveries of the last 30 days, the latest first."""
    found = _hook(call).events.all()
    if "state" in call.query:
        found = found.filter(state=call.query["state"])
    return paged(call, found, shown_delivery, newest_first=True)


def replay(call: Call) -> Answer:
    """Send one event again, or all that were given up."""
    hook, event = _hook(call), None
    if "delivery" in call.body:
        wanted = _id_in(call.body["delivery"])
        event = hook.events.filter(delivery=wanted).values_list("pk", flat=True).first() if wanted else None
        if event is None:
            fault = at("/delivery", "The hook has no such delivery.", "Those of the last 30 days are listed.")
            raise Problem("invalid", "Nothing is sent again.", [fault])
    return Answer({"events": managing.replay(hook, event=event, user=call.user)})


def shown(call: Call, hook: Any) -> dict[str, Any]:
    """Return a hook that was read by `_hooks` as `HookShape` has it."""
    return {
        "id": hook.pk,
        "events": sorted(hook.kinds),
        **{name: getattr(hook, name) for name in (
            "address", "is_active", "off_because", "waiting", "given_up", "created_at",
        )},
        "url": call.address(f"/api/v1/studies/{call.study.slug!s}/hooks/{hook.pk}/"),
    }  # fmt: skip


def shown_delivery(event: HookEvent) -> dict[str, Any]:
    """Return an event as `DeliveryShape` has it."""
    waits = event.state == HookEvent.State.WAITING
    return {
        "delivery": str(event.delivery),
        "event": event.kind,
        **{name: getattr(event, name) for name in ("state", "attempts", "status", "answer", "body", "sent_at")},
        "stored_at": event.created_at,
        "next_attempt_at": event.next_attempt_at if waits else None,
    }


def _hooks(call: Call) -> QuerySet[Hook]:
    waiting, given_up = (
        Count("events", filter=Q(events__state=state)) for state in (HookEvent.State.WAITING, HookEvent.State.GIVEN_UP)
    )
    return Hook.objects.filter(study_id=call.study.pk).annotate(waiting=waiting, given_up=given_up).order_by("pk")


def _hook(call: Call) -> Hook:
    return _named(call, call.path["hook"])


def _named(call: Call, given: str) -> Hook:
    is_number = given.isascii() and given.isdecimal() and len(given) < 16
    hook = _hooks(call).filter(pk=given).first() if is_number else None
    if hook is None:
        raise not_found("There is no such hook in this study. Perhaps somebody deleted it.")
    return hook


def _id_in(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _state(call: Call) -> Any:
    hook = _hook(call)
    return {"address": hook.address, "events": sorted(hook.kinds), "is_active": hook.is_active}


_AT = "studies/{slug}/hooks/"
_ONE = f"{_AT}{{hook}}/"
# An event says which participant ended how, so a token that may not read data sends none.
_SENDING = {"scopes": (READ, WRITE, DATA), "role": "editor"}
OPERATIONS = (
    Operation("list_hooks", "GET", _AT, "List hooks", list_hooks, role="editor", gives=Hooks),
    Operation(
        "create_hook", "POST", _AT, "Add a hook", create_hook, body=NewHook, gives=HookWithSecret, status=201,
        creates=True, headers=("Location",), **_SENDING,  # type: ignore[arg-type]
        description="Its secret is in this answer alone. What happened before is not sent.",
    ),
    Operation("get_hook", "GET", _ONE, "Read a hook", get_hook, role="editor", gives=HookShape, state=_state),
    Operation(
        "change_hook", "PATCH", _ONE, "Change a hook", change_hook, body=ChangedHook, gives=HookShape, state=_state,
        description="Choose its events, or switch it on or off.", **_SENDING,  # type: ignore[arg-type]
    ),
    Operation(
        "delete_hook", "DELETE", _ONE, "Delete a hook", delete_hook, scopes=(READ, WRITE), role="editor", status=204,
        state=_state, description="What waits is not sent.",
    ),
    Operation(
        "rotate_hook_secret", "POST", f"{_ONE}secret/", "Make a new secret", rotate_secret, body=Nothing,
        is_body_optional=True, gives=HookWithSecret, creates=True, **_SENDING,  # type: ignore[arg-type]
        description="It is in this answer alone. For 24 hours the old and the new secret both sign.",
    ),
    Operation(
        "send_test_event", "POST", f"{_ONE}test/", "Send a test", send_test, scopes=(READ, WRITE), role="editor",
        body=Nothing, is_body_optional=True, gives=HookShape, status=202,
    ),
    Operation(
        "list_deliveries", "GET", f"{_ONE}deliveries/", "List deliveries", list_deliveries, scopes=(READ, DATA),
        role="editor", query=Which, gives=page_of(DeliveryShape, "deliveries"), headers=("Link",),
        description="Of the last 30 days, the latest first.",
    ),
    Operation(
        "replay_deliveries", "POST", f"{_ONE}replay/", "Send events again", replay, body=ToSendAgain,
        is_body_optional=True, gives=SentAgain, status=202, **_SENDING,  # type: ignore[arg-type]
        description="One, or all that were given up.",
    ),
)  # fmt: skip

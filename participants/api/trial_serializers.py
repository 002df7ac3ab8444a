"""Serializers of requests and responses about trials: batches of results, immediate feedback, previews.

Entries of a batch are described here for the schema and judged one by one in `entries`, so that a fault in one never
holds back the others.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from participants.api.serializers import InWords
from participants.intake.entries import CLOCKS, MAX_ENTRIES


class Payload(serializers.DictField):
    """What a plugin sends. The schema names the shape for every plugin of every paradigm."""


@extend_schema_serializer(component_name="ResultEntry")
class ResultEntry(serializers.Serializer[Any]):
    """The one result of a trial."""

    kind = serializers.ChoiceField(choices=("result",))
    sequence = serializers.IntegerField(min_value=0, help_text="Position of the trial.")
    payload = Payload()
    rt_ms = serializers.FloatField(allow_null=True, min_value=0, help_text="Onset to submission on one clock.")
    onset_ms = serializers.FloatField(allow_null=True, min_value=0, help_text="Onset since the page was opened.")
    clock = serializers.ChoiceField(choices=CLOCKS, help_text="Which clock gave the onset.")
    interrupted = serializers.BooleanField(help_text="Whether the trial had been begun and cut before.")
    attempts = serializers.IntegerField(min_value=1, help_text="How often the trial was begun.")
    focus_losses = serializers.IntegerField(min_value=0)
    event_batches = serializers.IntegerField(min_value=0, help_text="How many event batches belong to the trial.")
    onset_error_ms = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0,
        help_text="By how much the onset may be off, as the browser knows.",
    )
    translated = serializers.BooleanField(
        required=False, allow_null=True, help_text="True where the page had been translated; else null."
    )
    out_of_view = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=32_767,
        help_text="How many of the things that are timed were not in the window as a whole; null where unknown.",
    )
    draft_restored = serializers.BooleanField(
        required=False,
        allow_null=True,
        help_text="True where text that was typed before the page was loaded again was put back; else null.",
    )
    page_slept_ms = serializers.FloatField(
        required=False, allow_null=True, min_value=0, help_text="How long the page stood still; null where it did not."
    )


@extend_schema_serializer(component_name="EventsEntry")
class EventsEntry(serializers.Serializer[Any]):
    """A batch of events of one trial."""

    kind = serializers.ChoiceField(choices=("events",))
    sequence = serializers.IntegerField(min_value=0, help_text="Position of the trial.")
    batch = serializers.IntegerField(min_value=0, help_text="0, 1, … within the trial.")
    events = serializers.ListField(child=serializers.JSONField())


@extend_schema_serializer(component_name="OpenedEntry")
class OpenedEntry(serializers.Serializer[Any]):
    """A trial was begun. Makes a trial that is cut later detectable."""

    kind = serializers.ChoiceField(choices=("opened",))
    sequence = serializers.IntegerField(min_value=0, help_text="Position of the trial.")


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="Entry",
        serializers={"result": ResultEntry, "events": EventsEntry, "opened": OpenedEntry},
        resource_type_field_name="kind",
    )
)
class AnyEntry(serializers.JSONField):
    """One of ResultEntry, EventsEntry, OpenedEntry."""


class Batch(serializers.Serializer[Any]):
    """What a tab has to store. At most 256 kB; keep below 60 kB where the page may be closed while it is sent."""

    tab = serializers.RegexField(r"^[A-Za-z0-9_-]{1,64}$")
    participant = serializers.CharField(
        required=False, help_text="The pseudonym; refused where the cookie has become somebody else's."
    )
    entries = serializers.ListField(child=AnyEntry(), max_length=MAX_ENTRIES, allow_empty=True)


class EntryOutcome(serializers.Serializer[Any]):
    """What became of one entry. `stored` and `duplicate` may be forgotten by the client; the others are kept here."""

    kind = serializers.ChoiceField(choices=("result", "events", "opened", "unknown"))
    sequence = serializers.IntegerField(help_text="-1 where the entry named no position.")
    batch = serializers.IntegerField(required=False, help_text="Events only.")
    status = serializers.ChoiceField(choices=("stored", "duplicate", "conflict", "refused"))
    hash = serializers.CharField(allow_blank=True, help_text="SHA-256 of the content; empty for `opened`.")
    message = serializers.CharField(required=False)


class BatchReceipt(serializers.Serializer[Any]):
    """What became of a batch, in the order of its entries. Sent after the commit."""

    results = EntryOutcome(many=True)
    lease = serializers.BooleanField(help_text="False where another tab has taken over.")


class Question(serializers.Serializer[Any]):
    """An answer within a trial, to be told whether it is right."""

    position = serializers.IntegerField(min_value=0, max_value=1_000_000, help_text="Position of the trial.")
    problem = serializers.IntegerField(min_value=0, max_value=1_000, help_text="Which of its problems: 0, 1, …")
    answer = serializers.IntegerField(min_value=-1_000_000_000, max_value=1_000_000_000)


class PreviewTrial(serializers.Serializer[Any]):
    """Identifies a trial of a preview: trials of previews are not stored, but planned again from this."""

    list = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=10**15,
        help_text="As the preview gave it.",
    )
    group = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=60, help_text="As the preview gave it."
    )
    seed = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=10**15,
        help_text="As the preview gave it.",
    )
    position = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=1_000_000, help_text="Of the trial."
    )


class PreviewAnswer(serializers.Serializer[Any]):
    """An answer that was given in a preview."""

    position = serializers.IntegerField(min_value=0, max_value=1_000_000)
    payload = serializers.DictField()
    rt_ms = serializers.FloatField(allow_null=True)


class PreviewQuestion(PreviewTrial):
    """The same in a preview."""

    params = serializers.DictField(help_text="Parameters of the trial, as the preview gave them.")
    problem = serializers.IntegerField(min_value=0, max_value=1_000, help_text="Which of its problems: 0, 1, …")
    answer = serializers.IntegerField(min_value=-1_000_000_000, max_value=1_000_000_000)
    plugin = serializers.CharField(max_length=60, required=False, default="")
    answers = PreviewAnswer(many=True, required=False, default=list, help_text="What a break tells of.")


class Feedback(serializers.Serializer[Any]):
    """Whether the answer was right; at a break, what it says of the trials since the last one."""

    correct = serializers.BooleanField(required=False)
    right = serializers.FloatField(required=False, allow_null=True, help_text="Share of right answers, 0 to 1.")
    mean_ms = serializers.FloatField(required=False, allow_null=True, help_text="Mean time of an answer.")
    again = serializers.BooleanField(
        required=False, allow_null=True, help_text="After practice: whether it comes again."
    )
    skips = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Positions of trials that are left out."
    )


class Candidate(PreviewTrial):
    """An answer of the preview, to be judged and not stored."""

    plugin = serializers.CharField(max_length=60)
    params = serializers.DictField()
    payload = serializers.DictField()
    rt_ms = serializers.FloatField(required=False, allow_null=True, default=None)
    onset_ms = serializers.FloatField(required=False, allow_null=True, default=None)
    onset_error_ms = serializers.FloatField(required=False, allow_null=True, default=None)
    clock = serializers.CharField(
        required=False, allow_null=True, default=None, help_text="With it, the whole entry is judged as a session does."
    )
    events = serializers.ListField(
        child=serializers.ListField(),
        required=False,
        max_length=10_000,
        default=list,
        help_text="The batches of events of the trial, in order.",
    )


class Judged(serializers.Serializer[Any]):
    """Whether an answer would be stored, and the measures it would yield."""

    valid = serializers.BooleanField()
    # The metaclass moves fields away, so none of them hides an attribute of the serializer.
    errors = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]
    measures = serializers.DictField()
    stored = InWords(many=True, help_text="What would be stored, in words.")

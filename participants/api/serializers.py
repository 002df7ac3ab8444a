"""Serializers of request and response bodies, also used for the API schema.

They also validate requests, except for the entries of a batch: these are judged one by one, so that a fault in one
never holds back the others (`entries`).
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import (
    inline_serializer,
)
from rest_framework import serializers

from participants.session.resuming import POLICIES

STATES = ("open", "closed", "paused", "full", "draft")
BLOCK_TYPES = ("paragraph", "heading", "list", "example")


class Span(serializers.Serializer[Any]):
    """A piece of a text, plain but for how it is marked."""

    text = serializers.CharField()
    strong = serializers.BooleanField(required=False)
    emphasis = serializers.BooleanField(required=False)
    href = serializers.CharField(required=False, help_text="Where it leads: https, http or mailto.")


class Block(serializers.Serializer[Any]):
    """One block of a text. Plain text; a list has `items`, all others have `text`; line ends in them are shown."""

    type = serializers.ChoiceField(choices=BLOCK_TYPES)
    text = serializers.CharField(required=False)
    items = serializers.ListField(child=serializers.CharField(), required=False)
    first = serializers.IntegerField(required=False, help_text="Of a numbered list: the number of its first item.")
    level = serializers.IntegerField(required=False, help_text="Of a heading below the highest: 2 to 6.")
    spans = Span(many=True, required=False, help_text="The same text in pieces, where some are marked.")
    item_spans = serializers.ListField(
        child=Span(many=True), required=False, help_text="Of a list the pieces of every item, where some are marked."
    )


class Ending(serializers.Serializer[Any]):
    """The last page of a session: what it says, and the way back to where the participant came from."""

    heading = serializers.CharField(allow_blank=True, help_text="Empty: that of the client.")
    text = serializers.CharField(allow_blank=True, help_text="In the place of the client's own text; empty: that one.")
    link = serializers.CharField(allow_blank=True, help_text="Complete, or empty; never with an empty parameter.")
    code = serializers.CharField(allow_blank=True, help_text="To be entered where the participant came from.")
    advice = serializers.CharField(allow_blank=True, help_text="What to do where the link could not be completed.")


class Problem(serializers.Serializer[Any]):
    """Why a request was not done: `code` for programs, `message` for people, in the study's language."""

    code = serializers.CharField(help_text="Stable; never translated.")
    message = serializers.CharField(help_text="What happened, what was kept, what to do.")
    # The metaclass moves fields away, so none of them hides an attribute of the serializer, here and below.
    fields = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="Faults by field, where the body is not valid."
    )
    participant = serializers.CharField(
        required=False,
        help_text="Where a study was closed: whose results are still taken, and completed if all are there.",
    )
    seconds = serializers.IntegerField(
        required=False, help_text="Where too many codes or ids were tried: after how long to try again."
    )
    ending = Ending(required=False, help_text="Where a study was closed: the page of a session that lacks answers.")


class ConsentText(serializers.Serializer[Any]):
    """The consent text that holds now."""

    version = serializers.IntegerField(help_text="To be sent back with the start; 0 where the study has no consent.")
    blocks = Block(many=True)
    data_protection = serializers.CharField(
        allow_blank=True, help_text="Where the data are kept, for how long, and who can see them."
    )
    required = serializers.ListField(  # type: ignore[assignment]
        child=serializers.CharField(), help_text="Statements that must be ticked."
    )
    optional = serializers.ListField(child=serializers.CharField(), help_text="Statements that may be ticked.")


class StudyFacts(serializers.Serializer[Any]):
    """What a participant can know before the start."""

    slug = serializers.SlugField()
    title = serializers.CharField()
    language = serializers.CharField(help_text="Tag of the language, such as en or de.")
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="Tags of all languages of the study for the parameter `lang`."
    )
    estimated_minutes = serializers.IntegerField(allow_null=True, help_text="What the researcher expects.")
    measured_minutes = serializers.IntegerField(
        allow_null=True, help_text="Median of earlier participants; null until ten have finished."
    )
    responsible = serializers.CharField(allow_blank=True)
    contact = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=STATES, help_text="Only an open study can be started.")
    consent = ConsentText()
    welcome = inline_serializer("Welcome", {"blocks": Block(many=True)})
    requirements = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the study needs: keyboard, pointer, pointer-or-keys, wide-window.",
    )
    supervised = serializers.BooleanField(help_text="True where a session needs a code from an experimenter.")


class GivenConsent(serializers.Serializer[Any]):
    """What the participant agreed to."""

    version = serializers.IntegerField(min_value=0)
    required = serializers.ListField(  # type: ignore[assignment]
        child=serializers.BooleanField(), max_length=50, help_text="One per required statement, in order; all true."
    )
    optional = serializers.DictField(
        child=serializers.BooleanField(), required=False, default=dict, help_text="Statement to whether it was ticked."
    )


class StartKey(serializers.Serializer[Any]):
    """What the client made when it started a session."""

    start_key = serializers.RegexField(
        r"^[A-Za-z0-9_-]{16,64}$", help_text="Made by the client, once per opened page; a UUID is right."
    )


class ResumeCode(serializers.Serializer[Any]):
    """What the study showed on the device on which the session began, or a researcher gave out."""

    resume_code = serializers.CharField(max_length=100, help_text="In any case, with or without spaces and hyphens.")


class Start(StartKey):
    """The start of a session. Sending it again gives the same session."""

    consent = GivenConsent()
    recruitment = serializers.DictField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False),
        required=False,
        default=dict,
        help_text="Parameters of the link, such as PROLIFIC_PID. Only known or declared ones are kept.",
    )
    client = serializers.DictField(required=False, default=dict, help_text="Facts about browser and window.")
    simulated = serializers.BooleanField(
        required=False, default=False, help_text="Needs the header X-Lectern-Simulation; refused without it."
    )
    session_code = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=100,
        help_text="In a supervised study, the code that the experimenter gave out for this session.",
    )
    new_person = serializers.BooleanField(
        required=False,
        default=False,
        help_text="True where somebody else than the browser's last participant starts.",
    )


class Started(serializers.Serializer[Any]):
    """The session. Its secret comes as a cookie."""

    session = serializers.CharField(help_text="The participant's pseudonym.")
    run_url = serializers.CharField(help_text="Where a browser goes on.")


class Open(serializers.Serializer[Any]):
    """A tab asks for the session."""

    tab = serializers.RegexField(r"^[A-Za-z0-9_-]{1,64}$", help_text="Made by the client, once per opened tab.")
    take_over = serializers.BooleanField(required=False, default=False, help_text="Take the lease from another tab.")
    client = serializers.DictField(required=False, default=dict)


class TrialDescription(serializers.Serializer[Any]):
    """One trial. A result carries its position as `sequence`."""

    position = serializers.IntegerField(min_value=0)
    phase = serializers.CharField(help_text="questions, instructions, training, modulus, practice, main or break.")
    plugin = serializers.CharField(help_text="Which plugin shows it, and so which payload it expects.")
    params = serializers.DictField(
        help_text=(
            "What the plugin shows. `background-questions`: title, questions (name, label, kind, choices, "
            "required, help, and what the kind has: docs/questionnaires.md); attempts, pages, checks and salt where "
            "the questions can be asked again. `pages`: pages of blocks. `break`: done, total, pages to read again. "
            "`line-length`: reference and length as shares of the width, reference_number. `magnitude-estimation`: "
            "kind (modulus, practice, target), text, modulus_text, allow_zero. `sentence-recall`: kind (practice, "
            "target), text, words, presentation (whole, word-by-word), ms_per_word, display_ms, segments, fixation_ms, "
            "blank_ms, problems (a, operator, b), time_limit_ms, feedback, keystroke_log, full_screen, index, total. "
            "`timed-choice`: kind (practice, target), text, displays (kind, text, ms), stays, with_text, image, audio, "
            "prompt, answers (name, label, key; by their places from the left), mapping, respond_with (keys, buttons, "
            "both), timed_from (onset, end), deadline_ms, iti_ms, feedback, feedback_ms, error_pause_ms, index, total. "
            "`typed-production`: kind, task, prompt, text, segments (what stands around the gaps), image (url, width, "
            "height, alt), fields, one_word, length_unit, minimum_length, maximum_length, may_be_empty, time_limit_ms, "
            "keystroke_log, index, total."
        )
    )
    part = serializers.CharField(help_text="The name of the part of the study that it belongs to.")


class InWords(serializers.Serializer[Any]):
    """A fact for people who preview a study."""

    # The metaclass moves fields away, so none of them hides an attribute of the serializer.
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField(allow_blank=True)


class PageInWords(serializers.Serializer[Any]):
    """What a page of a preview is: its place in the study, its list, item and condition."""

    heading = serializers.CharField()
    facts = InWords(many=True)


class Opened(serializers.Serializer[Any]):
    """The session's trials and how far it is."""

    participant = serializers.CharField()
    mode = serializers.ChoiceField(choices=("run", "preview"))
    language = serializers.CharField()
    resume = serializers.ChoiceField(choices=POLICIES, help_text="The policy; the server has applied it already.")
    trials = TrialDescription(many=True)
    answered = serializers.ListField(child=serializers.IntegerField(), help_text="Positions with a stored response.")
    interrupted = serializers.ListField(
        child=serializers.IntegerField(), help_text="Positions that were begun and have no response."
    )
    carried = serializers.DictField(help_text="What later trials need of earlier answers.")
    status = serializers.ChoiceField(choices=("running", "complete", "ended"))
    more = serializers.BooleanField(help_text="Whether `session/advance/` gives further trials once these are stored.")
    expected = serializers.IntegerField(help_text="About how many trials the session has in all, for its progress.")
    outcome = serializers.CharField(help_text="How an ended session ended, such as `screened-out`; else empty.")
    ending = Ending(required=False, help_text="Of an ended session only: its last page.")
    resume_code = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="Continues the session on another device. Empty for whoever came by a link alone, and in a preview.",
    )
    list = serializers.IntegerField(required=False, help_text="Preview only: the list that is shown.")
    seed = serializers.IntegerField(required=False, help_text="Preview only: from which the order follows.")
    group = serializers.CharField(required=False, help_text="Preview only: as whom.")
    pages = PageInWords(many=True, required=False, help_text="Preview only: what every trial is, in words.")


class Advance(serializers.Serializer[Any]):
    """The trials after the first questionnaires and pages, or why there are none."""

    trials = TrialDescription(many=True)
    missing = serializers.ListField(child=serializers.IntegerField(), help_text="Positions without a response.")
    more = serializers.BooleanField(help_text="Whether `session/advance/` gives further trials once these are stored.")
    status = serializers.ChoiceField(choices=("running", "complete", "ended"))
    outcome = serializers.CharField(help_text="How an ended session ended, such as `screened-out`; else empty.")
    ending = Ending(required=False, help_text="Of an ended session only: its last page.")


class PauseRequest(serializers.Serializer[Any]):
    """The start of a pause that only an experimenter ends."""

    reason = serializers.ChoiceField(choices=("full-screen",))


class Release(serializers.Serializer[Any]):
    """The end of a pause, typed by the experimenter on the participant's computer."""

    release_code = serializers.CharField(max_length=100)


class PauseState(serializers.Serializer[Any]):
    """Whether a session is paused."""

    paused = serializers.BooleanField()


class Completion(serializers.Serializer[Any]):
    """Either `complete` with everything for the last page, or what is still missing."""

    complete = serializers.BooleanField()
    completion_code = serializers.CharField(required=False, allow_blank=True)
    redirect_url = serializers.CharField(required=False, allow_blank=True)
    ending = Ending(required=False)
    withdrawal_code = serializers.CharField(
        required=False, allow_blank=True, help_text="Empty for whoever came by a link alone."
    )
    resume_code = serializers.CharField(
        required=False, allow_blank=True, help_text="Shows this page on another device. Empty as the one above."
    )
    debriefing = inline_serializer("Debriefing", {"blocks": Block(many=True)}, required=False)
    missing = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Positions without a response."
    )
    missing_events = inline_serializer(
        "MissingEvents",
        {
            "sequence": serializers.IntegerField(),
            "batches": serializers.ListField(child=serializers.IntegerField()),
        },
        many=True,
        required=False,
    )


class BrowserErrorReport(serializers.Serializer[Any]):
    """An error in the browser. Longer texts are cut."""

    message = serializers.CharField(max_length=10_000)
    detail = serializers.CharField(max_length=20_000, required=False, allow_blank=True, default="")


class Withdrawal(serializers.Serializer[Any]):
    """A withdrawal: first without `confirm` to see what will be lost, then with it."""

    withdrawal_code = serializers.CharField(max_length=100)
    confirm = serializers.BooleanField(required=False, default=False)


class WithdrawalLoss(serializers.Serializer[Any]):
    """What would be erased."""

    responses = serializers.IntegerField()
    event_batches = serializers.IntegerField()
    problems = serializers.IntegerField(help_text="Results that were refused or contradicted others.")
    browser_errors = serializers.IntegerField()
    has_recruitment_id = serializers.BooleanField()
    is_complete = serializers.BooleanField()

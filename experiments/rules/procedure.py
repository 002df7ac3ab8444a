"""Settings form of a study's procedure: order of trials, lists, resuming, redirection after the last page.

`checked` validates the plain values of a study file with a form, strictly by type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.paradigms.pieces.fields import percentage, switch, whole_number
from experiments.sentences import Sentence

# What breaks say of the trials since the last one.
NO_FEEDBACK, RIGHT, TIME, RIGHT_AND_TIME = "none", "right", "time", "both"
AS_GIVEN, RANDOM = "as-given", "random"

DEFAULT_PROCEDURE: Mapping[str, Any] = {
    "practice_first": True,
    "leading_fillers": 0,
    "max_same_condition_run": 0,
    "max_target_run": 0,
    "blocked": False,
    "conditions": "one",
    "item_sets": "together",
    "conditions_per_item": 2,
    "sequence": "random",
    "mix_fillers": False,
    "block_by": "",
    "block_order": "as-given",
    "block_breaks": True,
    "block_instructions": {},
    "chain_by": "",
    "fixed_by": "",
    "repetitions": 1,
    "repetitions_by": "",
    "repetition_rounds": False,
    "min_distance": 0,
    "minimum_seconds": 0,
    "break_feedback": "none",
    "practice_order": "as-given",
    "end_feedback": "none",
    "practice_until": 0,
    "practice_rounds": 3,
    "resume": "continue",
    "stale_after_minutes": 180,
    "supervised": False,
    "completion_code": "",
    "redirect_url": "",
    "recruitment_parameters": [],
    "earlier_participation": "ignored",
    "earlier_studies": [],
}

# Who may take part by what people did in earlier studies.
IGNORED, KEPT_OUT, ONLY_COMPLETED = "ignored", "kept-out", "only-completed"
# In place of names: all other studies of the owner, and all of the platform.
MINE, PLATFORM = "mine", "platform"
MOST_EARLIER_STUDIES = 50
STUDY_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


# What belongs to a task and not to the study as a whole.
TASK_KEYS = (
    "practice_first",
    "leading_fillers",
    "max_same_condition_run",
    "max_target_run",
    "blocked",
    "conditions",
    "item_sets",
    "conditions_per_item",
    "sequence",
    "mix_fillers",
    "block_by",
    "block_order",
    "block_breaks",
    "block_instructions",
    "chain_by",
    "fixed_by",
    "repetitions",
    "repetitions_by",
    "repetition_rounds",
    "min_distance",
    "minimum_seconds",
    "break_feedback",
    "practice_order",
    "end_feedback",
    "practice_until",
    "practice_rounds",
)

# Rules that one random order of the session as a whole does not know: with any of them trials are arranged.
ARRANGING = (
    "sequence",
    "mix_fillers",
    "block_by",
    "chain_by",
    "fixed_by",
    "repetitions",
    "repetitions_by",
    "min_distance",
)

# Rules that name a column of the materials.
NAMING_COLUMNS = ("block_by", "chain_by", "fixed_by", "repetitions_by")


def is_arranged(procedure: Mapping[str, Any]) -> bool:
    """Return whether the trials of a task are arranged: in blocks, chains, repeatedly or in the order given.

    >>> is_arranged({"blocked": True}), is_arranged({"block_by": "topic"})
    (False, True)
    """
    return procedure.get("conditions") == "several" or bool(arranging_rules(procedure))


def arranging_rules(procedure: Mapping[str, Any]) -> list[str]:
    """Return the rules of an arrangement that a procedure sets.

    >>> arranging_rules({"block_by": "topic", "min_distance": 0})
    ['block_by']
    """
    return [name for name in ARRANGING if procedure.get(name, DEFAULT_PROCEDURE[name]) != DEFAULT_PROCEDURE[name]]


def is_repeated(procedure: Mapping[str, Any]) -> bool:
    """Return whether a participant sees items more than once by the rules of the arrangement."""
    is_more = procedure.get("repetitions", 1) > 1 or bool(procedure.get("repetitions_by"))
    return is_more or procedure.get("conditions") == "several"


# What a parameter of a link may be called.
PARAMETER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


class NamesField(forms.CharField):
    """Names separated by commas or spaces; its value is a list."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        names = value if isinstance(value, list | tuple) else re.split(r"[,\s]+", value or "")
        return list(dict.fromkeys(str(name).strip() for name in names if str(name).strip()))

    def validate(self, value: Any) -> None:
        wrong = [name for name in value if not PARAMETER_NAME.fullmatch(name)]
        if wrong:
            raise ValidationError(_("“%(name)s” cannot be the name of a parameter."), params={"name": wrong[0]})
        if len(value) > 10:
            raise ValidationError(_("A study can have at most ten parameters."))

    def run_validators(self, value: Any) -> None:
        return

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(initial) != self.to_python(data))


class StudiesField(NamesField):
    """Names of studies separated by commas or spaces; its value is a list."""

    def validate(self, value: Any) -> None:
        wrong = [name for name in value if not STUDY_NAME.fullmatch(name) or len(name) > 60]
        if wrong:
            raise ValidationError(_("“%(name)s” cannot be the name of a study."), params={"name": wrong[0]})
        if len(value) > MOST_EARLIER_STUDIES:
            raise ValidationError(_("Name at most %(n)d studies."), params={"n": MOST_EARLIER_STUDIES})


BLOCK_LINE = re.compile(r"\s*\[(.+)\]\s*")
LONGEST_INSTRUCTIONS = 20_000


class BlockTextsField(forms.CharField):
    """Texts by the name of their block; in the form, each below a line with the name in square brackets."""

    widget = forms.Textarea(attrs={"rows": 6})

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return "\n\n".join(f"[{name}]\n{text}" for name, text in value.items())

    def to_python(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(name).strip(): str(text).strip() for name, text in value.items()}
        texts: dict[str, list[str]] = {}
        name = ""
        for line in str(value or "").replace("\r\n", "\n").split("\n"):
            if named := BLOCK_LINE.fullmatch(line):
                name = named[1].strip()
                if name in texts:
                    raise ValidationError(_("The block “%(name)s” has two texts."), params={"name": name})
                texts[name] = []
            elif name:
                texts[name].append(line)
            elif line.strip():
                raise ValidationError(
                    _("Begin with a line that names the block in square brackets, such as [%(example)s]."),
                    params={"example": "A"},
                )
        return {name: "\n".join(lines).strip() for name, lines in texts.items()}

    def validate(self, value: Any) -> None:
        if empty := [name for name, text in value.items() if not (name and text)]:
            raise ValidationError(_("The text of the block “%(name)s” is empty."), params={"name": empty[0]})
        if sum(map(len, value.values())) > LONGEST_INSTRUCTIONS:
            raise ValidationError(
                _("The texts have more than %(limit)d characters."), params={"limit": LONGEST_INSTRUCTIONS}
            )

    def run_validators(self, value: Any) -> None:
        return

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(initial) != self.to_python(data))
        except ValidationError:
            return True


_TOLD = [
    (NO_FEEDBACK, _("nothing")),
    (RIGHT, _("how many answers were right")),
    (TIME, _("how fast the answers were")),
    (RIGHT_AND_TIME, _("both")),
]


def _column(label: Any, help_text: Any) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=60, help_text=help_text)


class ProcedureForm(forms.Form):
    """Order of the trials, lists, resuming, and what comes after the last page."""

    folded = (
        (
            _("More rules for the order"),
            (
                "item_sets",
                "leading_fillers",
                "max_same_condition_run",
                "max_target_run",
                "mix_fillers",
                "blocked",
                "fixed_by",
                "chain_by",
            ),
        ),
        (_("Blocks"), ("block_by", "block_order", "block_breaks", "block_instructions")),
        (
            _("Repetitions"),
            ("conditions_per_item", "repetitions", "repetitions_by", "repetition_rounds", "min_distance"),
        ),
        (
            _("Instructions, practice and feedback"),
            (
                "minimum_seconds",
                "break_feedback",
                "end_feedback",
                "practice_order",
                "practice_until",
                "practice_rounds",
            ),
        ),
        (_("Long breaks and supervision"), ("stale_after_minutes", "supervised")),
        (_("Recruitment"), ("redirect_url", "recruitment_parameters")),
        (_("Earlier studies"), ("earlier_participation", "earlier_studies")),
    )

    practice_first = switch(
        _("Practice comes first"),
        DEFAULT_PROCEDURE["practice_first"],
        _("In the order of the materials. Without this, practice texts are mixed with the others."),
    )
    leading_fillers = whole_number(
        _("Fillers at the start"),
        DEFAULT_PROCEDURE["leading_fillers"],
        _("The number of fillers before the first item, so that people get used to the task."),
        high=100,
    )
    max_same_condition_run = whole_number(
        _("At most … of one condition in a row"),
        DEFAULT_PROCEDURE["max_same_condition_run"],
        _("0 means no limit. A filler between two items does not end the run."),
        high=100,
    )
    max_target_run = whole_number(
        _("At most … items without a filler"),
        DEFAULT_PROCEDURE["max_target_run"],
        _("0 means no limit: fillers come at random places."),
        high=1_000,
    )
    blocked = switch(
        _("Conditions in blocks"),
        DEFAULT_PROCEDURE["blocked"],
        _("All items of one condition come together; the order of the blocks is random."),
    )
    conditions = forms.ChoiceField(
        label=_("Conditions of an item"),
        choices=[
            ("one", _("Everybody sees an item in one condition (Latin square)")),
            ("all", _("Everybody sees an item in every condition")),
            ("several", _("Everybody sees an item in several of its conditions, balanced over lists")),
        ],
        initial=DEFAULT_PROCEDURE["conditions"],
        help_text=_(
            "Choose every condition if people should compare, for example several systems with the same "
            "input. In all three cases, conditions vary within participants."
        ),
    )
    item_sets = forms.ChoiceField(
        label=_("Item sets"),
        choices=[
            ("together", _("Everybody sees all item sets (within participants)")),
            ("apart", _("Everybody sees one item set (between participants)")),
        ],
        initial=DEFAULT_PROCEDURE["item_sets"],
        help_text=_("Each set is a Latin square of its own. This has an effect only if the materials have item sets."),
    )
    conditions_per_item = whole_number(
        _("Conditions of an item for one person"),
        DEFAULT_PROCEDURE["conditions_per_item"],
        _(
            "Only for “several of its conditions”. Over the lists, every pair of conditions meets equally often if "
            "possible."
        ),
        low=2,
        high=60,
    )
    sequence = forms.ChoiceField(
        label=_("Order of the trials"),
        choices=[
            ("random", _("random")),
            ("as-given", _("as in the materials")),
        ],
        initial=DEFAULT_PROCEDURE["sequence"],
        help_text=_(
            "The order of the materials is the order of the rows of the table; with blocks, within each of them."
        ),
    )
    mix_fillers = switch(
        _("Spread fillers evenly among the items"),
        DEFAULT_PROCEDURE["mix_fillers"],
        _("The numbers of items between two fillers differ by one at most. Without this, chance decides."),
    )
    block_by = _column(
        _("Column with the blocks"),
        _("A column of the materials, or a factor. Texts with the same cell form a block. Empty means no blocks."),
    )
    block_order = forms.ChoiceField(
        label=_("Order of the blocks"),
        choices=[
            ("as-given", _("as in the materials")),
            ("random", _("random for every participant")),
            ("latin-square", _("counterbalanced over participants (Latin square)")),
        ],
        initial=DEFAULT_PROCEDURE["block_order"],
        help_text=_(
            "Counterbalanced: within every list, each block comes equally often at every place and after every "
            "other block."
        ),
    )
    block_breaks = switch(
        _("A break between blocks"),
        DEFAULT_PROCEDURE["block_breaks"],
        _("Other breaks are counted from the start of each block."),
    )
    block_instructions = BlockTextsField(
        label=_("Instructions of blocks"),
        required=False,
        initial=DEFAULT_PROCEDURE["block_instructions"],
        help_text=_(
            "Shown before a block. Write its name in square brackets on a line, and the text below it, like the "
            "instructions of the task."
        ),
    )
    chain_by = _column(
        _("Column with trials that stay together (chains)"),
        _("Texts with the same cell follow each other in the order of the materials, such as prime and target."),
    )
    fixed_by = _column(
        _("Column with the first and last trials"),
        _("With the cells first and last. Such texts open or close the session, or their block."),
    )
    repetitions = whole_number(
        _("Each text is shown … times"),
        DEFAULT_PROCEDURE["repetitions"],
        _("Practice texts, and texts that are fixed as first or last, are shown once."),
        low=1,
        high=50,
    )
    repetitions_by = _column(
        _("Column with the number of times a text is shown"),
        _("Whole numbers. If the cell is empty, the number above is used."),
    )
    repetition_rounds = switch(
        _("Show all texts once before any text comes again"),
        DEFAULT_PROCEDURE["repetition_rounds"],
        _("Without this, repetitions come anywhere at the distance below."),
    )
    min_distance = whole_number(
        _("At least … trials between two trials of one item"),
        DEFAULT_PROCEDURE["min_distance"],
        _("For items that people see more than once. 0 means that they do not follow each other if that is possible."),
        high=1_000,
    )
    minimum_seconds = whole_number(
        _("Minimum seconds on each page of the instructions"),
        DEFAULT_PROCEDURE["minimum_seconds"],
        _("People can continue only after this time, also on instructions of blocks. 0 means no wait."),
        high=600,
    )
    break_feedback = forms.ChoiceField(
        label=_("Feedback in breaks, about the trials since the last break"),
        choices=_TOLD,
        initial=DEFAULT_PROCEDURE["break_feedback"],
        help_text=_("Also in breaks between blocks. People never read which answers were wrong."),
    )
    end_feedback = forms.ChoiceField(
        label=_("Feedback at the end of the task"),
        choices=_TOLD,
        initial=DEFAULT_PROCEDURE["end_feedback"],
        help_text=_("On a page after the last trial, about all main trials."),
    )
    practice_order = forms.ChoiceField(
        label=_("Order of the practice texts"),
        choices=[(AS_GIVEN, _("as in the materials")), (RANDOM, _("random"))],
        initial=DEFAULT_PROCEDURE["practice_order"],
        help_text=_("The same for every round of practice."),
    )
    practice_until = percentage(
        _("Repeat practice below … % right answers"),
        DEFAULT_PROCEDURE["practice_until"],
        _("After practice, people read how many of their answers were right. 0 means that practice comes once."),
    )
    practice_rounds = whole_number(
        _("At most … rounds of practice"),
        DEFAULT_PROCEDURE["practice_rounds"],
        _("Then the study continues with any result. Used only with a percentage of correct answers above."),
        low=1,
        high=10,
    )
    resume = forms.ChoiceField(
        label=_("After a reload"),
        choices=[
            ("continue", _("Continue with the trial that was open")),
            ("restart-block", _("Continue after the last break")),
            ("end", _("End the session")),
        ],
        initial=DEFAULT_PROCEDURE["resume"],
        help_text=_("What happens when somebody reloads the page or comes back later."),
    )
    stale_after_minutes = whole_number(
        _("A session counts as dropped out after … minutes"),
        DEFAULT_PROCEDURE["stale_after_minutes"],
        _("Without any result in this time. Its place in the list is then free again."),
        low=5,
        high=60 * 24 * 60,
    )
    supervised = switch(
        _("Supervised in a laboratory"),
        DEFAULT_PROCEDURE["supervised"],
        _(
            "Every session starts with a code that an experimenter makes on the page Monitor, and runs in full "
            "screen. When somebody leaves full screen, the session continues only after the experimenter allows "
            "it."
        ),
    )
    completion_code = forms.CharField(
        label=_("Completion code"),
        required=False,
        max_length=100,
        help_text=_("Shown on the last page, for the recruitment platform."),
    )
    redirect_url = forms.CharField(
        label=_("Return link"),
        required=False,
        max_length=1_000,
        help_text=_(
            "The address to which the last page leads, such as "
            "https://app.prolific.com/submissions/complete?cc=…. Declared parameters in braces, such as "
            "{PROLIFIC_PID}, are filled in."
        ),
    )
    recruitment_parameters = NamesField(
        label=_("More parameters of the link"),
        required=False,
        help_text=_("Names in addition to those of Prolific, SONA and MTurk, separated by commas."),
    )
    earlier_participation = forms.ChoiceField(
        label=_("People who took part in earlier studies"),
        choices=[
            (IGNORED, _("Everybody may take part")),
            (KEPT_OUT, _("Keep out people who took part in one of these studies")),
            (ONLY_COMPLETED, _("Only people who completed one of these studies may take part")),
        ],
        initial=DEFAULT_PROCEDURE["earlier_participation"],
        required=False,
        help_text=_(
            "People are recognised by the id in their link, as long as the ids of the earlier study were not erased. "
            "Nobody reads an id."
        ),
    )
    earlier_studies = StudiesField(
        label=_("Earlier studies"),
        required=False,
        help_text=_(
            "Names of your studies as in their links, separated by commas. Or “mine” for all your other studies, or "
            "“platform” for all studies of this platform."
        ),
    )

    def clean_earlier_participation(self) -> str:
        return str(self.cleaned_data["earlier_participation"] or IGNORED)

    def clean_redirect_url(self) -> str:
        address = str(self.cleaned_data["redirect_url"])
        if address:
            # Placeholders stand for letters and digits; as such the address must be one.
            URLValidator(schemes=["https", "http"])(re.sub(r"\{\w+\}", "x", address))
        return address

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("blocked") and cleaned.get("max_same_condition_run"):
            self.add_error(
                "max_same_condition_run",
                _("Blocks put all items of one condition in a row. Remove one of the two rules."),
            )
        if cleaned.get("blocked") and is_arranged(cleaned):
            self.add_error(
                "blocked",
                _(
                    "You cannot combine this with blocks by a column, chains, fixed trials, repetitions, "
                    "distances or the order of the materials. Enter the factor as “Column with the blocks” "
                    "instead."
                ),
            )
        if cleaned.get("sequence") == "as-given":
            for name in ("leading_fillers", "max_same_condition_run", "max_target_run", "mix_fillers"):
                if cleaned.get(name):
                    self.add_error(
                        name, _("In the order of the materials, this rule has no effect. Remove one of the two.")
                    )
        if cleaned.get("block_instructions") and not cleaned.get("block_by"):
            self.add_error("block_instructions", _("Enter “Column with the blocks” first."))
        if bool(cleaned.get("earlier_studies")) != (cleaned.get("earlier_participation", IGNORED) != IGNORED):
            self.add_error(
                "earlier_studies",
                _("Name earlier studies and choose what they mean for people who took part in them, or neither."),
            )
        columns = [cleaned[name] for name in NAMING_COLUMNS if cleaned.get(name)]
        for name in NAMING_COLUMNS:
            if cleaned.get(name) and columns.count(cleaned[name]) > 1 and name != "block_by":
                self.add_error(name, _("A column can have only one of these uses. Name another column."))
        return cleaned


def initial_values(form: type[forms.Form], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's initial values: the stored ones, otherwise the fields' defaults."""
    return {name: stored.get(name, field.initial) for name, field in form.base_fields.items()}


def checked(form: type[forms.Form], given: Mapping[str, Any], *, step: str = "") -> tuple[dict[str, Any], list[Fault]]:
    """Return the values of a form for plain values, and every fault: unknown names, wrong types, values out of range.

    Missing values get their defaults. Unlike form data, values from a file must have the right type (true, numbers,
    lists).

    >>> values, faults = checked(ProcedureForm, {"leading_fillrs": 2})
    >>> print(faults[0])
    Setting 'leading_fillrs': There is no such setting. Did you mean 'leading_fillers'?
    """
    fields = form.base_fields
    faults = [
        Fault(
            setting=name,
            message=Sentence("There is no such setting."),
            suggestion=did_you_mean(name, fields)
            or Sentence("Possible names: {names}.", names=listed(list(fields), shown=30)),
            step=step,
        )
        for name in given
        if name not in fields
    ]
    wrong = {name: _type_fault(fields[name], value) for name, value in given.items() if name in fields}
    faults += [Fault(setting=name, message=message, step=step) for name, message in wrong.items() if message]
    usable = {name: value for name, value in given.items() if name in fields and not wrong[name]}
    bound = form(data=initial_values(form, usable))
    if not bound.is_valid():
        faults += [
            Fault(setting="" if name == "__all__" else name, message=str(message), step=step)
            for name, messages in bound.errors.items()
            for message in messages
        ]
    return dict(bound.cleaned_data), faults


def _type_fault(field: forms.Field, value: Any) -> str:
    kinds: Sequence[tuple[type[forms.Field], type, str]] = (
        (forms.BooleanField, bool, Sentence("{value!r} is not true or false.", value=value)),
        (forms.IntegerField, int, Sentence("{value!r} is not a whole number.", value=value)),
        (NamesField, list, Sentence("{value!r} is not a list of names.", value=value)),
        (BlockTextsField, dict, Sentence("{value!r} is not a table of texts by block.", value=value)),
        (forms.CharField, str, Sentence("{value!r} is not a text.", value=value)),
        (forms.ChoiceField, str, Sentence("{value!r} is not a text.", value=value)),
    )
    for kind, expected, message in kinds:
        if isinstance(field, kind):
            inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
            if isinstance(field, NamesField | BlockTextsField) and not all(isinstance(one, str) for one in inside):
                return message
            right = isinstance(value, expected) and not (expected is int and isinstance(value, bool))
            return "" if right else message
    return ""

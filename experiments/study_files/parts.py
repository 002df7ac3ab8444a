"""Validate the sections of a study file one by one, with the lines of faults."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.languages import LANGUAGES
from experiments.models import Markup, Part, Study, StudyText
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.paradigms.base import DefaultErrorCode, Paradigm
from experiments.procedure.default_texts import Declared, default_required_boxes
from experiments.procedure.mentions import unmentioned
from experiments.procedure.texts import KINDS
from experiments.rules.error_codes import scheme_faults
from experiments.rules.plan import Tasks, complete_plan, plan_faults
from experiments.rules.procedure import ProcedureForm, checked
from experiments.rules.questions import complete_question, question_faults
from experiments.sentences import Sentence

# Name → type of the plain fields of a study in a file.
FIELDS: Mapping[str, type] = {
    "slug": str,
    "title": str,
    "paradigm": str,
    "language": str,
    "description": str,
    "responsible": str,
    "contact": str,
    "seed": int,
    "estimated_minutes": int,
    "quota": int,
    "data_protection_note": str,
    "retention_until": datetime.date,
    "notice": str,
}
# How a text of a study file stands to what the study declares; both may be left out.
OF_STANDARD_TEXTS = ("standard", "mentions")
MOST_MENTIONS = 1_000
REQUIRED = ("slug", "title", "paradigm")
CODE_FIELDS = ("code", "description", "weight", "is_exclusive")

# Finds the line of a key in a file, from the path to it; None where the file has no lines to speak of.
Locate = Callable[[Sequence[str | int]], int | None]


@dataclass(frozen=True)
class TextDescription:
    """One text of a study file; boxes are for the consent alone."""

    body: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    markup: str = Markup.PLAIN
    # Keys of what the text is known to mention; None where the file does not say: all that its study declares.
    mentions: tuple[str, ...] | None = None
    # Whether it is the standard text, which follows the study until somebody edits it.
    is_standard: bool = False


def nowhere(path: Sequence[str | int]) -> None:
    """A `Locate` for files whose lines say nothing."""


def unknown_key_faults(
    given: Mapping[str, Any], known: Sequence[str], *, path: Sequence[str | int] = (), locate: Locate = nowhere
) -> list[Fault]:
    """Return a fault for every key that a part of a study file does not have."""
    return [
        Fault(
            line=locate([*path, key]),
            message=Sentence("There is no key '{key}'.", key=_dotted([*path, key])),
            suggestion=did_you_mean(key, known)
            or Sentence("Possible keys here: {known}.", known=listed(known, shown=30)),
        )
        for key in given
        if key not in known
    ]


def table_of(
    given: Mapping[str, Any], name: str, faults: list[Fault], *, locate: Locate = nowhere
) -> Mapping[str, Any]:
    """Return a part of a study file that must be a table; an empty one, and a fault, where it is something else."""
    part = given.get(name, {})
    if isinstance(part, Mapping):
        return part
    faults.append(
        Fault(line=locate([name]), message=Sentence("'{name}' must be a table, such as [{name}].", name=name))
    )
    return {}


def checked_fields(
    given: Mapping[str, Any], *, locate: Locate = nowhere, has_parts: bool = False
) -> tuple[dict[str, Any], Paradigm | None, list[Fault]]:
    """Return the plain fields of a study file, its paradigm, and what is wrong with them."""
    faults = [
        Fault(message=Sentence("'{name}' is missing.", name=name), suggestion=Sentence("Every study needs one."))
        for name in REQUIRED
        if given.get(name) is None and not (has_parts and name == "paradigm")
    ]
    values: dict[str, Any] = {}
    for name, kind in FIELDS.items():
        value = given.get(name)
        if value is None:
            continue
        if not isinstance(value, kind) or isinstance(value, bool):
            message = {
                str: Sentence("'{name}' must be a text, not {value}.", name=name, value=repr(value)),
                int: Sentence("'{name}' must be a whole number, not {value}.", name=name, value=repr(value)),
                datetime.date: Sentence(
                    "'{name}' must be a date such as 2030-12-31, not {value}.", name=name, value=repr(value)
                ),
            }[kind]
            faults.append(Fault(line=locate([name]), message=message))
        else:
            values[name] = value.strip() if isinstance(value, str) else value
    several = given.get("languages")
    if "language" not in values and isinstance(several, list) and several and several[0] in LANGUAGES:
        values["language"] = several[0]
    language = values.get("language", "en")
    if language not in LANGUAGES:
        message = Sentence("The platform does not have the language '{language}'.", language=language)
        faults.append(
            Fault(
                line=locate(["language"]),
                message=message,
                suggestion=Sentence(
                    "Possible languages: {known}.", known=listed(list(LANGUAGES), shown=len(LANGUAGES))
                ),
            )
        )
        values["language"] = "en"
    else:
        faults += _value_faults(values, locate)
    return values, _paradigm(values.get("paradigm"), faults, locate), faults


def _value_faults(values: Mapping[str, Any], locate: Locate) -> list[Fault]:
    """Ask the model for what its fields refuse: an address of the wrong form, a title that is too long."""
    known = {model_field.name for model_field in Study._meta.concrete_fields}
    try:
        Study(**values).clean_fields(exclude=known - set(values))
    except ValidationError as error:
        return [
            Fault(line=locate([name]), setting=name, message=message)
            for name, messages in error.message_dict.items()
            for message in messages
        ]
    return []


def _paradigm(slug: str | None, faults: list[Fault], locate: Locate) -> Paradigm | None:
    if slug is None:
        return None
    try:
        return paradigm_named(slug)
    except UnknownParadigm as unknown:
        faults.append(Fault(line=locate(["paradigm"]), message=str(unknown)))
        return None


def checked_form(
    form: Any, given: Mapping[str, Any], *, path: Sequence[str | int], locate: Locate = nowhere
) -> tuple[dict[str, Any], list[Fault]]:
    """Return the values of a form and its faults, placed in the file."""
    values, faults = checked(form, given)
    return values, [
        replace(fault, line=locate([*path, fault.setting]), setting=_dotted([*path, fault.setting]))
        if fault.setting
        else replace(fault, line=locate(path))
        for fault in faults
    ]


def checked_procedure(given: Mapping[str, Any], *, locate: Locate = nowhere) -> tuple[dict[str, Any], list[Fault]]:
    """Return the procedure of a study file and its faults."""
    return checked_form(ProcedureForm, given, path=["procedure"], locate=locate)


def checked_questions(given: Any, *, locate: Locate = nowhere) -> tuple[list[dict[str, Any]], list[Fault]]:
    """Return the questions of a study file and their faults."""
    faults = question_faults(given)
    if faults:
        return [], [replace(fault, line=locate(["questions"])) for fault in faults]
    return [complete_question(question) for question in given], []


def checked_plan(
    given: Mapping[str, Any], *, tasks: Tasks, locate: Locate = nowhere
) -> tuple[dict[str, Any], list[Fault]]:
    """Return the plan of a study file and its faults; an empty one stays empty."""
    faults = plan_faults(given, tasks=tasks)
    if faults or not given:
        return {}, [replace(fault, line=locate(["plan"])) for fault in faults]
    return complete_plan(given), []


def checked_error_codes(
    given: Any, paradigm: Paradigm, *, locate: Locate = nowhere
) -> tuple[list[DefaultErrorCode] | None, list[Fault]]:
    """Return the codes of a study file, None where it names none, and their faults."""
    if given is None:
        return None, []
    here = locate(["error_codes"])
    if not isinstance(given, list) or not all(isinstance(entry, Mapping) for entry in given):
        return None, [Fault(line=here, message=Sentence("'error_codes' must be tables, such as [[error_codes]]."))]
    if given and not paradigm.coded_measure:
        return None, [
            Fault(
                line=here,
                message=Sentence(
                    "Studies with the paradigm '{paradigm}' have nothing to code.", paradigm=paradigm.slug
                ),
            )
        ]
    faults: list[Fault] = []
    codes = []
    for number, entry in enumerate(given, start=1):
        faults += unknown_key_faults(entry, CODE_FIELDS, path=["error_codes", number], locate=locate)
        code = entry.get("code")
        # A file may well say code = 0 without quotation marks.
        code = str(code) if isinstance(code, int) and not isinstance(code, bool) else code
        codes.append(
            DefaultErrorCode(code, entry.get("description"), entry.get("weight"), entry.get("is_exclusive", False))
        )
    for fault in scheme_faults(codes):
        place = [int(part) if part.isdigit() else part for part in fault.setting.split(".")]
        faults.append(replace(fault, line=locate(place) or locate(place[:2]) or here))
    return codes, faults


def checked_texts(
    given: Mapping[str, Any], *, language: str, may_be_empty: bool = False, locate: Locate = nowhere
) -> tuple[dict[str, TextDescription], list[Fault]]:
    """Return the texts of a study file and their faults. A consent without boxes gets those of the language."""
    faults = unknown_key_faults(given, KINDS, path=["texts"], locate=locate)
    texts = {}
    for kind in KINDS:
        if kind not in given:
            continue
        text = given[kind]
        path = ["texts", kind]
        if not isinstance(text, Mapping):
            faults.append(
                Fault(line=locate(path), message=Sentence("'texts.{kind}' must be a table with a body.", kind=kind))
            )
            continue
        known = ("body", "markup", "required", "optional") if kind == "consent" else ("body", "markup")
        known = (*known, *OF_STANDARD_TEXTS)
        faults += unknown_key_faults(text, known, path=path, locate=locate)
        markup, wrong = checked_markup(text, path=path, locate=locate)
        faults += wrong
        body = text.get("body", "")
        if not isinstance(body, str) or not (body.strip() or may_be_empty):
            faults.append(
                Fault(
                    line=locate([*path, "body"]) or locate(path),
                    message=Sentence("'texts.{kind}.body' must be a text that is not empty.", kind=kind),
                    suggestion=Sentence("Delete the table to use the standard text."),
                )
            )
            continue
        boxes = {}
        for name in ("required", "optional"):
            default = default_required_boxes(language) if (kind, name) == ("consent", "required") else []
            boxes[name] = text.get(name, default)
            if not isinstance(boxes[name], list) or not all(isinstance(b, str) and b.strip() for b in boxes[name]):
                message = Sentence(
                    "'texts.{kind}.{name}' must be a list of statements, none of them empty.", kind=kind, name=name
                )
                faults.append(Fault(line=locate([*path, name]), message=message))
                boxes[name] = []
        mentions, wrong = checked_mentions(text, path=path, locate=locate)
        faults += wrong
        texts[kind] = TextDescription(
            body.strip(),
            tuple(boxes["required"]),
            tuple(boxes["optional"]),
            markup,
            mentions,
            text.get("standard") is True,
        )
    return texts, faults


def checked_mentions(
    given: Mapping[str, Any], *, path: Sequence[str | int], locate: Locate = nowhere
) -> tuple[tuple[str, ...] | None, list[Fault]]:
    """Return the keys of what a text of a study file mentions, None where it does not say, and what is wrong."""
    faults = []
    if not isinstance(given.get("standard", False), bool):
        message = Sentence("'{name}' must be true or false.", name=_dotted([*path, "standard"]))
        faults.append(Fault(line=locate([*path, "standard"]), message=message))
    mentions = given.get("mentions")
    if mentions is None:
        return None, faults
    if not isinstance(mentions, list) or not all(isinstance(key, str) and key.strip() for key in mentions):
        message = Sentence("'{name}' must be a list of texts, none of them empty.", name=_dotted([*path, "mentions"]))
        return None, [*faults, Fault(line=locate([*path, "mentions"]), message=message)]
    return tuple(mentions[:MOST_MENTIONS]), faults


def standing_of(text: StudyText, declared: Sequence[Declared]) -> dict[str, Any]:
    """Return the keys of a study file that say how a text stands to its study; nothing where it mentions everything."""
    if text.is_default:
        return {"standard": True}
    return {"mentions": list(text.mentions)} if unmentioned(text, declared) else {}


def markup_of(text: StudyText | Part) -> dict[str, str]:
    """Return the markup key of a text in a study file; omitted for the four marks, the default of files."""
    return {} if text.markup == Markup.PLAIN else {"markup": text.markup}


def checked_markup(
    given: Mapping[str, Any], *, path: Sequence[str | int], locate: Locate = nowhere
) -> tuple[str, list[Fault]]:
    """Return how a text of a study file is to be read, the four marks where it does not say, and what is wrong."""
    markup = given.get("markup", Markup.PLAIN.value)
    if markup in Markup.values:
        return markup, []
    return Markup.PLAIN.value, [
        Fault(
            line=locate([*path, "markup"]) or locate(path),
            message=Sentence("There is no markup '{markup}'.", markup=markup),
            suggestion=did_you_mean(str(markup), Markup.values)
            or Sentence("Possible languages: {known}.", known=listed(Markup.values)),
        )
    ]


def unstorable_faults(given: Any) -> list[Fault]:
    """Return a fault for each text with a NUL character or half a surrogate pair, which no database can hold."""
    return [
        Fault(
            message=Sentence(
                "'{key}' contains a character that cannot be stored (U+{code:04X}).",
                key=_dotted(path),
                code=ord(character),
            )
        )
        for path, character in _unstorable(given, [])
    ]


def _unstorable(given: Any, path: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    if isinstance(given, Mapping):
        for key, value in given.items():
            yield from _unstorable(key, [*path, key])
            yield from _unstorable(value, [*path, key])
    elif isinstance(given, list):
        for number, value in enumerate(given, start=1):
            yield from _unstorable(value, [*path, number])
    elif isinstance(given, str):
        for character in given:
            if character == "\x00" or "\ud800" <= character <= "\udfff":
                yield path, character
                return


def _dotted(path: Sequence[str | int]) -> str:
    return ".".join(str(part) for part in path)

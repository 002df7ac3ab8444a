"""The schema of a whole study file."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import override

from experiments.languages import LANGUAGES
from experiments.models import Study
from experiments.paradigms import PARADIGMS
from experiments.study_files.parts import FIELDS, REQUIRED
from experiments.study_files.recruitment import TABLES
from experiments.study_files.schema import tables
from experiments.study_files.schema.pieces import (
    FILLED,
    TEXT,
    Schema,
    one_of,
    ref,
    said,
    settings_of,
    table,
    these,
    when,
)
from experiments.study_files.schema.questions import question, questions, quotas_by_criterion, rating_question
from experiments.study_files.toml import PARTS, WITH_PARTS

FILE_NAME = "study-file.schema.json"
# Where the platform serves it.
ADDRESS = "schemas/study.json"
_TYPES: Mapping[type, Schema] = {
    str: TEXT,
    int: {"type": "integer"},
    datetime.date: {"type": "string", "format": "date"},
}
_SAID = {
    "slug": "The address of the study: lower-case letters, digits and hyphens.",
    "paradigm": "What people do in the study.",
    "language": "The language of the participants' pages.",
    "seed": "The number from which lists and orders are made; the same seed gives the same orders.",
    "notice": "What people who come back to a paused or closed study read.",
}


def study_file_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of study files, for the paradigms that are installed.

    Dates are texts such as 2030-12-31, as editors hand those of TOML to a schema; see `plain_of_toml`.

    >>> defined = study_file_schema()["$defs"]
    >>> defined["study-of-one-task"]["required"], defined["settings-maze"]["properties"]["error_delay_ms"]["maximum"]
    (['slug', 'title', 'paradigm'], 10000)
    """
    with override("en"):
        made = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"/{ADDRESS}",
            "title": "Lectern study file",
            "description": "A study: what participants read and do, how they are assigned, and what is planned.",
            "type": "object",
            "if": {"required": ["parts"]},
            "then": ref("study-of-parts"),
            "else": ref("study-of-one-task"),
            "$defs": _definitions(),
        }
        # Labels are said in a language when they are written.
        return cast("Schema", json.loads(json.dumps(made, default=str)))


def written_schema() -> str:
    """Return the schema as the text of a file."""
    return json.dumps(study_file_schema(), ensure_ascii=False, indent=1, sort_keys=False) + "\n"


def plain_of_toml(given: Any) -> Any:
    """Return the values of a TOML file as JSON has them: dates and times become texts.

    >>> plain_of_toml({"retention_until": datetime.date(2030, 12, 31), "quota": 24})
    {'retention_until': '2030-12-31', 'quota': 24}
    """
    if isinstance(given, Mapping):
        return {name: plain_of_toml(value) for name, value in given.items()}
    if isinstance(given, list):
        return [plain_of_toml(value) for value in given]
    return given.isoformat() if isinstance(given, (datetime.date, datetime.time)) else given


def _definitions() -> dict[str, Schema]:
    slugs = [paradigm.slug for paradigm in PARADIGMS]
    return {
        "study-of-one-task": _study_of_one_task(),
        "study-of-parts": _study_of_parts(),
        "part": tables.part(slugs),
        "materials": tables.materials(),
        "question": question(),
        "rating-question": rating_question(with_spans=False),
        "rating-question-with-spans": rating_question(with_spans=True),
        **{f"settings-{paradigm.slug}": tables.settings(paradigm) for paradigm in PARADIGMS},
    }


def _fields() -> dict[str, Schema]:
    """Return the schemas of the plain fields, with what their pages say of them. Lengths are the model's alone."""
    found = {}
    for name, kind in FIELDS.items():
        own = dict(_TYPES[kind])
        if name == "paradigm":
            own = one_of([paradigm.slug for paradigm in PARADIGMS])
        elif name == "language":
            own = one_of(list(LANGUAGES))
        elif name in REQUIRED:
            own = dict(FILLED)
        field = None if name == "paradigm" else Study._meta.get_field(name)
        help_text = str(getattr(field, "help_text", "") or "")
        if name == "slug":
            # Trimmed when it is read.
            own["pattern"] = r"^\s*[a-z0-9-]+\s*$"
        if kind is int and name != "seed":
            own["minimum"] = 1 if name == "estimated_minutes" else 0
        found[name] = said(own, _SAID.get(name) or help_text)
    return found


def _tables() -> dict[str, Schema]:
    made: dict[str, Schema] = {
        "sources": said(tables.recruitment(), "Where participants come from and how they get back."),
        "criteria": said(quotas_by_criterion(), "Limits for how many people with certain answers take part."),
        "look": said(tables.look_of_pages(), "Logo and colour of the pages."),
        "wording": said({"type": "object"}, "Texts of the interface in words of your own."),
        **tables.further_languages(),
        "labels": said(tables.labels_of_factors(), "What reports call factors and levels, and the order of levels."),
    }
    made = these(TABLES, made)
    shared = {
        "plan": said(tables.planned(), "Hypotheses, exclusion rules and analyses, stated before opening."),
        "error_codes": said(tables.codes(), "The codes of a study whose answers are coded."),
    }
    return {**shared, **made}


def _study_of_one_task() -> Schema:
    own: dict[str, Schema] = {
        "settings": said({"type": "object"}, "The settings of the paradigm."),
        "modulus": said(table({"text": TEXT}), "The modulus sentence of magnitude estimation."),
        "procedure": said(tables.procedure(), "Lists, order of trials, resuming, completion."),
        "materials": said(ref("materials"), "The texts of the study."),
        "questions": questions(),
        "texts": said(tables.texts(has_instructions=True), "Texts that participants read; standard ones are left out."),
        **_tables(),
    }
    own = these(PARTS, own)
    settings = settings_of([paradigm.slug for paradigm in PARADIGMS])
    without_modulus = [one.slug for one in PARADIGMS if "modulus_text" not in one.settings_form.base_fields]
    no_modulus = when("paradigm", without_modulus, {"properties": {"modulus": {"maxProperties": 0}}})
    return table({**_fields(), **own}, required=REQUIRED, allOf=[*settings, no_modulus])


def _study_of_parts() -> Schema:
    own: dict[str, Schema] = {
        "parts": said(
            {"type": "array", "items": ref("part"), "minItems": 1}, "What participants go through, in order."
        ),
        "groups": said(tables.groups(), "Groups of participants, between which people are spread."),
        "order_sets": said(tables.order_sets(), "How the parts of order sets change places."),
        "procedure": said(tables.procedure(of_task=False), "Resuming, supervision, completion."),
        "texts": said(tables.texts(has_instructions=False), "Texts that participants read; standard ones left out."),
        **_tables(),
    }
    own = these(WITH_PARTS, own)
    fields = {name: schema for name, schema in _fields().items() if name != "paradigm"}
    return table({**fields, **own}, required=[name for name in REQUIRED if name != "paradigm"])

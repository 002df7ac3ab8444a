"""Schemas of the tables of a study file, but for questions."""

from __future__ import annotations

import re

from django import forms

from experiments.languages import LANGUAGES
from experiments.models import Markup, Part, WordScore
from experiments.paradigms.base import Paradigm
from experiments.paradigms.pieces.rating_questions import ERROR_SPANS
from experiments.paradigms.pieces.rating_questions_field import RatingQuestionsField
from experiments.paradigms.settings_schema import of_field
from experiments.procedure.texts import KINDS as KINDS_OF_TEXTS
from experiments.rules import error_codes, exclusion_rules, labels, look, own_texts, plan, sequential, shape, sources
from experiments.rules.procedure import PARAMETER_NAME, TASK_KEYS, BlockTextsField, NamesField, ProcedureForm
from experiments.study_files import words
from experiments.study_files.beside import MATERIALS_KEYS, MOST_LICENCE
from experiments.study_files.part_tables import COMMON_KEYS, OF_KIND
from experiments.study_files.parts import CODE_FIELDS, OF_STANDARD_TEXTS
from experiments.study_files.schema.pieces import (
    FILLED,
    TEXT,
    TRUTH,
    Schema,
    between,
    listed,
    named,
    one_of,
    ref,
    said,
    settings_of,
    table,
    text,
    these,
    when,
    whole,
)
from experiments.study_files.schema.questions import condition, questions, screening_rules

_MARKUP = said(one_of(Markup.values), "How the text is marked up; with the four marks where it is left out.")


def settings(paradigm: Paradigm) -> Schema:
    """Return the schema of the settings of a task, as its form declares them."""
    fields = {name: _of_form(field) for name, field in paradigm.settings_form.base_fields.items()}
    return table(fields, title=f"Settings of {paradigm.label}")


def procedure(*, of_task: bool | None = None) -> Schema:
    """Return the schema of a procedure: of a study of one task, or with `of_task` that of a task or of the rest."""
    fields = {
        name: _of_form(field)
        for name, field in ProcedureForm.base_fields.items()
        if of_task is None or (name in TASK_KEYS) == of_task
    }
    return table(fields)


def _of_form(field: forms.Field) -> Schema:
    own = of_field(field)
    match field:
        case NamesField():
            # Empty ones are left out when the file is read.
            return own | listed(named(re.compile(f"({PARAMETER_NAME.pattern})?")), maxItems=10)
        case BlockTextsField():
            return own | {"type": "object", "additionalProperties": FILLED}
        case RatingQuestionsField():
            return own | listed(ref("rating-question-with-spans" if ERROR_SPANS in field.kinds else "rating-question"))
    return own


def texts(*, has_instructions: bool) -> Schema:
    """Return the schema of the table `[texts]`."""
    boxes = listed(FILLED)
    standing: dict[str, Schema] = {
        "standard": said(TRUTH, "Whether this is the standard text, which follows the study until somebody edits it."),
        "mentions": said(listed(FILLED), "What the text is known to mention."),
    }
    standing = these(OF_STANDARD_TEXTS, standing)
    usual = {"body": said(FILLED, "The text as participants read it."), "markup": _MARKUP, **standing}
    consent = {
        "required": said(boxes, "Statements that people have to tick."),
        "optional": said(boxes, "Statements that people may tick."),
    }
    kinds = [kind for kind in KINDS_OF_TEXTS if has_instructions or kind != "instructions"]
    of_kinds = {kind: table({**usual, **(consent if kind == "consent" else {})}, required=("body",)) for kind in kinds}
    return table(of_kinds)


def further_languages() -> dict[str, Schema]:
    """Return the schemas of `languages` and `[translations]`."""
    of_texts = texts(has_instructions=True)
    # Instructions of one of several tasks.
    of_texts |= {"patternProperties": {"^instructions:": of_texts["properties"]["instructions"]}}
    translated = {
        "type": "object",
        "properties": {"texts": said(of_texts, "Texts with versions, by their kinds.")},
        "additionalProperties": text(own_texts.MOST_OF_A_TEXT),
        "maxProperties": own_texts.MOST_TEXTS + 1,
    }
    return {
        "languages": said(
            listed(one_of(list(LANGUAGES)), uniqueItems=True), "The languages of the study, the main one first."
        ),
        "translations": said(
            {"type": "object", "propertyNames": one_of(list(LANGUAGES)), "additionalProperties": translated},
            "What participants read in a further language, by the keys that the page Languages shows.",
        ),
    }


def materials() -> Schema:
    """Return the schema of the table `[materials]`: where the table of texts is and how it is read."""
    names = listed(TEXT)
    properties: dict[str, Schema] = {
        "file": said(
            {"type": ["string", "array"], "items": FILLED, "minItems": 1},
            "The path of the table of texts, or of several, relative to this file.",
        ),
        "columns": said(
            {"type": "object", "additionalProperties": TEXT},
            "What columns of the table are: their name → the platform's, or - for a column that is not used.",
        ),
        "steps": said(names, "Steps of reading that are decided otherwise than usually."),
        "factors": said(names, "The columns that are factors of the design."),
        "text_attributes": said(names, "Columns that describe a text and not its item."),
        "incomplete": said(TRUTH, "Whether texts are missing on purpose."),
        "media": said(TEXT, "The path of a folder or a ZIP archive of pictures and sounds."),
        "licence": said(text(MOST_LICENCE), "The licence of the pictures and sounds."),
        "words": said(TEXT, "The path of a table of scores of words."),
        "words_source": said(text(words.MOST_SOURCE), "Where the scores of words come from."),
        "words_together": said(
            one_of(WordScore.Together.values), "What a region of several words has: the sum or the mean."
        ),
    }
    properties = these(MATERIALS_KEYS, properties)
    return table(properties)


def codes() -> Schema:
    """Return the schema of the table `[[error_codes]]`."""
    properties: dict[str, Schema] = {
        "code": said({"type": ["string", "integer"]}, "What coders press: up to ten letters or digits."),
        "description": text(error_codes.MOST_DESCRIPTION),
        "weight": said({"type": "number"}, "What the code adds to the score."),
        "is_exclusive": said(TRUTH, "Whether no other code can be given with it."),
    }
    properties = these(CODE_FIELDS, properties)
    required = ("code", "description", "weight")
    return listed(table(properties, required=required), maxItems=error_codes.MOST_CODES)


def recruitment() -> Schema:
    """Return the schema of the table `[[sources]]`."""
    back = {
        "text": said(text(sources.MOST_OF_A_TEXT), "What people read in place of the platform's own text."),
        "link": said(text(sources.MOST_OF_A_LINK), "Where people go on, with parameters in braces."),
        "code": said(text(sources.MOST_OF_A_CODE), "The code that people copy."),
    }
    back = these(sources.RETURN_KEYS, back)
    properties: dict[str, Schema] = {
        "name": said(named(sources.NAME, 40), "The name of the source in the data."),
        "kind": said(one_of(list(sources.KINDS)), "The service that people come from."),
        "parameters": said(
            listed(named(PARAMETER_NAME), maxItems=sources.MOST_PARAMETERS, uniqueItems=True),
            "Parameters of the link; the first identifies a participant.",
        ),
        "id_only": said(TRUTH, "Whether an id alone opens the session of its participant."),
        "outcomes": said(table({outcome: table(back) for outcome in sources.OUTCOMES}), "How each outcome leads back."),
    }
    properties = these(sources.KEYS, properties)
    return listed(table(properties, required=("name", "kind")), maxItems=sources.MOST_SOURCES)


def look_of_pages() -> Schema:
    """Return the schema of the table `[look]`."""
    properties = {
        "logo": said(text(100), "The name of a picture of the study."),
        "logo_text": said(text(200), "What the logo says or shows."),
        "colour": said({"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}, "The colour of buttons and headings."),
    }
    properties = these(look.KEYS, properties)
    return table(properties)


def labels_of_factors() -> Schema:
    """Return the schema of the table `[labels]`, by the name of the factor."""
    properties = {
        "label": said(TEXT, "What reports call the factor."),
        "levels": said(
            {"type": "object", "additionalProperties": TEXT, "maxProperties": labels.MOST_LEVELS},
            "What reports call its levels.",
        ),
        "order": said(listed(TEXT, maxItems=labels.MOST_LEVELS, uniqueItems=True), "The order of its levels."),
    }
    properties = these(labels.KEYS, properties)
    return {"type": "object", "additionalProperties": table(properties), "maxProperties": labels.MOST_FACTORS}


def groups() -> Schema:
    """Return the schema of the table `[[groups]]`."""
    properties = {
        "name": said(named(shape.NAME, shape.MOST_CHARACTERS), "The name of the group in the data."),
        "weight": said(whole(1, 100), "How many people are in this group for one in a group of weight 1."),
        "quota": said(whole(1), "How many people can be in this group."),
    }
    properties = these(shape.GROUP_KEYS, properties)
    return listed(table(properties, required=("name",)))


def order_sets() -> Schema:
    """Return the schema of the table `[order_sets]`, by the name of the order set."""
    return {"type": "object", "additionalProperties": one_of(shape.ORDERS)}


def planned() -> Schema:
    """Return the schema of the table `[plan]`."""
    parameter = {"anyOf": [text(plan.MAX_CHARACTERS), {"type": ["number", "boolean"]}, listed(TEXT)]}
    analysis: dict[str, Schema] = {
        "title": said(TEXT, "What the analysis is called in the plan and in reports."),
        "method": said(FILLED, "The name of the method."),
        "table": said(TEXT, "The table that it reads; trials where it is left out."),
        "params": said({"type": "object", "additionalProperties": parameter}, "The parameters of the method."),
        "other_study": said({"type": "string", "pattern": f"^(?:{plan.SLUG.pattern})?$"}, "A study to compare with."),
        "part": said(TEXT, "The task whose data are analysed."),
        "sequential": said(_sequential(), "The looks of the analysis that decides when to stop."),
        "family": said(text(plan.MAX_FAMILY), "The same text in all analyses over which p is adjusted."),
    }
    analysis = these(plan.ANALYSIS_KEYS, analysis)
    properties: dict[str, Schema] = {
        "hypotheses": said(text(plan.MAX_CHARACTERS), "What the study is to find out."),
        "exclusion_rules": said(listed(_exclusion_rule()), "Who and what is left out of the analyses."),
        "analyses": said(
            listed(table(analysis, required=("method",)), maxItems=plan.MAX_ANALYSES), "The planned analyses."
        ),
    }
    properties = these(plan.KEYS, properties)
    return table(properties)


def _exclusion_rule() -> Schema:
    def limits(rule: exclusion_rules.ExclusionRule) -> dict[str, Schema]:
        return {
            one.name: said(
                whole(int(one.low), int(one.high)) if one.is_whole else between(one.low, one.high), str(one.label)
            )
            for one in rule.limits
        }

    rules = [
        when(
            "rule",
            [rule.slug],
            table({"rule": TEXT, "part": TEXT, **limits(rule)}, required=[one.name for one in rule.limits]),
        )
        for rule in exclusion_rules.RULES
    ]
    answer = table({"rule": TEXT, **condition()["properties"]}, required=("question",))
    return {
        "type": "object",
        "properties": {"rule": said(one_of(list(exclusion_rules.BY_SLUG)), "The kind of rule.")},
        "required": ["rule"],
        "allOf": [*rules, when("rule", [exclusion_rules.ANSWER], answer)],
    }


def _sequential() -> Schema:
    people = whole(sequential.FEWEST_PEOPLE, sequential.MOST_PEOPLE)
    looks = listed(people, minItems=sequential.FEWEST_LOOKS, maxItems=sequential.MOST_LOOKS, uniqueItems=True)
    properties = {
        "effect": said(text(sequential.MAX_CHARACTERS, is_filled=True), "The effect that decides."),
        "looks": said(looks, "The numbers of people at the looks, rising."),
        "spending": said(one_of(sequential.SPENDING), "How α is spent over the looks."),
        "alpha": between(*sequential.ALPHAS),
        "gamma": between(*sequential.GAMMAS),
    }
    properties = these(sequential.KEYS, properties)
    # An empty table is no plan.
    return {"anyOf": [{"type": "object", "maxProperties": 0}, table(properties, required=("effect", "looks"))]}


def part(paradigms: list[str]) -> Schema:
    """Return the schema of one of the `[[parts]]`."""
    rule = condition()
    common: dict[str, Schema] = {
        "name": said(FILLED, "The short name of the part, the word in the column 'part' of every table."),
        "kind": said(one_of(Part.Kind.values), "What the part is; a task where it is left out."),
        "title": said(TEXT, "What participants read above a questionnaire or a page."),
        "groups": said(listed(TEXT), "The groups that go through the part; everybody where it is left out."),
        "order_set": said(TEXT, "Parts with the same word are counterbalanced in their order."),
        "shown_if": said({"anyOf": [rule, listed(rule)]}, "The part is for people whose answers meet this."),
    }
    common = these(COMMON_KEYS, common)
    own: dict[Part.Kind, dict[str, Schema]] = {
        Part.Kind.TASK: {
            "paradigm": said(one_of(paradigms), "What people do in the task."),
            "settings": said({"type": "object"}, "The settings of the paradigm."),
            "procedure": said(procedure(of_task=True), "The order of the trials of this task."),
            "materials": said(ref("materials"), "The texts of the task."),
            "factors": said({"type": "array"}, "The factors of the design, as archives keep them."),
            "text_attributes": said(listed(TEXT), "Columns that describe a text and not its item."),
            "reading": said({"type": "object"}, "How the table was read, as archives keep it."),
            "instructions": said(TEXT, "What people read before the task; standard instructions where it is left out."),
            "markup": _MARKUP,
            "pool": said(TEXT, "Tasks of the same pool are one task in analyses."),
        },
        Part.Kind.QUESTIONNAIRE: {
            "questions": questions(),
            "screening": screening_rules(),
            "attempts": said(one_of((1, 2)), "2 where people answer again after a wrong answer."),
        },
        Part.Kind.PAGE: {
            "body": said(TEXT, "What people read."),
            "markup": _MARKUP,
            "minimum_seconds": said(whole(1, shape.MOST_SECONDS), "How long people stay on the page at least."),
        },
    }
    own = {kind: these(OF_KIND[kind], properties) for kind, properties in own.items()}
    task = {"required": ["paradigm"]} | table({**common, **own[Part.Kind.TASK]})
    return {
        "type": "object",
        "required": ["name"],
        "allOf": [
            {"if": {"properties": {"kind": {"const": "task"}}}, "then": task},
            *(when("kind", [kind], table({**common, **own[kind]})) for kind in own if kind != Part.Kind.TASK),
            {"properties": {"kind": common["kind"]}},
            *settings_of(paradigms),
        ],
    }

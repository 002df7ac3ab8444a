"""Schemas of questions, of conditions on their answers, and of what rules make of these."""

from __future__ import annotations

from experiments.paradigms.pieces.rating_questions import rules as rating
from experiments.questionnaire import conditions, kinds
from experiments.questionnaire.one_question import HOWS, ITEM_KEYS, MAX_LABEL, MAX_UNIT, NAME, SCORE_KEYS
from experiments.rules import criteria, screening
from experiments.study_files.schema.pieces import (
    FILLED,
    NUMBER,
    TEXT,
    TRUTH,
    Schema,
    listed,
    named,
    one_of,
    ref,
    said,
    table,
    text,
    these,
    when,
    whole,
)

_OF_CONDITION: dict[str, Schema] = {
    "question": said(TEXT, "The name of an answer, of an item of a matrix, of a score, or check_failed."),
    "operator": said(one_of(conditions.OPERATORS), "How the answer is compared; 'is' where it is left out."),
    "value": said({"type": ["string", "number", "boolean"]}, "What the answer is compared with."),
}


def question() -> Schema:
    """Return the schema of a question of a questionnaire."""
    labels = listed(text(MAX_LABEL, is_filled=True))
    properties: dict[str, Schema] = {
        "name": said(named(NAME), "The column of the answers in the data."),
        "label": said(FILLED, "The question as participants read it."),
        "kind": said(one_of(kinds.KINDS), "How people answer."),
        "choices": said(listed(FILLED, uniqueItems=True), "The answers of a choice."),
        "required": said(TRUTH, "Whether people need to answer before they can go on."),
        "help": said(TEXT, "The hint below the question."),
        "decline": said(TRUTH, "Whether people may prefer not to say."),
        "shown_if": said(condition(), "The question is shown only if an earlier answer meets this condition."),
        "random_order": said(TRUTH, "Whether the choices or items come in another order for every participant."),
        "expected": said({"type": ["string", "number", "array", "boolean"]}, "The right answer of an attention check."),
        "score": said(_score(), "The scale that the answer counts for."),
        "minimum": said({"type": "number", "minimum": 0}, "The lowest number that can be typed."),
        "maximum": said(NUMBER, "The highest number that can be typed."),
        "unit": said(text(MAX_UNIT), "The unit behind the field, such as years."),
        "points": said(whole(kinds.FEWEST_POINTS, kinds.MOST_POINTS), "How many points the scale has."),
        "labels": said(labels, "One for each end, or one for each point, the lowest first."),
        "items": said(
            listed(_item(), minItems=1, maxItems=kinds.MAX_ITEMS), "The statements of a matrix, one row each."
        ),
    }
    properties = these(kinds.KEYS, properties)
    of_kinds = [
        when("kind", [kind], {"properties": {key: False for key in kinds.FURTHER_KEYS if key not in own}})
        for kind, own in kinds.KEYS_OF_KIND.items()
    ]
    with_choices = {"properties": {"choices": {"minItems": 2}}, "required": ["choices"]}
    without = [kind for kind in kinds.KINDS if kind not in kinds.WITH_CHOICES]
    return table(
        properties,
        required=("name", "label", "kind"),
        allOf=[
            *of_kinds,
            when("kind", kinds.WITH_CHOICES, with_choices),
            when("kind", without, {"properties": {"choices": {"maxItems": 0}}}),
            when("kind", [kinds.MATRIX], {"required": ["items"]}),
        ],
    )


def questions() -> Schema:
    """Return the schema of the questions of a questionnaire."""
    return said(listed(ref("question"), maxItems=kinds.MAX_QUESTIONS), "The questions in the order in which they come.")


def condition() -> Schema:
    """Return the schema of a condition on an answer."""
    return table(_OF_CONDITION, required=("question",))


def _score() -> Schema:
    properties = {
        "scale": said(named(NAME), "The name of the scale; the score is the column score_<scale>."),
        "how": said(one_of(HOWS), "Whether the score is the sum or the mean of the answers."),
        "reverse": said(TRUTH, "Whether the answer counts the other way round."),
    }
    properties = these(SCORE_KEYS, properties)
    return table(properties, required=("scale",))


def _item() -> Schema:
    properties = {
        "name": named(NAME),
        "label": FILLED,
        "reverse": TRUTH,
        "expected": said(whole(1, kinds.MOST_POINTS), "The right point of an attention check."),
    }
    properties = these(ITEM_KEYS, properties)
    return table(properties, required=("name", "label"))


def rating_question(with_spans: bool) -> Schema:
    """Return the schema of a question that is asked about a text."""
    properties: dict[str, Schema] = {
        "name": said({"type": "string", "pattern": "^[a-z][a-z0-9_]{0,29}$"}, "The column of the ratings in the data."),
        "text": said(text(rating.MAX_TEXT, is_filled=True), "The question as participants read it."),
        "kind": said(one_of(rating.KINDS_WITH_SPANS if with_spans else rating.KINDS), "How people answer."),
        "points": said(whole(0, rating.MOST_POINTS), "How many points a scale has; 0 for the other kinds."),
        "labels": said(
            listed(text(rating.MAX_LABEL, is_filled=True)), "One for each end, or one for each point, the lowest first."
        ),
        "required": said(TRUTH, "Whether people need to answer before they can go on."),
    }
    if with_spans:
        categories = listed(text(is_filled=True), maxItems=rating.MAX_CATEGORIES)
        properties["categories"] = said(categories, "The categories of errors, one of which is chosen for every error.")
        properties["score"] = said(TRUTH, "Whether people also give a score from 0 to 100.")
    return table(properties, required=("name", "text", "kind"))


def screening_rules() -> Schema:
    """Return the schema of the screening rules of a questionnaire."""
    properties = {
        **_OF_CONDITION,
        "outcome": said(one_of(screening.OUTCOMES), "How the session ends."),
        "message": said(text(screening.MAX_MESSAGE), "What people read whose session ends by this rule."),
    }
    properties = these(screening.KEYS, properties)
    rules = listed(table(properties, required=("question",)), maxItems=screening.MAX_RULES)
    return said(rules, "Each rule says whose session ends before the tasks.")


def quotas_by_criterion() -> Schema:
    """Return the schema of the table `[[criteria]]`."""
    properties = {
        "name": said(named(criteria.NAME, criteria.MOST_CHARACTERS), "The name of the criterion in the data."),
        "quota": said(whole(1, 1_000_000), "How many people who meet the criterion can take part."),
        "when": said(
            listed(condition(), minItems=1, maxItems=criteria.MOST_CONDITIONS), "People who meet all of these count."
        ),
        "part": said(TEXT, "The questionnaire, where several have an answer of this name."),
        "per_group": said(TRUTH, "Whether the quota is for every group separately."),
    }
    properties = these(criteria.KEYS, properties)
    return listed(table(properties, required=("name", "quota", "when")), maxItems=criteria.MOST_CRITERIA)

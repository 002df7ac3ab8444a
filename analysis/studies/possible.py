"""Which methods a study can use, and why it cannot use the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from analysis.codebook.materials import attribute_names, metric_names
from analysis.codebook.questionnaires import further_variables
from analysis.codebook.questions import general_question
from analysis.codebook.trials import trial_columns
from analysis.data.tables import columns_of, tables_of
from analysis.methods.declarations import Group, Method, Need
from analysis.studies.materials import number_of_texts
from experiments.models import Study
from experiments.paradigms import paradigm_named


@dataclass(frozen=True)
class Offered:
    """A method on a page, with its question; `reason` says why the study cannot use it, and is empty where it can."""

    method: Method
    question: str
    reason: str = ""


@dataclass(frozen=True)
class MethodGroup:
    """The methods that a study can use for one purpose."""

    label: str
    offered: list[Offered]


def group_labels() -> dict[Group, str]:
    """Return what the groups of methods are called, in the order in which pages show them."""
    return {
        "compare": _("Compare conditions"),
        "describe": _("Describe"),
        "predict": _("Predict and relate"),
        "agreement": _("Agreement and reliability"),
        "texts": _("Texts of the materials"),
        "power": _("Power"),
        "check": _("Check a result"),
        "": _("From installed packages"),
    }


def grouped(study: Study, methods: Mapping[str, Method]) -> tuple[list[MethodGroup], list[Offered]]:
    """Return the methods that a study can use by their groups, and those that it cannot use, each with the reason."""
    facts = facts_of(study)
    every = [
        Offered(method, general_question(method), next((facts[need] for need in method.needs if facts[need]), ""))
        for method in methods.values()
    ]
    return _groups([one for one in every if not one.reason]), [one for one in every if one.reason]


def all_groups(methods: Mapping[str, Method]) -> list[MethodGroup]:
    """Return all methods by their groups, for a table of which nothing is known."""
    return _groups([Offered(method, general_question(method)) for method in methods.values()])


def _groups(offered: Sequence[Offered]) -> list[MethodGroup]:
    groups = [
        MethodGroup(label, [one for one in offered if one.method.group == group])
        for group, label in group_labels().items()
    ]
    return [group for group in groups if group.offered]


def facts_of(study: Study) -> dict[Need, str]:
    """Return for everything that a method may need why the study does not have it; empty where it does."""
    tables = {table.name for table in tables_of(study)}
    columns = {column.name: column for column in trial_columns(study).all}
    of_texts = columns_of(study, "texts")
    measures = [column for column in columns.values() if column.role == "measure"]
    numbers = [column for column in measures if column.type in ("number", "integer")]
    judged = paradigm_named(study.paradigm).judgements_of(study.settings)
    asked = [one for one in further_variables(study.shown_questions) if one.type == "number"]
    texts = number_of_texts(study)
    references = [
        column for column in of_texts if column.type == "text" and column.name.startswith(("reference", "source"))
    ]
    is_compared = "options" in tables or "chosen" in columns
    has_systems = bool(study.factors) and any(column.role == "measure" for column in of_texts)
    told: dict[Need, tuple[bool, Callable[[], str]]] = {
        "answers": (bool(measures), lambda: _("The study has no answers that a model could explain.")),
        "numbers": (bool(numbers), lambda: _("The study has no numeric measure.")),
        "two numbers": (len(numbers) > 1, lambda: _("The study has only one numeric measure.")),
        "conditions": (
            bool(study.factors or attribute_names(study)),
            lambda: _("The study has no conditions: its materials have no factor that varies."),
        ),
        "categories": (
            any(column.type == "boolean" or column.values for column in columns.values() if column.role)
            or "codings" in tables,
            lambda: _("The study has no categorical answers."),
        ),
        "codes": ("codings" in tables, lambda: _("Nobody codes answers in this study.")),
        "comparisons": (is_compared, lambda: _("People do not choose between texts in this study.")),
        "metrics": (
            bool(metric_names(study)),
            lambda: _("The texts have no automatic metrics. Store scores of the texts first."),
        ),
        "ranked texts": (
            has_systems,
            lambda: _("The texts have no scores. Store scores of the texts first, or analyse a table of your own."),
        ),
        "references": (
            bool(references or study.factors),
            lambda: _("The materials have one text of each item and no column with sources or references."),
        ),
        "regions": ("regions" in tables, lambda: _("Texts are not read region by region in this study.")),
        "reported results": (
            False,
            lambda: _(
                "This method reads results of publications. Put them into a table and analyse it under "
                "“Analyse a table”."
            ),
        ),
        "several questions": (
            len(judged) > 1 or len(asked) > 1,
            lambda: _("The study asks fewer than two rating questions."),
        ),
        "signal": (
            {"right_answer", "choice"} <= {*columns},
            lambda: _("The study has no trials with signal and noise."),
        ),
        "texts": (bool(texts), lambda: _("The materials have no texts.")),
        "typed answers": ("response" in columns, lambda: _("People do not type answers in this study.")),
        "visits": ("visits" in tables, lambda: _("Texts are not read area by area in this study.")),
    }
    return {need: "" if is_there else why() for need, (is_there, why) in told.items()}

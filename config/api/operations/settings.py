"""Settings of a task, its procedure, and the plan of the study."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from rest_framework import serializers

from config.api.declarations import READ, WRITE, Answer, Call, Operation
from config.api.fields import Anything, Shape, Table, Text
from config.api.operations.shapes import OfTask
from config.api.problems import Problem, placed
from experiments.formats.faults import Fault
from experiments.paradigms import paradigm_named
from experiments.procedure.arranging import complete_procedure
from experiments.rules.plan import complete_plan, plan_faults
from experiments.rules.procedure import ProcedureForm
from experiments.rules.shape import tasks_to_plan
from experiments.study.lifecycle import save_details, save_plan, save_procedure
from experiments.study_files.parts import checked_form, unknown_key_faults


class SettingsShape(Shape):
    """What can be set of a task: its paradigm's settings and its procedure, every key with its value."""

    paradigm = Text()
    settings = Table(help_text="By the names of the settings of the paradigm.")
    procedure = Table(help_text="Order, coming back, what follows the last page.")


class ChangedSettings(Shape):
    """Settings and keys of the procedure to change; those that are left out stay."""

    settings = Table(required=False)
    procedure = Table(required=False)


class PlanShape(Shape):
    """Hypotheses, exclusion rules and analyses, as a study file has them."""

    hypotheses = Text(required=False, allow_blank=True)
    exclusion_rules = serializers.ListField(child=Anything(), required=False)
    analyses = serializers.ListField(child=Anything(), required=False)


def shown(call: Call) -> dict[str, Any]:
    """Return settings and procedure as `SettingsShape` has them."""
    study = call.study
    paradigm = paradigm_named(study.paradigm)
    return {
        "paradigm": paradigm.slug,
        "settings": dict(paradigm.complete_settings(study.settings)),
        "procedure": complete_procedure(study.procedure),
    }


def get_settings(call: Call) -> Answer:
    """Settings and procedure of a task."""
    return Answer(shown(call))


def change_settings(call: Call) -> Answer:
    """Change settings and procedure of a task, together or not at all."""
    study, before = call.study, shown(call)
    form = paradigm_named(study.paradigm).settings_form
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, of in (("settings", form), ("procedure", ProcedureForm)):
        changes = call.body.get(name, {})
        faults += unknown_key_faults(changes, tuple(of.base_fields), path=[name])
        values[name], wrong = checked_form(of, {**before[name], **changes}, path=[name])
        faults += wrong
    if faults:
        detail = "The settings are not valid. Nothing was stored; correct what is listed and send it again."
        raise Problem("invalid", detail, [_pointed(fault) for fault in faults])
    with transaction.atomic():
        if call.body.get("procedure"):
            save_procedure(study, values["procedure"], call.user)
        if call.body.get("settings"):
            save_details(study, {"settings": values["settings"]}, call.user)
    call.with_study_anew()
    return get_settings(call)


def _pointed(fault: Fault) -> dict[str, Any]:
    told = placed(fault)
    return {**told, "place": "/" + fault.setting.replace(".", "/") if fault.setting else ""}


def shown_plan(call: Call) -> dict[str, Any]:
    """Return the plan as it is stored, with every key."""
    plan: dict[str, Any] = complete_plan(call.study.plan)
    return plan


def get_plan(call: Call) -> Answer:
    """The plan of the study."""
    return Answer(shown_plan(call))


def put_plan(call: Call) -> Answer:
    """Replace the plan of a draft."""
    study = call.study
    faults = plan_faults(call.body, tasks=tasks_to_plan(study), questions=study.shown_questions)
    if faults:
        detail = "The plan is not valid. Nothing was stored; correct what is listed and send it again."
        raise Problem("invalid", detail, [placed(fault) for fault in faults])
    save_plan(study, call.body, call.user)
    call.with_study_anew()
    return get_plan(call)


OPERATIONS = (
    Operation(
        "get_settings", "GET", "studies/{slug}/settings/", "Read settings and procedure", get_settings,
        query=OfTask, gives=SettingsShape, state=shown,
    ),
    Operation(
        "change_settings", "PATCH", "studies/{slug}/settings/", "Change settings and procedure", change_settings,
        scopes=(READ, WRITE), role="editor", query=OfTask, body=ChangedSettings, gives=SettingsShape, state=shown,
        description="Of a draft; while a study is open, what follows the last page and coming back may still change.",
    ),
    Operation("get_plan", "GET", "studies/{slug}/plan/", "Read the plan", get_plan, gives=PlanShape, state=shown_plan),
    Operation(
        "put_plan", "PUT", "studies/{slug}/plan/", "Replace the plan of a draft", put_plan,
        scopes=(READ, WRITE), role="editor", body=PlanShape, gives=PlanShape, state=shown_plan,
    ),
)  # fmt: skip

"""Every study becomes one of a single task, after its background questions where it has any."""

from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError

OF_THE_TASK = (
    "practice_first",
    "leading_fillers",
    "max_same_condition_run",
    "max_target_run",
    "blocked",
    "conditions",
    "item_sets",
)


def divide(apps, schema_editor):
    """Move the design of every study into a part."""
    models = {name: apps.get_model("experiments", name) for name in ("Condition", "Item", "StimulusList")}
    Part, StudyText = apps.get_model("experiments", "Part"), apps.get_model("experiments", "StudyText")
    for study in apps.get_model("experiments", "Study").objects.order_by("pk"):
        procedure = study.procedure or {}
        if study.questions:
            Part.objects.create(
                study=study, position=0, name="background", kind="questionnaire", questions=study.questions
            )
        task = Part.objects.create(
            study=study,
            position=1 if study.questions else 0,
            name="task",
            kind="task",
            paradigm=study.paradigm,
            settings=study.settings,
            procedure={name: value for name, value in procedure.items() if name in OF_THE_TASK},
            factors=study.factors,
        )
        study.conduct = {name: value for name, value in procedure.items() if name not in OF_THE_TASK}
        study.save(update_fields=["conduct"])
        for model in models.values():
            model.objects.filter(study=study).update(part=task)
        StudyText.objects.filter(study=study, kind="instructions").update(part=task)


def unite(apps, schema_editor):
    """Move the design back. Raises where a study has parts that the version before does not know."""
    models = {name: apps.get_model("experiments", name) for name in ("Condition", "Item", "StimulusList")}
    Part, StudyText = apps.get_model("experiments", "Part"), apps.get_model("experiments", "StudyText")
    for study in apps.get_model("experiments", "Study").objects.order_by("pk"):
        parts = list(Part.objects.filter(study=study).order_by("position", "pk"))
        if not {(part.name, part.kind) for part in parts} <= {("background", "questionnaire"), ("task", "task")}:
            message = f"The study '{study.slug}' has parts that the version before cannot hold."
            raise IrreversibleError(message)
        for part in parts:
            if part.kind == "questionnaire":
                study.questions = part.questions
                continue
            study.paradigm, study.settings, study.factors = part.paradigm, part.settings, part.factors
            study.procedure = {**part.procedure, **study.conduct}
            for model in models.values():
                model.objects.filter(part=part).update(study=study, part=None)
        study.save(update_fields=["questions", "paradigm", "settings", "factors", "procedure"])
        StudyText.objects.filter(study=study).update(part=None)
    Part.objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("experiments", "0005_parts")]

    operations = [migrations.RunPython(divide, unite)]

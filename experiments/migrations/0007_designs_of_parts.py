"""What a part holds, no study holds any more."""

import django.db.models.deletion
from django.db import migrations, models


def _of_parts(name: str, related_name: str, constraints: dict[str, tuple[str, ...]]) -> list:
    """Return what lets rows of a design belong to a part alone."""
    return [
        *(migrations.RemoveConstraint(model_name=name, name=constraint) for constraint in constraints),
        migrations.RemoveField(model_name=name, name="study"),
        migrations.AlterField(
            model_name=name,
            name="part",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name=related_name, to="experiments.part"
            ),
        ),
        *(
            migrations.AddConstraint(
                model_name=name, constraint=models.UniqueConstraint(fields=("part", *fields), name=constraint)
            )
            for constraint, fields in constraints.items()
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("experiments", "0006_one_task_each")]

    operations = [
        *_of_parts(
            "condition",
            "conditions",
            {"one_condition_per_position": ("position",), "one_condition_per_combination": ("levels",)},
        ),
        *_of_parts("item", "items", {"one_item_per_code": ("code",)}),
        *_of_parts("stimuluslist", "lists", {"one_list_per_index": ("item_set", "index")}),
        migrations.RemoveConstraint(model_name="studytext", name="one_text_per_version"),
        migrations.AddConstraint(
            model_name="studytext",
            constraint=models.UniqueConstraint(
                condition=models.Q(("part", None)), fields=("study", "kind", "version"), name="one_text_per_version"
            ),
        ),
        migrations.AddConstraint(
            model_name="studytext",
            constraint=models.UniqueConstraint(
                fields=("part", "kind", "version"), name="one_text_of_a_part_per_version"
            ),
        ),
        migrations.RemoveField(model_name="study", name="paradigm"),
        migrations.RemoveField(model_name="study", name="settings"),
        migrations.RemoveField(model_name="study", name="procedure"),
        migrations.RemoveField(model_name="study", name="questions"),
        migrations.RemoveField(model_name="study", name="factors"),
    ]

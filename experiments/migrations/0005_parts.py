"""Studies are lists of parts: the tables, beside what the parts will hold."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


def _beside(name: str, related_name: str) -> list[migrations.operations.base.Operation]:
    """Return what lets rows of a design belong to a part, and no longer asks for their study."""
    return [
        migrations.AddField(
            model_name=name,
            name="part",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name=related_name,
                to="experiments.part",
            ),
        ),
        migrations.AlterField(
            model_name=name,
            name="study",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name=related_name,
                to="experiments.study",
            ),
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("experiments", "0004_retention")]

    operations = [
        migrations.CreateModel(
            name="Part",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField(default=0)),
                (
                    "name",
                    models.SlugField(
                        help_text="Short, for addresses and tables: lower-case letters, digits and hyphens.",
                        max_length=40,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z][a-z0-9]*(-[a-z0-9]+)*$", "Use lower-case letters, digits and single hyphens."
                            )
                        ],
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("task", "Task"), ("questionnaire", "Questionnaire"), ("page", "Page")],
                        default="task",
                        max_length=20,
                    ),
                ),
                (
                    "title",
                    models.CharField(blank=True, help_text="Participants see it above the part.", max_length=200),
                ),
                (
                    "groups",
                    models.JSONField(
                        blank=True, default=list, help_text="Names of the groups that see it; empty means all."
                    ),
                ),
                (
                    "order_set",
                    models.CharField(
                        blank=True,
                        help_text="Parts with the same word here change places among each other.",
                        max_length=40,
                    ),
                ),
                ("paradigm", models.CharField(blank=True, max_length=60)),
                (
                    "settings",
                    models.JSONField(
                        blank=True, default=dict, help_text="Settings of the paradigm, checked by its form."
                    ),
                ),
                (
                    "procedure",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Order and lists of a task, checked by the form of the procedure.",
                    ),
                ),
                (
                    "factors",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Factors with their levels, in the order of the materials.",
                    ),
                ),
                (
                    "questions",
                    models.JSONField(
                        blank=True, default=list, help_text="Questions of a questionnaire, in order."
                    ),
                ),
                ("body", models.TextField(blank=True, help_text="What a page says.")),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="experiments.study"
                    ),
                ),
            ],
            options={"ordering": ["position", "pk"]},
        ),
        migrations.AddConstraint(
            model_name="part", constraint=models.UniqueConstraint(fields=("study", "name"), name="one_part_per_name")
        ),
        migrations.AddField(
            model_name="study",
            name="conduct",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Resuming, supervision and completion, checked by the form of the procedure.",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="groups",
            field=models.JSONField(
                blank=True, default=list, help_text="Groups of participants: name, weight, and how many at most."
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="order_sets",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Order sets whose parts change places at random instead of balanced.",
            ),
        ),
        # A default, so that going back can make the column again before it is filled.
        migrations.AlterField(model_name="study", name="paradigm", field=models.CharField(default="", max_length=60)),
        *_beside("condition", "conditions"),
        *_beside("item", "items"),
        *_beside("stimuluslist", "lists"),
        migrations.AddField(
            model_name="studytext",
            name="part",
            field=models.ForeignKey(
                blank=True,
                help_text="Of instructions: the task.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="texts",
                to="experiments.part",
            ),
        ),
    ]

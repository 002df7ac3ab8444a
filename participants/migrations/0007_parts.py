"""Trials know their part; sessions know their group, their order, how they ended, and the lists of all their tasks."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def fill(apps, schema_editor):
    """Give what is stored the part that it belongs to, and sessions how they ended."""
    Session, Trial = apps.get_model("participants", "Session"), apps.get_model("participants", "Trial")
    Session.objects.update(assigned_at=F("started_at"))
    Session.objects.filter(status="complete").update(outcome="completed")
    Session.objects.filter(status="ended").update(outcome="dropped-out")
    for part in apps.get_model("experiments", "Part").objects.order_by("pk"):
        trials = Trial.objects.filter(session__in=Session.objects.filter(study=part.study_id), part=None)
        if part.kind == "questionnaire":
            trials.filter(phase="questions").update(part=part)
        else:
            # A study without questions today may have had some when it was a draft that was tried out.
            has_questions = part.study.parts.filter(kind="questionnaire").exists()
            (trials.exclude(phase="questions") if has_questions else trials).update(part=part)


class Migration(migrations.Migration):
    dependencies = [("participants", "0006_onset_error"), ("experiments", "0007_designs_of_parts")]

    operations = [
        migrations.AddField(
            model_name="session",
            name="group",
            field=models.CharField(
                blank=True, default="", help_text="The group of the study; empty where it has none.", max_length=60
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="session",
            name="order",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The parts that change places, by their names, in the order of this session.",
                max_length=1000,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="session",
            name="assigned_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When group, order and lists were decided; empty as long as they are not.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="session",
            name="outcome",
            field=models.CharField(
                blank=True,
                choices=[
                    ("completed", "Completed"),
                    ("screened-out", "Screened out"),
                    ("declined", "Declined"),
                    ("over-quota", "Over quota"),
                    ("failed-check", "Failed a check"),
                    ("withdrawn", "Withdrawn"),
                    ("dropped-out", "Dropped out"),
                ],
                default="",
                help_text="How it ended; empty while it runs.",
                max_length=20,
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="SessionList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="further_sessions",
                        to="experiments.stimuluslist",
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="further_lists",
                        to="participants.session",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddConstraint(
            model_name="sessionlist",
            constraint=models.UniqueConstraint(fields=("session", "list"), name="one_further_list_per_session"),
        ),
        migrations.AddField(
            model_name="trial",
            name="part",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="trials",
                to="experiments.part",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]

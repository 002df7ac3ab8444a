from django.db import migrations, models


class Migration(migrations.Migration):
    """Empty in sessions that were finished before: they are judged when they are next counted."""

    dependencies = [("participants", "0002_supervised_sessions")]

    operations = [
        migrations.AddField(
            model_name="session",
            name="planned_exclusion",
            field=models.CharField(
                blank=True,
                default=None,
                help_text=(
                    "The rule of the plan that leaves the finished session out; no value as long as nobody judged it."
                ),
                max_length=500,
                null=True,
            ),
        )
    ]

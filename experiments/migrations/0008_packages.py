from django.db import migrations, models


class Migration(migrations.Migration):
    """Which package, version and browser modules an open study runs with."""

    dependencies = [("experiments", "0007_designs_of_parts")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="packages",
            field=models.JSONField(
                blank=True,
                default=dict,
                editable=False,
                help_text="Paradigm → the package, version and browser modules that an open study runs with.",
            ),
        ),
    ]

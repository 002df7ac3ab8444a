from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("participants", "0013_session_figures"),
    ]

    operations = [
        migrations.AddField(
            model_name="response",
            name="out_of_view",
            field=models.PositiveSmallIntegerField(
                help_text="How many of the things that are timed were not in the window as a whole; empty where unknown.",
                null=True,
            ),
        ),
    ]

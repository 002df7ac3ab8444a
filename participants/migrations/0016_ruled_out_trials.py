from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("participants", "0015_drafts_and_sleep"),
    ]

    operations = [
        migrations.AddField(
            model_name="sessionfigures",
            name="ruled_out",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="sessionfigures",
            name="ruled_out_trials",
            field=models.JSONField(default=dict),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("experiments", "0025_what_texts_mention"),
    ]

    operations = [
        migrations.AddField(
            model_name='study',
            name='looked_at',
            field=models.JSONField(blank=True, default=dict, editable=False, help_text='When a researcher looked at what the study began with and left it so, by step and task.'),
        ),
    ]

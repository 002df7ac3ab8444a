from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('participants', '0014_out_of_view'),
    ]

    operations = [
        migrations.AddField(
            model_name='response',
            name='draft_restored',
            field=models.BooleanField(help_text='Whether text that was typed before the page was loaded again was put back; empty where none was.', null=True),
        ),
        migrations.AddField(
            model_name='response',
            name='page_slept_ms',
            field=models.FloatField(help_text='For how many milliseconds the page stood still during the trial; empty where it did not.', null=True),
        ),
    ]

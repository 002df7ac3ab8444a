from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('participants', '0017_parts_for_some_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='skipped_because',
            field=models.TextField(blank=True, default='', help_text='Of the parts that later answers or scores decided against: what each of them met.'),
        ),
        migrations.AddField(
            model_name='session',
            name='stage',
            field=models.PositiveSmallIntegerField(blank=True, default=None, help_text='The last stage that is decided, as long as later ones wait for answers; no value otherwise.', null=True),
        ),
    ]

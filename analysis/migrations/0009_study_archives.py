import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0008_uploaded_tables"),
        ('experiments', '0017_texts_that_follow_settings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StudyArchive',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('layout', models.CharField(max_length=10)),
                ('variant', models.CharField(max_length=10)),
                ('status', models.CharField(choices=[('queued', 'Waiting'), ('running', 'Running'), ('done', 'Finished'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('progress', models.FloatField(default=0, help_text='Share done, 0 to 1.')),
                ('progress_note', models.CharField(blank=True, max_length=200)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                ('size', models.PositiveBigIntegerField(default=0, help_text='Of the file, in bytes.')),
                ('runs', models.JSONField(default=list, help_text='The analyses whose reports it may hold.')),
                ('error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='archives', to='experiments.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
    ]

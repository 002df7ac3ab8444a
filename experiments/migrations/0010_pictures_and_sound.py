from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    dependencies = [
        ('experiments', '0009_history_names'),
    ]

    operations = [
        migrations.CreateModel(
            name='MediaFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('kind', models.CharField(choices=[('image', 'Picture'), ('audio', 'Sound')], max_length=10)),
                ('extension', models.CharField(help_text='By the content, whatever the name says.', max_length=8)),
                ('content_hash', models.CharField(db_index=True, help_text='SHA-256 of what is stored.', max_length=64)),
                ('size', models.PositiveIntegerField(help_text='Bytes.')),
                ('width', models.PositiveIntegerField(blank=True, null=True)),
                ('height', models.PositiveIntegerField(blank=True, null=True)),
                ('duration_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('licence', models.CharField(blank=True, help_text='Who made it, and what others may do with it; goes with every export.', max_length=300)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='media_files', to='experiments.study')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.AddConstraint(
            model_name='mediafile',
            constraint=models.UniqueConstraint(fields=('study', 'name'), name='one_media_file_per_name'),
        ),
    ]

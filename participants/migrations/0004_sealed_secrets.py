"""Cookies, start keys, codes and recruitment ids become hashes and sealed copies; what people hold keeps its meaning."""

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import migrations, models

ROWS = 1_000


def seal_what_is_there(apps, schema_editor):
    """Hash and seal every secret, and overwrite the text that stood there."""
    if schema_editor.connection.vendor == "sqlite":
        # What is overwritten is not to stay readable in the free pages of the file.
        schema_editor.execute("PRAGMA secure_delete=ON")

    def key(purpose):
        return hashlib.sha256(f"lectern {purpose} {settings.CODES_KEY}".encode()).digest()

    box = Fernet(base64.urlsafe_b64encode(key("seal")))

    def digest(text):
        return hashlib.sha256(text.encode()).hexdigest()

    def keyed(text):
        return hmac.new(key("digest"), text.encode(), hashlib.sha256).hexdigest()

    # The old column, the new ones, how it is hashed, and whether it has to be opened again.
    secrets = {
        "Participant": [("withdrawal_code", digest, True)],
        "RecruitmentIdentity": [("external_id", keyed, True)],
        "Session": [("token", digest, True), ("start_key", digest, False)],
        "SessionCode": [("code", keyed, True), ("release_code", None, True)],
    }
    for name, columns in secrets.items():
        model = apps.get_model("participants", name)
        last = 0
        while rows := list(model.objects.filter(pk__gt=last).order_by("pk")[:ROWS]):
            changed = set()
            for row in rows:
                for column, hashed, is_sealed in columns:
                    text = getattr(row, column)
                    values = {column: str(row.pk)}
                    if hashed is not None:
                        values[f"{column}_hash"] = hashed(text)
                    if is_sealed:
                        values[f"{column}_sealed"] = box.encrypt(text.encode()).decode("ascii")
                    for field, value in values.items():
                        setattr(row, field, value)
                    changed |= set(values)
            model.objects.bulk_update(rows, sorted(changed), batch_size=100)
            last = rows[-1].pk


def hash_field(**options):
    return models.CharField(max_length=64, **options)


class Migration(migrations.Migration):
    dependencies = [
        ("participants", "0003_planned_exclusion"),
    ]

    operations = [
        migrations.CreateModel(
            name="WriteProbe",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("written_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField("participant", "withdrawal_code_hash", hash_field(null=True)),
        migrations.AddField("participant", "withdrawal_code_sealed", models.TextField(default=""), preserve_default=False),
        migrations.AddField("recruitmentidentity", "external_id_hash", hash_field(null=True)),
        migrations.AddField("recruitmentidentity", "external_id_sealed", models.TextField(default=""), preserve_default=False),
        migrations.AddField("session", "token_hash", hash_field(null=True)),
        migrations.AddField("session", "token_sealed", models.TextField(default=""), preserve_default=False),
        migrations.AddField("session", "start_key_hash", hash_field(null=True)),
        migrations.AddField("sessioncode", "code_hash", hash_field(null=True)),
        migrations.AddField("sessioncode", "code_sealed", models.TextField(default=""), preserve_default=False),
        migrations.AddField("sessioncode", "release_code_sealed", models.TextField(default=""), preserve_default=False),
        migrations.RunPython(seal_what_is_there, elidable=False),
        migrations.RemoveConstraint("recruitmentidentity", "one_participant_per_external_id"),
        migrations.RemoveConstraint("session", "one_session_per_start_key"),
        migrations.RemoveConstraint("sessioncode", "one_session_per_code"),
        migrations.RemoveField("participant", "withdrawal_code"),
        migrations.RemoveField("recruitmentidentity", "external_id"),
        migrations.RemoveField("session", "token"),
        migrations.RemoveField("session", "start_key"),
        migrations.RemoveField("sessioncode", "code"),
        migrations.RemoveField("sessioncode", "release_code"),
        migrations.AlterField("participant", "withdrawal_code_hash", hash_field(unique=True)),
        migrations.AlterField("recruitmentidentity", "external_id_hash", hash_field()),
        migrations.AlterField("session", "token_hash", hash_field(unique=True)),
        migrations.AlterField(
            "session",
            "start_key_hash",
            hash_field(help_text="Of the key that the page made which was open; makes Start idempotent."),
        ),
        migrations.AlterField("sessioncode", "code_hash", hash_field()),
        migrations.AddConstraint(
            "recruitmentidentity",
            models.UniqueConstraint(
                fields=["study", "source", "external_id_hash"], name="one_participant_per_external_id"
            ),
        ),
        migrations.AddConstraint(
            "session",
            models.UniqueConstraint(fields=["study", "start_key_hash"], name="one_session_per_start_key"),
        ),
        migrations.AddConstraint(
            "sessioncode",
            models.UniqueConstraint(fields=["study", "code_hash"], name="one_session_per_code"),
        ),
    ]

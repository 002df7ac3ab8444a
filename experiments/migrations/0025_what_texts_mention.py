"""Texts keep which parts they mention. What was edited before counts as mentioning all that its study has now."""

from django.db import migrations, models

# Instructions are about one task and mention no parts.
KINDS = ("welcome", "consent", "debriefing")


def mention_what_there_is(apps, schema_editor):
    """Edited texts of drafts mention every part that their study has, under any of its settings (`name:*`)."""
    text_model = apps.get_model("experiments", "StudyText")
    part_model = apps.get_model("experiments", "Part")
    edited = text_model.objects.filter(kind__in=KINDS, is_default=False)
    keys = {}
    for study, name in part_model.objects.order_by("position", "pk").values_list("study", "name"):
        keys.setdefault(study, []).append(f"{name}:*")
    for text in edited.iterator(chunk_size=500):
        text.mentions = [*keys.get(text.study_id, ()), "@*"]
        text.save(update_fields=["mentions"])


class Migration(migrations.Migration):
    dependencies = [("experiments", "0022_parts_for_some_people")]

    operations = [
        migrations.AddField(
            model_name="studytext",
            name="mentions",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Of an edited text: keys of what parts and sources declare that it is known to mention.",
            ),
        ),
        migrations.RunPython(mention_what_there_is, migrations.RunPython.noop, elidable=True),
    ]

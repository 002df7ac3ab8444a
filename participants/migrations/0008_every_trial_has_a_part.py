"""No trial without a part."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("participants", "0007_parts")]

    operations = [
        migrations.AlterField(
            model_name="trial",
            name="part",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="trials",
                to="experiments.part",
            ),
        ),
    ]

"""Whether the platform's keys open what is sealed in the database: codes, cookies and recruitment ids."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db.models import Model

from experiments.models import Study
from participants.sealing import opened

_ROWS = 2_000
_ENDING = "_sealed"


def sealed_fields() -> Iterator[tuple[type[Model], str]]:
    """Yield every field that holds a sealed value, with its model: by convention its name ends in `_sealed`."""
    for model in apps.get_app_config("participants").get_models():
        for field in model._meta.get_fields():
            if field.name.endswith(_ENDING):
                yield model, field.name


def sealed_values_open(study: Study) -> list[str]:
    """I11: the present CODES_KEY opens every sealed value. Return one sentence for each field with others."""
    faults = []
    for model, field in sealed_fields():
        number = lost = 0
        rows = model._default_manager.filter(study=study).exclude(**{field: ""}).values_list(field, flat=True)
        for sealed in rows.iterator(chunk_size=_ROWS):
            number += 1
            lost += not opened(sealed)
        if lost:
            what = f"{field.removesuffix(_ENDING).replace('_', ' ')} of {model._meta.verbose_name_plural}"
            faults.append(
                f"{lost} of {number} sealed values cannot be read ({what}): they were sealed with another CODES_KEY "
                "than the present one. Put that key back."
            )
    return faults

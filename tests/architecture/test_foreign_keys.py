"""Foreign keys obey the layers too: string references escape the import linter."""

import pytest
from django.apps import apps

LAYERS = ["experiments", "participants", "analysis"]


@pytest.mark.parametrize("label", LAYERS)
def test_a_foreign_key_points_to_its_own_layer_or_one_below(label: str) -> None:
    allowed = {*LAYERS[: LAYERS.index(label) + 1], "auth"}
    relations = [
        (model.__name__, field.name, field.related_model._meta.app_label)
        for model in apps.get_app_config(label).get_models()
        for field in model._meta.get_fields()
        if field.is_relation and field.concrete
    ]
    assert relations, f"{label} has no relations: this test looks at the wrong place"
    assert [relation for relation in relations if relation[2] not in allowed] == []

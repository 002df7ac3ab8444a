"""Schema components shared by several endpoints."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from experiments.languages import PARAMETER
from experiments.paradigms import PARADIGMS
from participants.api.serializers import Problem
from participants.limits.throttling import SIMULATION_HEADER

LANGUAGE_PARAMETER = OpenApiParameter(
    PARAMETER,
    OpenApiTypes.STR,
    required=False,
    description="One of the languages of the study; any other is the main one. A session stays in that of its start.",
)
SIMULATION_PARAMETER = OpenApiParameter(
    SIMULATION_HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=False,
    description="For the command `simulate`: an HMAC that only this platform can make.",
)


def problems(*codes: str) -> OpenApiResponse:
    """Return the description of a refusal with the codes it can have."""
    return OpenApiResponse(Problem, f"Not done. Codes: {', '.join(f'`{code}`' for code in codes)}.")


def database_trouble() -> OpenApiResponse:
    """Return the description of the answer while the database cannot be reached or is full."""
    return OpenApiResponse(
        Problem, "Nothing was stored; send the same again after `Retry-After` seconds. Code: `database-trouble`."
    )


class PayloadSchema(OpenApiSerializerFieldExtension):
    """The payload of a result: one shape for each plugin of each paradigm, so that a new one is described as well."""

    target_class = "participants.api.trial_serializers.Payload"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        shapes = {
            plugin: auto_schema.resolve_serializer(serializer_class, direction)
            for paradigm in PARADIGMS
            for plugin, serializer_class in paradigm.responses.items()
        }
        named = ", ".join(f"`{plugin}`: {component.name}" for plugin, component in sorted(shapes.items()))
        unique = {component.name: component.ref for component in shapes.values()}
        return {"anyOf": [unique[name] for name in sorted(unique)], "description": f"By plugin of the trial: {named}."}

"""Pieces of the schema that several endpoints share."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from participants.serializers import Problem
from participants.throttling import SIMULATION_HEADER

SIMULATION_PARAMETER = OpenApiParameter(
    SIMULATION_HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=False,
    description="For `manage.py simulate`: an HMAC that only this platform can make.",
)


def problems(*codes: str) -> OpenApiResponse:
    """Return the description of a refusal with the codes it can have."""
    return OpenApiResponse(Problem, f"Not done. Codes: {', '.join(f'`{code}`' for code in codes)}.")


def database_trouble() -> OpenApiResponse:
    """Return the description of the answer while the database cannot be reached or is full."""
    return OpenApiResponse(
        Problem, "Nothing was stored; send the same again after `Retry-After` seconds. Code: `database-trouble`."
    )

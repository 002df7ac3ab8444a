"""The address of the OpenAPI document, which everybody may read: it says nothing of any study."""

from __future__ import annotations

from functools import cache

import orjson
from django.http import HttpRequest, HttpResponse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from config.api.schema.document import document


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI 3.1 document of the API as JSON."""
    return HttpResponse(_written(), content_type="application/json", headers={"Cache-Control": "max-age=300"})


@cache
def _written() -> bytes:
    with override("en-gb"):
        return orjson.dumps(document(), default=str, option=orjson.OPT_INDENT_2)

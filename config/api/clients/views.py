"""The address of the client for R, which everybody may read: it says nothing of any study."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

FILE = Path(__file__).with_name("lectern.R")


@require_safe
def r_client(request: HttpRequest) -> HttpResponse:
    """Return the client for R as a file to download."""
    headers = {"Cache-Control": "max-age=300", "Content-Disposition": 'attachment; filename="lectern.R"'}
    return HttpResponse(_written(), content_type="text/plain; charset=utf-8", headers=headers)


@cache
def _written() -> bytes:
    return FILE.read_bytes()

"""Serve the documentation at /docs/, or a hint if `make docs` has not built it, and the schema of study files."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils._os import safe_join
from django.utils.cache import patch_cache_control
from django.views.decorators.http import condition, require_safe
from django.views.static import serve

from experiments.started_by import is_installed
from experiments.study_files.schema import written_schema


@cache
def _schema() -> bytes:
    return written_schema().encode()


@cache
def _etag_of_schema() -> str:
    return f'"{hashlib.sha256(_schema()).hexdigest()}"'


@require_safe
@condition(etag_func=lambda _request: _etag_of_schema())
def study_file_schema(request: HttpRequest) -> HttpResponse:
    """Answer with the JSON Schema of study files. It says nothing about any study, so nobody needs to log in."""
    answer = HttpResponse(_schema(), content_type="application/schema+json")
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


@require_safe
def document(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """Return a page or file of the documents. What lies outside their folder is not there for anybody."""
    folder: Path = settings.DOCS_DIR
    if not (folder / "index.html").is_file():
        how = {"is_installed": is_installed()}
        return render(request, "documents_missing.html", how, status=404)
    try:
        found = Path(safe_join(folder, path))
    except (SuspiciousFileOperation, ValueError) as error:
        raise Http404 from error
    if found.is_dir():
        if path and not path.endswith("/"):
            return HttpResponsePermanentRedirect(reverse("document", args=[f"{path}/"]))
        path = f"{path}index.html"
    answer: FileResponse | HttpResponse = serve(request, path, document_root=str(folder))
    if path.endswith((".md", ".txt")):
        answer["Content-Type"] = f"text/{'markdown' if path.endswith('.md') else 'plain'}; charset=utf-8"
    # Revalidated each time, so that browsers never show the documents of the previous version.
    patch_cache_control(answer, no_cache=True)
    return answer

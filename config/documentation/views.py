"""Serve the documentation at /docs/ to everybody, or a hint if `make docs` has not built it."""

from __future__ import annotations

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
from django.views.decorators.http import require_safe
from django.views.static import serve


@require_safe
def document(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """Return a page or file of the documents. What lies outside their folder is not there for anybody."""
    folder: Path = settings.DOCS_DIR
    if not (folder / "index.html").is_file():
        return render(request, "documents_missing.html", status=404)
    try:
        found = Path(safe_join(folder, path))
    except (SuspiciousFileOperation, ValueError) as error:
        raise Http404 from error
    if found.is_dir():
        if path and not path.endswith("/"):
            return HttpResponsePermanentRedirect(reverse("document", args=[f"{path}/"]))
        path = f"{path}index.html"
    answer: FileResponse | HttpResponse = serve(request, path, document_root=str(folder))
    # Revalidated each time, so that browsers never show the documents of the previous version.
    patch_cache_control(answer, no_cache=True)
    return answer

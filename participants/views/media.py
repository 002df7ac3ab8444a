"""Serve the media of a study to browsers of participants and researchers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from experiments.media.storage import content_type_of, stored_name
from experiments.models import MediaFile, Study
from participants.authentication import may_preview

# The content behind a URL never changes. Cached by the browser but by no shared cache: people who may
# not read it any more must not get it from a cache of others.
CACHED = "private, max-age=31536000, immutable"
_PIECE = 64 * 1024
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


@require_safe
def media(request: HttpRequest, slug: str, content_hash: str, extension: str) -> HttpResponseBase:
    """Answer with a file of a study that is open, or that somebody may preview; 404 for everybody else.

    The address holds the hash of the content, which nobody guesses who was not shown it.
    """
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise Http404
    rows = list(MediaFile.objects.filter(study=study, content_hash=content_hash, extension=extension))
    # Pages say with the logo that a study is closed.
    is_shown = study.status == Study.Status.OPEN or (
        study.is_frozen and study.look.get("logo") in {r.name for r in rows}
    )
    if not rows or not (is_shown or may_preview(request, study)):
        raise Http404
    row = rows[0]
    try:
        file = default_storage.open(stored_name(content_hash, extension))
    except FileNotFoundError as lost:
        raise Http404 from lost
    asked = _asked(request.headers.get("Range", ""), row.size)
    headers = {
        "Accept-Ranges": "bytes",
        "Cache-Control": CACHED,
        "Content-Type": content_type_of(extension),
        # Opened by itself, it is a file and no page.
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "same-origin",
        "ETag": f'"{content_hash}"',
        "X-Content-Type-Options": "nosniff",
    }
    if asked is None:
        file.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{row.size}"})
    first, last = asked
    headers["Content-Length"] = str(last - first + 1)
    status = 200
    if request.headers.get("Range"):
        status = 206
        headers["Content-Range"] = f"bytes {first}-{last}/{row.size}"
    if request.method == "HEAD":
        file.close()
        return HttpResponse(status=status, headers=headers)
    return StreamingHttpResponse(_pieces(file, first, last), status=status, headers=headers)


def _asked(header: str, size: int) -> tuple[int, int] | None:
    """Return the first and the last byte that a request asks for; None where there are no such bytes.

    Several ranges at once, or other units, get the whole file, as RFC 9110 lets a server do.

    >>> _asked("bytes=0-1", 10), _asked("bytes=-3", 10), _asked("bytes=4-", 10), _asked("bytes=10-", 10), _asked("", 10)
    ((0, 1), (7, 9), (4, 9), None, (0, 9))
    """
    found = _RANGE.fullmatch(header)
    if found is None or found[0] == "bytes=-":
        return 0, size - 1
    if not found[1]:
        wanted = int(found[2][:12])
        return (max(0, size - wanted), size - 1) if wanted else None
    first, last = int(found[1][:12]), int(found[2][:12]) if found[2] else size - 1
    return (first, min(last, size - 1)) if first < size and first <= last else None


def _pieces(file: File[bytes], first: int, last: int) -> Iterator[bytes]:
    with file:
        file.seek(first)
        left = last - first + 1
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            left -= len(piece)
            yield piece

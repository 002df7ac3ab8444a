"""Pictures, sounds and videos of a study."""

from __future__ import annotations

from typing import Any

from django.http import Http404

from config.api.declarations import READ, WRITE, ZIP, Answer, Call, Operation, Upload
from config.api.fields import Asked, Shape, Text, Whole
from config.api.operations.shapes import Said, said
from config.api.paging import Page, page_of, paged
from experiments.media.kinds import BY_EXTENSION, MAX_UPLOAD_BYTES
from experiments.media.storage import content_of, content_type_of
from experiments.models import MediaFile
from experiments.study.lifecycle import FrozenStudy
from experiments.study.media import add_files, read_uploaded_files, take_files

TYPES = tuple(sorted({kind.content_type for kind in BY_EXTENSION.values()}))
OCTETS = "application/octet-stream"


class Origin(Asked):
    """Whose the files are."""

    licence = Text(required=False, max_length=300, help_text="Author and licence; it goes with every export.")


class MediaShape(Shape):
    """One file."""

    name = Text()
    kind = Text(help_text="`image`, `audio` or `video`.")
    size = Whole(help_text="In bytes.")
    width = Whole(allow_null=True)
    height = Whole(allow_null=True)
    duration_ms = Whole(allow_null=True)
    licence = Text(allow_blank=True)
    sha256 = Text()
    url = Text()


class StoredMedia(Shape):
    """The files that were stored."""

    items = MediaShape(many=True)
    warnings = Said(many=True)


def shown(call: Call, file: MediaFile) -> dict[str, Any]:
    """Return a file as `MediaShape` has it."""
    return {
        **{name: getattr(file, name) for name in ("name", "kind", "size", "width", "height", "licence")},
        "duration_ms": None if file.duration_ms is None else round(file.duration_ms),
        "sha256": file.content_hash,
        "url": call.address(f"/api/v1/studies/{call.study.slug!s}/media/{file.name}"),
    }


def list_media(call: Call) -> Answer:
    """The files of the study."""
    return paged(call, MediaFile.objects.filter(study=call.study), lambda file: shown(call, file))


def get_media(call: Call) -> Answer:
    """One file as it is stored: without who, where and when it was made."""
    file = _file(call)
    return Answer(content=content_of(file), content_type=content_type_of(file.extension), name=file.name)


def read(call: Call) -> Any:
    """Read what was sent, in a process of its own. Raises MediaFaults and Busy."""
    if call.study.is_frozen:
        raise FrozenStudy(call.study)
    return read_uploaded_files([(call.path.get("name", "files.zip"), call.body)])


def store(call: Call) -> Answer:
    """Store files; one whose name is there already gets the new content."""
    checked = call.prepared
    add_files(call.study, checked, call.user, licence=call.query.get("licence", ""))
    names = [file.name for file in checked.files]
    stored = MediaFile.objects.filter(study=call.study, name__in=names).order_by("name")
    return Answer({"items": [shown(call, file) for file in stored], "warnings": said(list(checked.warnings))})


def delete_media(call: Call) -> Answer:
    """Remove a file of a draft."""
    take_files(call.study, [_file(call).name], call.user)
    return Answer(status=204)


def _file(call: Call) -> MediaFile:
    found = MediaFile.objects.filter(study=call.study, name=call.path["name"]).first()
    if found is None:
        raise Http404
    return found


_AT = "studies/{slug}/media/"
OPERATIONS = (
    Operation(
        "list_media", "GET", _AT, "List pictures, sounds and videos", list_media,
        query=Page, gives=page_of(MediaShape, "files"), headers=("Link",),
    ),
    Operation(
        "add_media", "POST", _AT, "Store the files of a ZIP archive", store,
        scopes=(READ, WRITE), role="editor", query=Origin, upload=Upload((ZIP,), MAX_UPLOAD_BYTES), gives=StoredMedia,
        status=201, prepare=read, creates=True,
    ),
    Operation(
        "get_media", "GET", f"{_AT}{{name}}", "Download a file", get_media, gives=TYPES,
    ),
    Operation(
        "put_media", "PUT", f"{_AT}{{name}}", "Store one file", store,
        scopes=(READ, WRITE), role="editor", query=Origin, upload=Upload((*TYPES, OCTETS), MAX_UPLOAD_BYTES),
        gives=StoredMedia, prepare=read, description="What the file is, is told by its content.",
    ),
    Operation(
        "delete_media", "DELETE", f"{_AT}{{name}}", "Remove a file of a draft", delete_media,
        scopes=(READ, WRITE), role="editor", status=204,
    ),
)  # fmt: skip

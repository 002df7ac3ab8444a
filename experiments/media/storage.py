"""Store media files under the hash of their content, with one database row for each name in a study.

The same content is stored once for all studies, and deleted when no study names it any more.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.urls import reverse

from experiments.media.checking import CheckedFile
from experiments.media.kinds import BY_EXTENSION
from experiments.models import MediaFile, Study

FOLDER = "studies"


def stored_name(content_hash: str, extension: str) -> str:
    """Return the path of a content in the storage.

    >>> stored_name("ab12", "png")
    'studies/ab/ab12.png'
    """
    return f"{FOLDER}/{content_hash[:2]}/{content_hash}.{extension}"


def store_files(study: Study, files: Sequence[CheckedFile], *, licence: str = "") -> list[MediaFile]:
    """Store checked files of a study. A name that already exists gets the new content.

    Runs in a transaction. The content is written first, so that a row never names a missing file.
    """
    replaced = list(MediaFile.objects.filter(study=study, name__in=[file.name for file in files]))
    rows = []
    for file in files:
        _keep(file)
        row, _created = MediaFile.objects.update_or_create(
            study=study,
            name=file.name,
            defaults={
                "kind": file.kind,
                "extension": file.extension,
                "content_hash": file.content_hash,
                "size": len(file.data),
                "width": file.width,
                "height": file.height,
                "duration_ms": file.duration_ms,
                "has_sound": file.has_sound,
                "licence": licence or file.licence,
            },
        )
        rows.append(row)
    forget_unused((row.content_hash, row.extension) for row in replaced)
    # Another study may have dropped the same content meanwhile.
    transaction.on_commit(lambda: _keep_all(files))
    return rows


def _keep_all(files: Sequence[CheckedFile]) -> None:
    for file in files:
        _keep(file)


def _keep(file: CheckedFile) -> None:
    name = stored_name(file.content_hash, file.extension)
    if not default_storage.exists(name):
        default_storage.save(name, ContentFile(file.data))


def remove_files(study: Study, names: Iterable[str] | None = None) -> list[str]:
    """Remove the named files of a study (by default all) and return their names. Runs in a transaction."""
    rows = MediaFile.objects.filter(study=study)
    if names is not None:
        rows = rows.filter(name__in=list(names))
    gone = list(rows.values_list("name", "content_hash", "extension"))
    rows.delete()
    forget_unused((content_hash, extension) for _name, content_hash, extension in gone)
    return [name for name, _hash, _extension in gone]


def forget_unused(contents: Iterable[tuple[str, str]]) -> None:
    """Delete those of the contents, given as (hash, extension), that no study names when the transaction commits."""
    wanted = set(contents)

    def delete() -> None:
        for content_hash, extension in wanted:
            if not MediaFile.objects.filter(content_hash=content_hash, extension=extension).exists():
                default_storage.delete(stored_name(content_hash, extension))

    if wanted:
        transaction.on_commit(delete)


def copy_files(source: Study, target: Study, only: Container[str] | None = None) -> None:
    """Give one study the files of another, or `only` those with these names; the stored content is shared."""
    names = (
        "name",
        "kind",
        "extension",
        "content_hash",
        "size",
        "width",
        "height",
        "duration_ms",
        "has_sound",
        "licence",
    )
    MediaFile.objects.bulk_create(
        MediaFile(study=target, **{name: getattr(row, name) for name in names})
        for row in files_of(source)
        if only is None or row.name in only
    )


def files_of(study: Study) -> list[MediaFile]:
    """Return the files of a study by their names."""
    return list(MediaFile.objects.filter(study=study).order_by("name"))


def content_of(row: MediaFile) -> bytes:
    """Return the content of a file. Raises FileNotFoundError if the storage has lost it."""
    with default_storage.open(stored_name(row.content_hash, row.extension)) as file:
        content: bytes = file.read()
        return content


def media_facts(study: Study) -> dict[str, Mapping[str, Any]]:
    """Return what a trial needs of each file, by its name: URL, and size in pixels, duration."""
    facts: dict[str, Mapping[str, Any]] = {}
    for row in files_of(study):
        address = reverse("participants:media", args=[study.slug, row.content_hash, row.extension])
        about: dict[str, Any] = {"kind": row.kind, "url": address}
        if row.kind != "audio":
            about |= {"width": row.width, "height": row.height}
        if row.kind != "image":
            about |= {"duration_ms": row.duration_ms}
        if row.kind == "video":
            about |= {"has_sound": row.has_sound}
        facts[row.name] = about
    return facts


def content_type_of(extension: str) -> str:
    """Return the MIME type of a stored file."""
    return BY_EXTENSION[extension].content_type

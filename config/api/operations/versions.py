"""Versions of materials: the list, one of them, what differs between two, and the way back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from config.api.declarations import CSV, READ, WRITE, Answer, Call, Operation
from config.api.fields import Choice, Shape, Text, Truth, Whole
from config.api.operations.materials import HowMaterials, state
from config.api.operations.shapes import OfTask
from config.api.paging import Page, page_of, paged, paged_list
from config.api.problems import Problem, at, not_found
from experiments.materials import materials_csv
from experiments.materials.versions.comparing import ADDED, CHANGED, REMOVED, compared
from experiments.models import MaterialsVersion
from experiments.study.versions.going_back import go_back, version_numbered
from experiments.study.versions.kept import MOST_NOTE, current_version, design_of_version, versions_of

MOST_NUMBER = 10**6
NO_VERSION = "There is no such version of the materials; the list of versions has their numbers."


class ColumnCount(Shape):
    """A column and in how many changed texts it differs."""

    column = Text()
    texts = Whole()


class MaterialsChangeShape(Shape):
    """What a version changed, in numbers."""

    added = Whole(help_text="Texts, which are an item in a condition.")
    removed = Whole()
    changed = Whole()
    columns = ColumnCount(many=True, help_text="Columns of the changed texts.")
    mapping = Whole(help_text="Columns of the table that were read differently.")
    factors = Truth(help_text="Whether factors or their levels differ.")
    order = Truth(help_text="Whether items come in another order.")
    choices = Truth(help_text="Whether the table was read in other steps, or with other corrections.")


class MaterialsVersionShape(Shape):
    """One version of the materials."""

    version = Whole()
    is_current = Truth()
    saved_at = serializers.DateTimeField()
    saved_by = Text(allow_null=True, help_text="The account; null for commands and erased accounts.")
    kind = Choice(choices=MaterialsVersion.Kind.choices, help_text="How it was made.")
    detail = Text(allow_blank=True, help_text="The file, the item, the column or the version that it came from.")
    note = Text(allow_blank=True)
    items = Whole(help_text="Without fillers and practice.")
    texts = Whole()
    opened_at = serializers.DateTimeField(allow_null=True, help_text="When the study was opened with it.")
    sha256 = Text(help_text="Of what it contains: versions with the same are the same.")
    change = MaterialsChangeShape(allow_null=True, help_text="What it changed; null for the first version.")


class DifferingCell(Shape):
    """A cell that differs."""

    column = Text()
    before = Text(allow_blank=True)
    after = Text(allow_blank=True)


class DifferingText(Shape):
    """A text that differs: an item in a condition."""

    change = Choice(choices=[(name, name) for name in (ADDED, REMOVED, CHANGED)])
    item = Text()
    condition = Text(allow_blank=True, help_text="Its levels, joined by colons; empty without a condition.")
    cells = DifferingCell(many=True)


class MaterialsDifference(Shape):
    """What differs between two versions: the whole in numbers, and a page of the texts."""

    before = Whole()
    after = Whole()
    change = MaterialsChangeShape()
    mapping = DifferingCell(many=True, help_text="Columns of the table that were read differently.")
    items = DifferingText(many=True, help_text="In the order of the later materials, then those that were removed.")
    next_cursor = Text(allow_null=True, help_text="Where the next page begins; null on the last one.")
    next = Text(allow_null=True, help_text="The address of the next page; null on the last one.")


class WhichPage(OfTask, Page):
    """Which page of the list of versions, and of which task."""


class Since(OfTask, Page):
    """With which version it is compared, and which page of the texts is meant."""

    since = Whole(
        required=False, min_value=1, max_value=MOST_NUMBER, help_text="A version; the one kept before if left out."
    )


class Restored(Shape):
    """What is written about the version that is made."""

    note = Text(required=False, allow_blank=True, max_length=MOST_NOTE)


def shown_change(change: dict[str, Any]) -> dict[str, Any]:
    """Return what `MaterialsChangeShape` has."""
    columns = [{"column": name, "texts": number} for name, number in change["columns"].items()]
    return {**change, "columns": columns}


def shown(version: MaterialsVersion, newest: int) -> dict[str, Any]:
    """Return a version as `MaterialsVersionShape` has it."""
    return {
        "version": version.number,
        "is_current": version.number == newest,
        "saved_at": version.created_at,
        "saved_by": version.created_by.get_username() if version.created_by else None,
        "kind": version.kind,
        "detail": version.detail,
        "note": version.note,
        "items": version.n_items,
        "texts": version.n_texts,
        "opened_at": version.opened_at,
        "sha256": version.content.digest,
        "change": shown_change(version.change) if version.change else None,
    }


def list_versions(call: Call) -> Answer:
    """The versions of the materials of a task, the newest first."""
    versions = versions_of(call.study).select_related("content").defer("content__packed")
    newest = _newest(call)
    return paged(call, versions, lambda one: shown(one, newest), newest_first=True)


def get_version(call: Call) -> Answer:
    """One version."""
    return Answer(shown(_version(call), _newest(call)))


def get_table(call: Call) -> Answer:
    """The materials of a version as a table."""
    version = _version(call)
    text = materials_csv(design_of_version(version), excel=call.query.get("excel", False))
    return Answer(
        content=text.encode("utf-8"),
        content_type=CSV,
        name=f"{call.study.slug}-materials-version-{version.number}.csv",
    )


def get_difference(call: Call) -> Answer:
    """What differs between a version and an earlier or later one."""
    after = _version(call)
    since = call.query.get("since")
    if since is None:
        earlier = versions_of(call.study).filter(number__lt=after.number).values_list("number", flat=True).first()
        if earlier is None:
            raise Problem("invalid", "No version before this one is kept.", [at("/since", "Name a version here.")])
        since = earlier
    before = _numbered(call, since)
    found = compared(design_of_version(before), design_of_version(after))
    page = paged_list(call, found.texts, asdict)
    whole = {
        "before": before.number,
        "after": after.number,
        "change": shown_change(found.plain),
        "mapping": [asdict(cell) for cell in found.mapping],
    }
    return Answer({**whole, **page.data}, headers=page.headers)


def restore_version(call: Call) -> Answer:
    """Store the materials of an earlier version again, as the newest version."""
    version = _version(call)
    made = go_back(call.study, version.number, call.user, note=call.body.get("note", "") if call.body else "")
    return Answer(shown(made, made.number))


def _newest(call: Call) -> int:
    newest = current_version(call.study.task)
    return newest.number if newest else 0


def _version(call: Call) -> MaterialsVersion:
    said = call.path["version"]
    if not (said.isascii() and said.isdigit() and len(said) <= 7):
        raise not_found(NO_VERSION)
    return _numbered(call, int(said))


def _numbered(call: Call, number: int) -> MaterialsVersion:
    try:
        return version_numbered(call.study, number)
    except LookupError as missing:
        raise not_found(NO_VERSION) from missing


_AT = "studies/{slug}/materials/versions/"
OPERATIONS = (
    Operation(
        "list_materials_versions", "GET", _AT, "List the versions of the materials", list_versions,
        query=WhichPage, gives=page_of(MaterialsVersionShape, "versions"),
        description="Every change of the materials is kept as a version, up to a bound; the newest comes first.",
    ),
    Operation(
        "get_materials_version", "GET", f"{_AT}{{version}}/", "Read what is known of a version", get_version,
        query=OfTask, gives=MaterialsVersionShape,
    ),
    Operation(
        "get_materials_version_table", "GET", f"{_AT}{{version}}/materials.csv", "Read the materials of a version",
        get_table, query=HowMaterials, gives=(CSV,), description="As a table that can be stored again.",
    ),
    Operation(
        "get_materials_difference", "GET", f"{_AT}{{version}}/difference/", "Compare a version with another",
        get_difference, query=Since, gives=MaterialsDifference,
        description="By item, condition and column: texts that were added, removed or changed.",
    ),
    Operation(
        "restore_materials_version", "POST", f"{_AT}{{version}}/restore/", "Go back to a version of the materials",
        restore_version, scopes=(READ, WRITE), role="editor", query=OfTask, body=Restored, is_body_optional=True,
        gives=MaterialsVersionShape, state=state,
        description="The materials of a draft become those of the version again, as a new version; none is removed. "
        "If-Match names the ETag of the materials.",
    ),
)  # fmt: skip

"""Materials: the table of a task, and the lists that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from config.api.declarations import CSV, READ, WRITE, Answer, Call, Operation, Upload
from config.api.fields import Shape, Text, Truth, Whole
from config.api.operations.shapes import OfTask, Said, said
from config.api.problems import Problem, placed
from experiments.materials import MaterialsFaults, design_of, materials_csv
from experiments.materials.shapes import MAX_BYTES, Design
from experiments.study.lifecycle import FrozenStudy, save_design
from experiments.study.versions.kept import MOST_NOTE
from experiments.uploads.of_study import checked_table

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TABLE = Upload(("text/csv", "text/tab-separated-values", XLSX), MAX_BYTES)
NAMES = {XLSX: "materials.xlsx", "text/tab-separated-values": "materials.tsv"}


class HowMaterials(OfTask):
    """Which task is meant, and how the table is written."""

    excel = Truth(required=False, help_text="`true`: with a byte order mark and guarded cells, for spreadsheets.")


class HowRead(OfTask):
    """Which task is meant, and how the table is read."""

    repair = Truth(required=False, help_text="Take out what cannot be seen, mend letters that were encoded twice.")
    incomplete = Truth(required=False, help_text="Texts are missing on purpose.")
    accept = Truth(required=False, help_text="Store it although it may not be read as it was meant.")


class HowStored(HowRead):
    """Which task is meant, how the table is read, and what is written about the version that it becomes."""

    note = Text(required=False, allow_blank=True, max_length=MOST_NOTE, help_text="Shown in the list of versions.")


class DesignShape(Shape):
    """What a table of materials makes in the study."""

    items = Whole()
    fillers = Whole()
    practice = Whole()
    conditions = Whole()
    lists = Whole()
    warnings = Said(many=True, help_text="What was done to the table, and what is worth a look.")


@dataclass(frozen=True)
class Read:
    """A table that was read as a design."""

    design: Design


def get_materials(call: Call) -> Answer:
    """The materials as a table from which the same design can be made again."""
    text = materials_csv(design_of(call.study), excel=call.query.get("excel", False))
    return Answer(content=text.encode("utf-8"), content_type=CSV, name=f"{call.study.slug}-materials.csv")


def state(call: Call) -> bytes:
    """What of the materials is edited: their table."""
    return materials_csv(design_of(call.study)).encode("utf-8")


def read(call: Call) -> Read:
    """Read a table. Raises Problem with all faults, and with doubts that nobody has accepted."""
    if call.study.is_frozen:
        raise FrozenStudy(call.study)
    try:
        design = checked_table(
            call.study,
            call.body,
            NAMES.get(call.content_type, "materials.csv"),
            repaired=call.query.get("repair", False),
            incomplete=call.query.get("incomplete", False),
        ).design
    except MaterialsFaults as found:
        detail = "The table cannot be stored. Nothing was stored; correct what is listed and send it again."
        raise Problem("invalid", detail, [placed(fault) for fault in found.faults]) from found
    doubtful = [warning for warning in design.warnings if warning.is_doubtful]
    if doubtful and not call.query.get("accept"):
        detail = (
            "The table may not be read as it was meant. Nothing was stored; correct it, or send it with accept=true."
        )
        raise Problem("invalid", detail, [placed(fault) for fault in doubtful])
    return Read(design)


def put_materials(call: Call) -> Answer:
    """Replace the materials of a draft."""
    save_design(call.study, call.prepared.design, call.user, note=call.query.get("note", ""))
    return check_materials(call)


def check_materials(call: Call) -> Answer:
    """Say what a table makes in the study; nothing is stored."""
    design: Design = call.prepared.design
    return Answer(
        {
            "items": sum(item.is_target for item in design.items),
            "fillers": sum(item.is_filler for item in design.items),
            "practice": sum(item.is_practice for item in design.items),
            "conditions": max(1, len(design.conditions)),
            "lists": len(design.lists),
            "warnings": said(list(design.warnings)),
        }
    )


_AT = "studies/{slug}/materials/"
OPERATIONS = (
    Operation(
        "get_materials", "GET", _AT, "Read the materials", get_materials,
        query=HowMaterials, gives=(CSV,), state=state, description="As a table that can be stored again.",
    ),
    Operation(
        "put_materials", "PUT", _AT, "Replace the materials of a draft", put_materials,
        scopes=(READ, WRITE), role="editor", query=HowStored, upload=TABLE, gives=DesignShape, prepare=read,
        state=state,
        description="The table is read as on the page: columns are recognised, lists are made. It becomes a version.",
    ),
    Operation(
        "check_materials", "POST", f"{_AT}check/", "Check a table without storing it", check_materials,
        role="editor", query=HowRead, upload=TABLE, gives=DesignShape, prepare=read,
    ),
)  # fmt: skip

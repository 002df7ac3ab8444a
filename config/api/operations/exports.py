"""What leaves: every file of the export, everything as an archive, the payment list, codings and scores."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from rest_framework import serializers

from analysis.archives.kept import archives_for, ask_for_archive, is_made_at_once, opened
from analysis.archives.life import archive_files
from analysis.exports import NoSuchFile, stream, zip_pieces
from analysis.exports.cells import Variant
from analysis.exports.forms.names import LAYOUTS
from analysis.exports.sheets import sheets_of
from analysis.exports.since import CannotNarrow, NotACursor, since, watermark
from analysis.models import StudyArchive, TextScore
from analysis.views.exports.export import TYPES, archive_name
from config.api.declarations import CSV, DATA, IDENTITIES, JSON, READ, ZIP, Answer, Call, Operation
from config.api.fields import Asked, Choice, Number, Shape, Text, Truth, Whole
from config.api.paging import Page, page_of, paged
from config.api.problems import Problem, at, not_found
from experiments.study.audit import record
from participants.watching.payment import payment_csv

PIECE = 64 * 1024
OF_STUDY = {
    "codebook.csv": "Every column of every file: type, unit, meaning, allowed values.",
    "dataset_description.json": "The codebook for Psych-DS (schema.org).",
    "datapackage.json": "The codebook for Frictionless Data.",
}


class FileShape(Shape):
    """One file of the export."""

    name = Text()
    holds = Text(allow_blank=True)
    url = Text()
    can_be_narrowed = Truth(help_text="Whether it takes `since`.")


class Files(Shape):
    """The files of the export."""

    items = FileShape(many=True)


class HowFile(Asked):
    """How a file is written, and of whom."""

    excel = Truth(required=False, help_text="`true`: with a byte order mark and guarded cells, for spreadsheets.")
    since = Text(
        required=False, max_length=100, allow_blank=True,
        help_text="The header Lectern-Cursor of an earlier export: only sessions that ended since then; empty for all.",
    )  # fmt: skip


class HowArchive(Asked):
    """How an archive is laid out."""

    format = Choice(choices=list(LAYOUTS), required=False, help_text="`flat` unless told.")
    excel = Truth(required=False, help_text="`true`: CSV for spreadsheets.")


class NewArchive(Shape):
    """Which archive is to be made."""

    format = Choice(choices=list(LAYOUTS), required=False, default="flat")
    excel = Truth(required=False, default=False)


class ArchiveShape(Shape):
    """An archive that a worker makes; it is kept for a day."""

    id = Whole()
    format = Text()
    variant = Text()
    status = Choice(choices=StudyArchive.Status.choices)
    progress = Number(help_text="Share done, 0 to 1.")
    progress_note = Text(allow_blank=True)
    size = Whole(help_text="In bytes; 0 until it is made.")
    error = Text(allow_blank=True)
    created_at = serializers.DateTimeField()
    url = Text(help_text="Where it can be fetched once it is done.")


class Archives(Shape):
    """The archives that one asked for."""

    items = ArchiveShape(many=True)


class ScoreShape(Shape):
    """A score of texts."""

    name = Text(help_text="The column in exports.")
    part = Text(allow_blank=True, help_text="The task; empty for the only one.")
    provenance = Text(allow_blank=True, help_text="Where the numbers come from.")
    number_of_texts = Whole()
    stored_at = serializers.DateTimeField()


def variant_of(call: Call) -> Variant:
    """Return which variant of CSV was asked for."""
    asked = call.body if isinstance(call.body, dict) and "excel" in call.body else call.query
    return "excel" if asked.get("excel") else "plain"


def list_files(call: Call) -> Answer:
    """The files of the export with what they hold."""
    study = call.study.seen_through("")
    named = {f"{sheet.name}.csv": (str(sheet.title), sheet.narrowed is not None) for sheet in sheets_of(study)}
    named |= {name: (holds, False) for name, holds in OF_STUDY.items()}
    items = [
        {"name": name, "holds": holds, "url": call.address(f"{call.request.path}{name}"), "can_be_narrowed": can_be}
        for name, (holds, can_be) in named.items()
    ]
    return Answer({"items": items})


def one_file(call: Call) -> Answer:
    """One file, streamed: the same bytes as the page gives."""
    study, name, variant = call.study.seen_through(""), call.path["name"], variant_of(call)
    headers, detail = {}, f"{name} ({variant}), by the API"
    try:
        if "since" in call.query:
            until = watermark()
            pieces = since(study, name, call.query["since"], until, variant=variant)
            headers, detail = {"Lectern-Cursor": until}, f"{detail}, since {call.query['since'] or 'the beginning'}"
        else:
            pieces = stream(study, name, variant=variant)
    except NoSuchFile:
        raise not_found(f"The export has no file of this name; {call.address(_list(call))} lists all.") from None
    except CannotNarrow:
        fault = at("/since", f"{name} cannot be given for some sessions alone.", "Leave `since` out.")
        raise Problem("invalid", "The file takes no cursor.", [fault]) from None
    except NotACursor:
        fault = at("/since", "This is no cursor.", "Send the header Lectern-Cursor of an earlier export, or nothing.")
        raise Problem("invalid", "The cursor cannot be read.", [fault]) from None
    suffix = "." + name.rpartition(".")[2]
    record(study, action="data exported", user=call.user, detail=detail)
    return Answer(pieces=pieces, content_type=TYPES[suffix], headers=headers, name=f"{study.slug}-{name}")


def _list(call: Call) -> str:
    return f"/api/v1/studies/{call.study.slug!s}/exports/"


def everything(call: Call) -> Answer:
    """Everything as one archive: made while it is sent, or one that a worker has made."""
    study, variant = call.study.seen_through(""), variant_of(call)
    layout = call.query.get("format", "flat")
    name = archive_name(study, layout, variant)
    if is_made_at_once(study):
        _record_archive(call, layout, variant)
        pieces = zip_pieces(archive_files(study, call.user, layout=layout, variant=variant))
        return Answer(pieces=pieces, content_type=ZIP, name=name)
    for archive in archives_for(study, call.user):
        if archive.status == StudyArchive.Status.DONE and (archive.layout, archive.variant) == (layout, variant):
            return _fetched(call, archive)
    detail = f"This archive takes a while. Ask for it with POST {_list(call)}archives/, then fetch it when it is done."
    raise Problem("refused", detail)


def ask_archive(call: Call) -> Answer:
    """Have an archive made, or return the one that is being made."""
    layout, variant = call.body["format"], variant_of(call)
    made = ask_for_archive(call.study.seen_through(""), user=call.user, layout=layout, variant=variant)
    made.refresh_from_db()
    return Answer(_shown_archive(call, made))


def list_archives(call: Call) -> Answer:
    """The archives that the person asked for."""
    return Answer(
        {"items": [_shown_archive(call, one) for one in archives_for(call.study.seen_through(""), call.user)]}
    )


def one_archive(call: Call) -> Answer:
    """How far an archive is."""
    return Answer(_shown_archive(call, _archive(call)))


def fetch_archive(call: Call) -> Answer:
    """An archive that is ready."""
    return _fetched(call, _archive(call))


def _archive(call: Call) -> StudyArchive:
    for archive in archives_for(call.study.seen_through(""), call.user):
        if str(archive.pk) == call.path["archive"]:
            return archive
    raise not_found("There is no such archive of yours; archives are kept for a day.")


def _fetched(call: Call, archive: StudyArchive) -> Answer:
    if archive.status != StudyArchive.Status.DONE:
        raise Problem("refused", f"The archive is not ready: {archive.get_status_display().lower()}. Ask again later.")
    try:
        file = opened(archive)
    except OSError:
        raise not_found("The archive was deleted meanwhile; ask for it again.") from None
    _record_archive(call, archive.layout, archive.variant)
    name = archive_name(call.study, archive.layout, "excel" if archive.variant == "excel" else "plain")
    return Answer(pieces=iter(lambda: file.read(PIECE), b""), content_type=ZIP, name=name)


def _record_archive(call: Call, layout: str, variant: str) -> None:
    detail = f"everything ({layout}, {variant}), by the API"
    record(call.study, action="data exported", user=call.user, detail=detail)


def _shown_archive(call: Call, archive: StudyArchive) -> dict[str, Any]:
    return {
        "id": archive.pk,
        "format": archive.layout,
        "variant": archive.variant,
        "status": archive.status,
        "progress": archive.progress,
        "progress_note": archive.progress_note,
        "size": archive.size,
        "error": archive.error,
        "created_at": archive.created_at,
        "url": call.address(f"{_list(call)}archives/{archive.pk}.zip"),
    }


def payment(call: Call) -> Answer:
    """The list of people to pay, with their recruitment ids and without pseudonyms."""
    table, _number = payment_csv(call.study, user=call.user, detail=", by the API")
    return Answer(content=table.encode("utf-8"), content_type=CSV, name=f"{call.study.slug}-payment.csv")


def list_scores(call: Call) -> Answer:
    """The scores of texts that are stored with the study; their values are columns of the exports."""
    found = TextScore.objects.filter(study=call.study).annotate(number=Count("values"))
    return paged(
        call,
        found,
        lambda score: {
            "name": score.name,
            "part": score.part,
            "provenance": score.provenance,
            "number_of_texts": score.number,
            "stored_at": score.stored_at,
        },
    )


_OF = "studies/{slug}/exports/"
OPERATIONS = (
    Operation("list_exports", "GET", _OF, "List the files of the export", list_files, scopes=(READ, DATA), gives=Files),
    Operation(
        "get_everything", "GET", f"{_OF}all.zip", "Download everything as one archive", everything,
        scopes=(READ, DATA), query=HowArchive, gives=(ZIP,), problems=("refused",),
        description="Data, codebook, reports and manifest. Of a large study it has to be asked for first.",
    ),
    Operation(
        "get_export", "GET", f"{_OF}{{name}}", "Download one file of the export", one_file,
        scopes=(READ, DATA), query=HowFile, gives=(CSV, JSON), headers=("Lectern-Cursor",),
        description="Streamed, byte for byte what the page and `export_data` give. With `since`, the sessions that "
        "ended since an earlier export, each of them in exactly one export of the chain.",
    ),
    Operation(
        "create_archive", "POST", f"{_OF}archives/", "Ask for an archive of a large study", ask_archive,
        scopes=(READ, DATA), body=NewArchive, is_body_optional=True, gives=ArchiveShape, status=202, creates=True,
    ),
    Operation(
        "list_archives", "GET", f"{_OF}archives/", "List the archives that you asked for", list_archives,
        scopes=(READ, DATA), gives=Archives,
    ),
    Operation(
        "get_archive", "GET", f"{_OF}archives/{{archive}}/", "See how far an archive is", one_archive,
        scopes=(READ, DATA), gives=ArchiveShape,
    ),
    Operation(
        "download_archive", "GET", f"{_OF}archives/{{archive}}.zip", "Download an archive that is ready", fetch_archive,
        scopes=(READ, DATA), gives=(ZIP,), problems=("refused",),
    ),
    Operation(
        "get_payment_list", "GET", "studies/{slug}/payment.csv", "Download the list of people to pay", payment,
        scopes=(READ, DATA, IDENTITIES), role="owner", gives=(CSV,),
        description="Recruitment ids with outcome, code and times, without pseudonyms.",
    ),
    Operation(
        "list_scores", "GET", "studies/{slug}/scores/", "List the scores of texts", list_scores,
        query=Page, gives=page_of(ScoreShape, "scores"), headers=("Link",),
    ),
)  # fmt: skip

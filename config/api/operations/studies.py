"""Studies: list, make, check, read, change, delete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from rest_framework import serializers

from config.api.declarations import READ, WRITE, ZIP, Answer, Call, Fields, Operation, Upload
from config.api.fields import Asked, Choice, Shape, Table, Text, Truth, Whole
from config.api.operations.shapes import (
    Said,
    StudyShape,
    said,
    shown_study,
    study_state,
    the_study,
    usable_address,
)
from config.api.paging import Page, page_of, paged
from config.api.problems import Problem, at
from config.api.reach import studies_of
from experiments.languages import language_choices
from experiments.materials.shapes import MAX_BYTES
from experiments.models import Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.study.access import role_in
from experiments.study.lifecycle import create_study, delete_draft, opening_faults, opening_warnings, save_details
from experiments.study_files import StudyDescription, StudyFileFaults, study_archive
from experiments.study_files.archive import MAX_ARCHIVE_BYTES
from experiments.study_files.creating import (
    Verdict,
    described_in,
    described_in_json,
    is_archive,
    store_uploaded,
    verdict_on,
)
from experiments.views.forms import QUOTA_MAX, StudyFacts

ORIGIN = "the API"
ZIP_UPLOAD = Upload((ZIP,), MAX_ARCHIVE_BYTES)


class Listed(Page):
    """Which studies are listed."""

    status = Choice(choices=Study.Status.choices, required=False, help_text="Only studies in this state.")
    archived = Truth(required=False, help_text="`true`: only those in the archive; `false`: only the others.")
    search = Text(required=False, max_length=100, help_text="A part of the title, the address or a tag.")


class At(Asked):
    """Where and how a study of a file is stored."""

    slug = Text(required=False, max_length=60, help_text="Another address than the one that the file says.")


class ToRead(Shape):
    """How the files of a form are read."""

    slug = Text(required=False, max_length=60, allow_blank=True, help_text="Another address than the file says.")
    repair = Truth(required=False, help_text="Take out what cannot be seen, mend letters that were encoded twice.")
    accept = Truth(required=False, help_text="Store it although its table may not be read as it was meant.")


class NewStudy(Shape):
    """A new study: an empty draft (`slug`, `title`, `paradigm`, `language`), or a study file as JSON (`study`)."""

    slug = Text(required=False, max_length=60, help_text="Its address; of a study file: another one than it says.")
    title = Text(required=False, max_length=200)
    paradigm = Choice(choices=[paradigm.slug for paradigm in PARADIGMS], required=False)
    language = Choice(choices=[tag for tag, _name in language_choices()], required=False)
    study = Table(required=False, help_text="The keys of a study file, as TOML has them; dates as texts.")
    tables = serializers.DictField(
        child=Text(allow_blank=True), required=False,
        help_text="The tables that the study file names, such as materials.csv, as CSV by their names.",
    )  # fmt: skip
    repair = Truth(required=False, help_text="Take out what cannot be seen, mend letters that were encoded twice.")
    accept = Truth(required=False, help_text="Store it although its table may not be read as it was meant.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "study" in attrs:
            wrong = [name for name in ("title", "paradigm", "language") if name in attrs]
            if wrong:
                raise serializers.ValidationError({name: ["The study file says it; leave it out."] for name in wrong})
        else:
            lacking = [name for name in ("slug", "title", "paradigm") if name not in attrs]
            if lacking:
                raise serializers.ValidationError(
                    {name: ["This field is required without `study`."] for name in lacking}
                )
        return attrs


class VerdictShape(Shape):
    """What is to be said of a study before it is stored."""

    is_sound = Truth(help_text="Whether it can be stored as it is.")
    can_open = Truth(help_text="Whether it could be opened as it is.")
    faults = Said(many=True, help_text="What keeps it from being stored.")
    opening = Said(many=True, help_text="What keeps it from being opened.")
    warnings = Said(many=True, help_text="What is worth a look.")


class Readiness(Shape):
    """What opening asks of a study."""

    can_open = Truth()
    faults = Said(many=True, help_text="What keeps it from being opened.")
    warnings = Said(many=True, help_text="What is worth a look.")


class ChangedStudy(Shape):
    """Fields of a study to change; those that are left out stay."""

    slug = Text(required=False, max_length=60, help_text="Of a draft.")
    title = Text(required=False, max_length=200)
    description = Text(required=False, allow_blank=True)
    tags = Text(required=False, allow_blank=True, max_length=200)
    language = Choice(required=False, choices=[tag for tag, _name in language_choices()], help_text="Of a draft.")
    responsible = Text(required=False, allow_blank=True, max_length=200)
    contact = Text(required=False, allow_blank=True, max_length=254)
    estimated_minutes = Whole(required=False, allow_null=True, min_value=1, max_value=32767)
    data_protection_note = Text(required=False, allow_blank=True)
    retention_until = serializers.DateField(required=False, allow_null=True)
    erases_itself = Truth(required=False, help_text="For the owner: erase everybody on that day.")
    notice = Text(required=False, allow_blank=True, max_length=1000)
    quota = Whole(required=False, allow_null=True, min_value=1, max_value=QUOTA_MAX)


@dataclass(frozen=True)
class Given:
    """What a new study is to be made of: a description that was read, or none for an empty draft."""

    described: StudyDescription | None
    is_of_archive: bool = False
    slug: str = ""
    accepted: bool = False


def list_studies(call: Call) -> Answer:
    """The studies that the person sees and for which the token is valid, newest first."""
    found = studies_of(call.token).select_related("owner")
    if "status" in call.query:
        found = found.filter(status=call.query["status"])
    if "archived" in call.query:
        found = found.filter(archived_at__isnull=not call.query["archived"])
    if text := call.query.get("search", ""):
        found = found.filter(Q(title__icontains=text) | Q(slug__icontains=text) | Q(tags__icontains=text))
    return paged(call, found, lambda study: shown_study(call, study, role_in(call.user, study)), newest_first=True)


def read_new(call: Call) -> Given:
    """Read what a new study is made of. Raises StudyFileFaults and Busy."""
    slug = call.query.get("slug", "")
    if isinstance(call.body, bytes):
        return Given(described_in(call.body), is_archive(call.body), _address(slug))
    slug = call.body.get("slug", "") or slug
    repaired, accepted = call.body.get("repair", False), call.body.get("accept", False)
    if call.files:
        [(_name, data)], tables = call.files["file"][:1], call.files.get("materials", ())
        beside = tables[0][1] if tables else None
        return Given(described_in(data, beside, repaired=repaired), is_archive(data), _address(slug), accepted)
    if "study" not in call.body:
        return Given(None, slug=_address(slug))
    described = described_in_json(call.body["study"], call.body.get("tables", {}), repaired=repaired)
    return Given(described, slug=_address(slug), accepted=accepted)


def make_study(call: Call) -> Answer:
    """Make a draft."""
    _refuse_bound_token(call)
    study = _stored(call)
    headers = {"Location": call.address(f"/api/v1/studies/{study.slug}/")}
    return Answer(shown_study(call, Study.objects.get(pk=study.pk), "owner"), headers=headers)


def _stored(call: Call) -> Study:
    given: Given = call.prepared
    if given.described is not None:
        return store_uploaded(
            given.described,
            user=call.user,
            origin=ORIGIN,
            slug=given.slug,
            is_of_archive=given.is_of_archive,
            accepted=given.accepted,
        )
    said_of = {name: call.body[name] for name in ("title", "paradigm", "language") if name in call.body}
    first = paradigm_named(said_of["paradigm"]).settings_of_new_task(said_of.get("language", "en"))
    return create_study(user=call.user, slug=given.slug, settings=first, origin=ORIGIN, **said_of)


def validate_study(call: Call) -> Answer:
    """Say everything that is to be said of a study; nothing is stored."""
    try:
        given = read_new(call)
    except StudyFileFaults as found:
        return _verdict(Verdict(found.faults))
    if given.described is None:
        return _verdict(Verdict())
    return _verdict(verdict_on(given.described, user=call.user, slug=given.slug, is_of_archive=given.is_of_archive))


def _verdict(verdict: Verdict) -> Answer:
    is_sound = not verdict.faults
    return Answer(
        {
            "is_sound": is_sound,
            "can_open": is_sound and not verdict.opening,
            "faults": said(verdict.faults),
            "opening": said(verdict.opening),
            "warnings": said(verdict.warnings),
        }
    )


def _address(slug: str) -> str:
    """Return an address that somebody chose. Raises Problem where no study can have it."""
    if not slug:
        return ""
    return usable_address(slug.strip(), "Nothing was stored.")


def _refuse_bound_token(call: Call) -> None:
    if call.token.is_for_some_studies:
        raise Problem("not-allowed", "The token is only for some studies, so it makes none. Use another token.")


def change_study(call: Call) -> Answer:
    """Change what a study is called, who answers for it, how data are kept, and its quota."""
    study, changes = call.study.seen_through(""), dict(call.body)
    shown = {name: changes[name] for name in StudyFacts.Meta.fields if name in changes}
    further = {name: changes[name] for name in changes if name not in shown}
    if "slug" in further and further["slug"] != study.slug:
        further["slug"] = _address(further["slug"])
    if shown:
        shown = _checked_facts(call, study, shown)
    save_details(study, {**shown, **further}, call.user)
    return the_study(call)


def _checked_facts(call: Call, study: Study, changes: dict[str, Any]) -> dict[str, Any]:
    """Return changes as the form of the page checks them. Raises Problem with all faults."""
    # The form puts what it gets into its instance.
    instance = Study.objects.get(pk=study.pk)
    before = {name: getattr(instance, name) for name in StudyFacts.Meta.fields}
    form = StudyFacts({**before, **changes}, instance=instance, is_owner=call.is_owner)
    fixed = [name for name in changes if form.fields[name].disabled and changes[name] != before[name]]
    if fixed:
        faults = [at(f"/{name}", str(form.fields[name].help_text)) for name in fixed]
        raise Problem("invalid", "Not everything can be changed. Nothing was stored.", faults)
    if not form.is_valid():
        faults = [
            at(f"/{name}" if name != "__all__" else "", str(message))
            for name, messages in form.errors.items()
            for message in messages
        ]
        raise Problem("invalid", "The values are not valid. Nothing was stored; correct what is listed.", faults)
    return {name: form.cleaned_data[name] for name in changes}


def delete_study(call: Call) -> Answer:
    """Delete a draft with its materials and texts."""
    delete_draft(call.study, call.user)
    return Answer(status=204)


def readiness(call: Call) -> Answer:
    """What opening asks of the study."""
    study = call.study.seen_through("")
    faults = opening_faults(study)
    return Answer({"can_open": not faults, "faults": said(faults), "warnings": said(opening_warnings(study))})


def study_file(call: Call) -> Answer:
    """The study without people and data, as a file from which it can be made again."""
    study = call.study.seen_through("")
    return Answer(content=study_archive(study), content_type=ZIP, name=f"{study.slug}-study.zip")


_FORM = Fields(("file", "materials"), ("file",), MAX_ARCHIVE_BYTES + MAX_BYTES, ToRead)
OPERATIONS = (
    Operation(
        "list_studies", "GET", "studies/", "List studies", list_studies,
        role="anybody", query=Listed, gives=page_of(StudyShape, "studies"), headers=("Link",),
    ),
    Operation(
        "create_study", "POST", "studies/", "Make a study", make_study,
        scopes=(READ, WRITE), role="maker", query=At, body=NewStudy, upload=ZIP_UPLOAD, form=_FORM, gives=StudyShape,
        status=201, prepare=read_new, creates=True, headers=("Location",),
        description="Of a study file as JSON, of an archive as the body, of a form with the study file (`file`) and "
        "its table (`materials`), or an empty draft of one paradigm.",
    ),
    Operation(
        "validate_study", "POST", "studies/validate/", "Check a study without storing it", validate_study,
        role="maker", query=At, body=NewStudy, upload=ZIP_UPLOAD, form=_FORM, gives=VerdictShape,
        description="Takes what making a study takes. The answer is 200 also where there are faults.",
    ),
    Operation(
        "get_study", "GET", "studies/{slug}/", "Read a study", the_study,
        gives=StudyShape, state=lambda call: study_state(call.study),
    ),
    Operation(
        "change_study", "PATCH", "studies/{slug}/", "Change fields of a study", change_study,
        scopes=(READ, WRITE), role="editor", body=ChangedStudy, gives=StudyShape,
        state=lambda call: study_state(call.study),
    ),
    Operation(
        "delete_study", "DELETE", "studies/{slug}/", "Delete a draft", delete_study,
        scopes=(READ, WRITE), role="owner", status=204, state=lambda call: study_state(call.study),
        description="Only a study that was never opened.",
    ),
    Operation(
        "get_readiness", "GET", "studies/{slug}/readiness/", "Say what opening asks of a study", readiness,
        gives=Readiness,
    ),
    Operation(
        "get_study_file", "GET", "studies/{slug}/study.zip", "Download a study as a file", study_file,
        gives=(ZIP,), description="Without people and data; the same bytes as the page and `export_study` give.",
    ),
)  # fmt: skip

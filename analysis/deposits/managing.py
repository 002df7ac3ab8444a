"""What people do with the deposits of a study: begin one, try again, delete the draft; and what is tidied up."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from analysis.deposits.archive import Refused
from analysis.deposits.clients import check_host, rules_of
from analysis.deposits.filling import folder_of
from analysis.deposits.packing import Packet, arranged
from analysis.exports.deposited import LICENCES
from analysis.exports.forms.names import LAYOUTS
from analysis.models import Deposit, DepositFile
from analysis.runs.waking import wake
from experiments.models import Study
from experiments.sentences import Sentence
from experiments.study.audit import record
from participants.hooks.reaching import Unreachable, address_of

Status = Deposit.Status
ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
MOST_DEPOSITS = 20
# A token is forgotten when the draft is ready, and some time after a deposit failed.
TOKEN_KEPT = timedelta(days=30)


class CannotDeposit(ValueError):
    """Nothing was begun; `faults` are sentences for the page, all of them at once."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = list(faults)


def creators_of(text: str) -> list[dict[str, str]]:
    """Return the creators that are written one on each line: `Family, Given; ORCID; affiliation`. Raises CannotDeposit.

    >>> creators_of("Lovelace, Ada; 0000-0002-1825-0097; University of London")[0]["orcid"]
    '0000-0002-1825-0097'
    """
    found, faults = [], []
    for number, line in enumerate((one for one in text.splitlines() if one.strip()), 1):
        name, *further = (part.strip() for part in line.split(";"))
        creator = {"name": name}
        for part in further:
            plain = part.rpartition("/")[2]
            if ORCID.fullmatch(plain):
                creator["orcid"] = plain
                if not is_orcid(plain):
                    faults.append(
                        Sentence(
                            "Creators, line {n}: {orcid} is not an ORCID; its last digit does not fit the others.",
                            n=number,
                            orcid=plain,
                        )
                    )
            elif part:
                creator["affiliation"] = part
        if not name:
            faults.append(Sentence("Creators, line {n}: write the name first.", n=number))
        found.append(creator)
    if faults:
        raise CannotDeposit(faults)
    return found


def is_orcid(text: str) -> bool:
    """Return whether the last digit of an ORCID fits the others (ISO 7064, mod 11-2).

    >>> is_orcid("0000-0002-1825-0097"), is_orcid("0000-0002-1825-0098")
    (True, False)
    """
    digits = text.replace("-", "")
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    last = (12 - total % 11) % 11
    return digits[-1] == ("X" if last == 10 else str(last))


def standard_metadata(study: Study) -> dict[str, Any]:
    """Return what a study says of itself, for the form: of its newest deposit where it has one."""
    latest = Deposit.objects.filter(study=study).order_by("-pk").first()
    of_study = {
        "title": study.title,
        "description": study.description.strip(),
        "creators": [{"name": study.responsible}] if study.responsible else [],
        "licence": "cc-by-4.0",
        "keywords": list(study.tag_list) or ["psycholinguistics"],
        "contact": study.contact,
        "related": [],
    }
    return of_study | (latest.metadata if latest is not None else {})


def metadata_of(study: Study, given: Mapping[str, str], *, needs_contact: bool) -> dict[str, Any]:
    """Return the metadata of a deposit as a form gives them. Raises CannotDeposit with every fault."""
    faults: list[str] = []
    creators: list[dict[str, str]] = []
    try:
        creators = creators_of(given.get("creators", ""))
    except CannotDeposit as problem:
        faults += problem.faults
    else:
        if not creators:
            faults.append(Sentence("Name at least one creator."))
    related = _listed(given.get("related", ""))
    made: dict[str, Any] = {
        "title": " ".join(given.get("title", "").split())[:500],
        "description": given.get("description", "").strip()[:20_000],
        "creators": creators[:200],
        "licence": given.get("licence", ""),
        "keywords": _listed(given.get("keywords", "")),
        "related": related,
        "contact": given.get("contact", "").strip()[:200],
        "language": study.participants_language,
        "version": str(study.version),
        "day": f"{timezone.localdate():%Y-%m-%d}",
    }
    if not made["title"]:
        faults.append(Sentence("Write a title."))
    if not made["description"]:
        faults.append(Sentence("Write a description: what was studied, with whom, and what the files are."))
    if made["licence"] not in LICENCES:
        faults.append(Sentence("Choose a licence."))
    if needs_contact and "@" not in made["contact"]:
        faults.append(Sentence("Write an e-mail address under Contact; a Dataverse asks for one."))
    for one in related:
        if not re.fullmatch(r"10\.\d{4,9}/\S+|https?://\S+", one):
            faults.append(Sentence("{text} is neither a DOI, such as 10.1234/abc, nor an address.", text=one[:80]))
    if faults:
        raise CannotDeposit(faults)
    return made


def _listed(text: str) -> list[str]:
    return list(dict.fromkeys(one[:200] for part in re.split(r"[,\n]", text) if (one := part.strip())))[:50]


def begin_deposit(study: Study, *, user: Any, given: Mapping[str, str]) -> Deposit:
    """Begin a deposit of a study with what a form gives: archive, form, metadata and token. Raises CannotDeposit."""
    faults: list[str] = []
    archive, layout = given.get("archive", ""), given.get("layout", "")
    token, host = given.get("token", "").strip(), given.get("host", "").strip().rstrip("/")
    collection = given.get("collection", "").strip()
    metadata: dict[str, Any] = {}
    if archive not in Deposit.Archive.values:
        faults.append(Sentence("Choose an archive."))
    if layout not in LAYOUTS:
        faults.append(Sentence("Choose a form of the files."))
    if not token or not token.isascii() or not token.isprintable() or " " in token or len(token) > 500:
        faults.append(Sentence("Enter the token as the archive shows it, without spaces."))
    is_dataverse = archive == Deposit.Archive.DATAVERSE
    if is_dataverse:
        faults += host_faults(host)
        if not re.fullmatch(r"[\w.:-]{1,100}", collection, re.ASCII):
            faults.append(Sentence("Write the short name of the collection, as it is in its address."))
    try:
        metadata = metadata_of(study, given, needs_contact=is_dataverse)
    except CannotDeposit as problem:
        faults += problem.faults
    if faults:
        raise CannotDeposit(faults)
    with transaction.atomic():
        # The row of the study is locked, so that a button that is pressed twice begins one deposit.
        Study.objects.select_for_update().get(pk=study.pk)
        mine = Deposit.objects.filter(study=study)
        if any(one.is_unfinished for one in mine):
            raise CannotDeposit(
                [Sentence("A deposit is under way. Wait until its draft is ready, or delete it first.")]
            )
        if mine.count() >= MOST_DEPOSITS:
            raise CannotDeposit([Sentence("A study has {n} deposits at most. Delete one first.", n=MOST_DEPOSITS)])
        deposit = Deposit(
            study=study, created_by=user, archive=archive, layout=layout, metadata=metadata,
            host=host if is_dataverse else "", collection=collection if is_dataverse else "",
        )  # fmt: skip
        deposit.token = token
        deposit.save()
        record(study, action="deposit begun", user=user, detail=f"{archive} ({layout})")
        wake()
    return deposit


def host_faults(host: str) -> list[str]:
    """Return what is wrong with the address of a Dataverse."""
    try:
        parts = address_of(host, private=settings.DEPOSITS_MAY_REACH_PRIVATE_ADDRESSES)
        check_host(host)
    except Unreachable:
        return [Sentence("Write the address of the Dataverse, such as https://demo.dataverse.org.")]
    except Refused as problem:
        return [str(problem)]
    return [] if parts.path == "/" else [Sentence("Write the address of the Dataverse without a path.")]


@transaction.atomic
def try_again(deposit: Deposit, *, user: Any, token: str = "") -> None:
    """Carry a failed deposit on, or upload the files of a ready one as they are now. Raises CannotDeposit."""
    held = Deposit.objects.select_for_update().get(pk=deposit.pk)
    if held.is_unfinished:
        return
    if token.strip():
        held.token = token.strip()
    if not held.token:
        raise CannotDeposit([Sentence("Enter the token of the archive: it was forgotten when the draft was ready.")])
    if held.status == Status.DONE or held.is_outdated:
        held.files.all().delete()
    _queued(held)
    record(held.study, action="deposit tried again", user=user, detail=held.archive)


@transaction.atomic
def delete_deposit(deposit: Deposit, *, user: Any, token: str = "") -> None:
    """Delete the draft in the archive, and then the deposit. Raises CannotDeposit where the token is not known."""
    held = Deposit.objects.select_for_update().get(pk=deposit.pk)
    if token.strip():
        held.token = token.strip()
    if not held.token:
        raise CannotDeposit([Sentence("Enter the token of the archive: it was forgotten when the draft was ready.")])
    held.is_to_be_deleted = True
    _queued(held)
    record(held.study, action="deposit deleted", user=user, detail=held.archive)


@transaction.atomic
def forget_deposit(deposit: Deposit, *, user: Any) -> None:
    """Forget a deposit, and leave its draft in the archive as it is."""
    record(deposit.study, action="deposit forgotten", user=user, detail=deposit.archive)
    pk = deposit.pk
    Deposit.objects.filter(pk=pk).delete()


def _queued(deposit: Deposit) -> None:
    deposit.status, deposit.error, deposit.failures, deposit.next_attempt_at = Status.QUEUED, "", 0, None
    deposit.attempts = 0
    deposit.progress, deposit.progress_note, deposit.heartbeat_at, deposit.finished_at = 0, "", None, None
    deposit.save()
    wake()


def planned_packets(files: Sequence[tuple[str, int]], archive: str) -> list[Packet]:
    """Return what an archive would get of the files of an export, given as path and size. Raises Refused."""
    return arranged(files, rules_of(archive))


def tidy_deposits() -> None:
    """Delete files of deposits that are gone or ready, and tokens of those that failed long ago."""
    old = Deposit.objects.filter(status=Status.FAILED, finished_at__lt=timezone.now() - TOKEN_KEPT)
    old.exclude(token_sealed="").update(token_sealed="")
    settings.DEPOSITS_ROOT.mkdir(mode=0o700, parents=True, exist_ok=True)
    folders = list(settings.DEPOSITS_ROOT.iterdir())
    known = {str(pk) for pk in Deposit.objects.exclude(status=Status.DONE).values_list("pk", flat=True)}
    for folder in folders:
        if folder.name.removesuffix(".partial") not in known:
            _delete_folders([folder])


def _delete_folders(folders: Iterable[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def begin_again_without_whoever_is_gone(study_id: int) -> None:
    """Make the files of deposits again, as a participant is gone; a ready draft says that it is out of date."""
    of_study = Deposit.objects.filter(study=study_id)
    of_study.exclude(draft="").update(is_outdated=True)
    unfinished = of_study.exclude(status=Status.DONE)
    DepositFile.objects.filter(deposit__in=unfinished).delete()
    folders = [folder_of(pk) for pk in unfinished.values_list("pk", flat=True)]
    transaction.on_commit(lambda: _delete_folders(folders))
    # Whoever is at one holds it no longer, and stops within a second.
    unfinished.filter(status=Status.RUNNING).update(status=Status.QUEUED, heartbeat_at=None)

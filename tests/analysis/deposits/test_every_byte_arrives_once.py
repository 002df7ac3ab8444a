"""Whatever fails, in whatever order, and whoever is killed: one draft in the end, its DOI, and every file once."""

from __future__ import annotations

import hashlib
import io
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone

from analysis.deposits import filling, zenodo
from analysis.deposits.life import LONGEST_WAIT, ClaimedDeposit
from analysis.deposits.managing import begin_deposit, delete_deposit, try_again
from analysis.models import Deposit
from experiments.models import Study
from tests.analysis.computed import compute_here
from tests.analysis.deposits.mocks import (
    TOKEN,
    DataverseMock,
    Faults,
    Killed,
    Mock,
    OsfMock,
    PlainZenodoMock,
    ZenodoMock,
)
from tests.analysis.recalls import user_named
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db
Status = Deposit.Status
GIVEN = {
    "title": "Causes", "description": "Ratings of sentences.", "creators": "Lovelace, Ada; 0000-0002-1825-0097; London",
    "licence": "cc-by-4.0", "keywords": "causality, connectives", "related": "10.1234/abc",
    "contact": "ada@example.org",
    "layout": "flat", "token": TOKEN, "host": "https://dataverse.example.org", "collection": "lab",
}  # fmt: skip
KINDS: list[tuple[str, type[Mock]]] = [
    ("zenodo-sandbox", ZenodoMock),
    ("zenodo", PlainZenodoMock),
    ("osf", OsfMock),
    ("dataverse", DataverseMock),
]
Files = list[tuple[str, bytes]]


@pytest.fixture
def study(settings: Any, tmp_path: Any) -> Study:
    settings.DEPOSITS_ROOT = tmp_path / "deposits"
    return make_study(n_items=4, owner=user_named("owner"))


@pytest.fixture
def begun(study: Study, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Deposit, Mock]]:
    """Begin a deposit of files in a mock of its archive."""

    def begin(archive: str, kind: type[Mock], faults: Faults, files: Files) -> tuple[Deposit, Mock]:
        mock = kind(faults)
        monkeypatch.setattr("analysis.deposits.reaching.ask", mock.ask)
        monkeypatch.setattr(zenodo, "PART", 64)

        def exported(*_given: Any, **_named: Any) -> Iterator[tuple[str, Iterator[bytes]]]:
            yield from ((path, iter([content])) for path, content in files)

        monkeypatch.setattr(filling, "archive_files", exported)
        given = {**GIVEN, "archive": archive}
        return begin_deposit(study, user=user_named("owner"), given=given), mock

    return begin


def random_files(chance: random.Random) -> Files:
    folders = ["", "", "reports/anova-1/", "media/"]
    found = {
        f"{chance.choice(folders)}{name}": chance.randbytes(chance.choice([0, 1, 63, 64, 65, 300, 1000]))
        for name in (f"file-{number} ü.csv" for number in range(chance.choice([1, 3, 8])))
    }
    return [*found.items(), ("manifest.json", b"{}")]


def carry_on(deposit: Deposit, mock: Mock, chance: random.Random, *, most: int = 2000) -> Deposit:
    """Let workers carry on until it is ready, people try again where it failed, and lost ones be found."""
    for _round in range(most):
        deposit.refresh_from_db()
        if deposit.status == Status.DONE:
            return deposit
        if deposit.status == Status.FAILED:
            try_again(deposit, user=user_named("owner"))
            mock.now += 60
        waits = deposit.next_attempt_at
        if waits is not None:
            assert waits - timezone.now() <= LONGEST_WAIT
            mock.now += max((waits - timezone.now()).total_seconds(), 0)
            Deposit.objects.filter(pk=deposit.pk).update(next_attempt_at=None)
        claimed = ClaimedDeposit.claim(deposit.pk)
        if claimed is None:
            continue
        try:
            compute_here(claimed)
        except Killed:
            if chance.random() < 0.5:
                claimed.give_back()  # the worker was told to stop, and another one begins at once
            else:
                mock.now += 60
                ClaimedDeposit.return_lost(whoever_holds_them=True)
        if chance.random() < 0.05:
            # The machine lost its disk, but not its database.
            for path in filling.folder_of(deposit.pk).rglob("*"):
                if path.is_file() and chance.random() < 0.3:
                    path.unlink()
    raise AssertionError("It did not come to an end.")


def unpacked(contents: dict[str, bytes]) -> list[tuple[str, bytes]]:
    found = []
    for name, content in contents.items():
        if not name.endswith(".zip"):
            found.append((name, content))
            continue
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found += [(one, archive.read(one)) for one in archive.namelist()]
    return sorted(found)


@pytest.mark.parametrize(("archive", "kind"), KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_any_schedule_of_faults_ends_in_one_draft_with_every_file_once(
    begun: Any, archive: str, kind: type[Mock], seed: int
) -> None:
    chance = random.Random(f"{archive}-{seed}")
    files = random_files(chance)
    faults = Faults(chance, share=chance.choice([0.05, 0.2, 0.4]), left=chance.choice([5, 20, 60]))
    deposit, mock = begun(archive, kind, faults, files)
    ready = carry_on(deposit, mock, chance)
    assert mock.ever == 1, "one draft, ever"
    assert unpacked(mock.contents()) == sorted(files)
    stored = {row.name: (row.size, row.sha256, row.sent, row.is_stored) for row in ready.files.all()}
    assert stored == {
        name: (len(content), hashlib.sha256(content).hexdigest(), len(content), True)
        for name, content in mock.contents().items()
    }
    (number,) = mock.drafts
    assert ready.draft == number
    assert ready.doi == {"osf": "", "dataverse": number.removeprefix("doi:")}.get(archive, f"10.5072/zenodo.{number}")
    assert (ready.token_sealed, ready.error, ready.progress) == ("", "", 1)
    assert not filling.folder_of(ready.pk).exists()
    assert not mock.problems, "no rule of the archive was broken"


@pytest.mark.parametrize(("archive", "kind"), KINDS)
def test_without_faults_nothing_is_sent_twice(begun: Any, archive: str, kind: type[Mock]) -> None:
    chance = random.Random(archive)
    deposit, mock = begun(archive, kind, Faults(chance), random_files(chance))
    carry_on(deposit, mock, chance, most=2)
    assert all(mock.received[name] == len(content) for name, content in mock.contents().items() if mock.received)


def test_what_was_acknowledged_is_not_sent_again(begun: Any) -> None:
    content = bytes(range(256)) * 4
    deposit, mock = begun("zenodo", ZenodoMock, Faults(random.Random(1)), [("large.bin", content)])
    sent = iter([False] * 5 + [True] + [False] * 100)

    def cut(size: int) -> int:
        return size // 2 if next(sent) else size

    mock.faults.cut = cut
    carry_on(deposit, mock, random.Random(2), most=4)
    assert mock.contents() == {"large.bin": content}
    assert mock.received["large.bin"] == len(content) + 32, "one part of 64 bytes was sent one and a half times"


@pytest.mark.parametrize(("archive", "kind"), KINDS)
def test_files_of_a_new_export_replace_those_of_the_one_before(
    begun: Any, archive: str, kind: type[Mock], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(archive)
    deposit, mock = begun(archive, kind, Faults(chance), [("a.csv", b"1"), ("gone.csv", b"2"), ("same.csv", b"3")])
    ready = carry_on(deposit, mock, chance)
    again = [("a.csv", b"other"), ("same.csv", b"3"), ("new/b.csv", b"4")]

    def exported(*_given: Any, **_named: Any) -> Iterator[tuple[str, Iterator[bytes]]]:
        yield from ((path, iter([content])) for path, content in again)

    monkeypatch.setattr(filling, "archive_files", exported)
    try_again(ready, user=user_named("owner"), token=TOKEN)
    carry_on(ready, mock, chance)
    assert unpacked(mock.contents()) == sorted(again)
    assert (mock.ever, mock.problems) == (1, [])


@pytest.mark.parametrize(("archive", "kind"), KINDS)
def test_more_files_than_an_archive_takes_go_into_zips(begun: Any, archive: str, kind: type[Mock]) -> None:
    files = [(f"sub-{number}/beh/{number}.tsv", b"x" * number) for number in range(130)]
    deposit, mock = begun(archive, kind, Faults(random.Random(1)), [*files, ("README.md", b"Read me.")])
    carry_on(deposit, mock, random.Random(1), most=2)
    assert unpacked(mock.contents()) == sorted([*files, ("README.md", b"Read me.")])
    assert set(mock.contents()) == {"README.md", "data.zip"}


@pytest.mark.parametrize(("archive", "kind"), KINDS)
def test_a_draft_is_deleted_with_its_deposit_even_where_its_making_was_not_acknowledged(
    begun: Any, archive: str, kind: type[Mock]
) -> None:
    deposit, mock = begun(archive, kind, Faults(random.Random(1)), [("a.csv", b"1")])
    mock.faults.after = lambda: (_ for _ in ()).throw(Killed) if mock.asked[-1][0] == "POST" else None
    claimed = ClaimedDeposit.claim(deposit.pk)
    assert claimed is not None
    with pytest.raises(Killed):
        compute_here(claimed)
    assert len(mock.drafts) == 1
    mock.faults.after = lambda: None
    mock.now += 60
    ClaimedDeposit.return_lost(whoever_holds_them=True)
    delete_deposit(deposit, user=user_named("owner"))
    claimed = ClaimedDeposit.claim(deposit.pk)
    assert claimed is not None
    compute_here(claimed)
    assert (mock.drafts, list(Deposit.objects.all())) == ({}, [])


def test_a_token_that_is_not_accepted_is_said_at_once_and_never_shown(begun: Any) -> None:
    deposit, mock = begun("zenodo", ZenodoMock, Faults(random.Random(1)), [("a.csv", b"1")])
    Deposit.objects.filter(pk=deposit.pk).update(token_sealed="")
    deposit.refresh_from_db()
    deposit.token = "another"
    deposit.save()
    claimed = ClaimedDeposit.claim(deposit.pk)
    assert claimed is not None
    compute_here(claimed)
    deposit.refresh_from_db()
    assert deposit.status == Status.FAILED
    assert "did not accept the token" in deposit.error
    assert "another" not in deposit.error + deposit.token_sealed
    assert not mock.drafts


def test_an_archive_that_is_never_there_is_given_up_with_a_sentence(begun: Any) -> None:
    deposit, mock = begun("osf", OsfMock, Faults(random.Random(1)), [("a.csv", b"1")])
    faults = Faults(random.Random(1), share=1.0, left=10**6)
    faults._drawn = lambda kinds: kinds[0]  # type: ignore[method-assign]
    mock.faults = faults
    for number in range(1, 13):
        Deposit.objects.filter(pk=deposit.pk).update(next_attempt_at=None)
        claimed = ClaimedDeposit.claim(deposit.pk)
        assert claimed is not None
        compute_here(claimed)
        deposit.refresh_from_db()
        assert deposit.status == (Status.FAILED if number == 12 else Status.QUEUED)
    assert "12 attempts in a row failed" in deposit.error

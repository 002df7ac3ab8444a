"""A backup holds everything, comes back into an empty place only, and forgets who was erased after it was made."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from participants.backups import archive, databases, keys, restoring
from participants.backups.refusals import BackupRefusal
from tests import needs
from tests.backups.laboratory import Laboratory, drop_database, new_database
from tests.browser.platform import ROOT
from tests.small_files import files_no_larger_than

pytestmark = pytest.mark.slow

PEOPLE = """
from participants.models import *
print(",".join(sorted(Participant.objects.values_list("pseudonym", flat=True))), Response.objects.count(),
      RecruitmentIdentity.objects.count(), Tombstone.objects.count())
"""
SERVER = os.environ.get("DATABASE_URL", "")
ON_POSTGRESQL = SERVER.startswith("postgres")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    made = Laboratory(tmp_path_factory.mktemp("filled"))
    made.fill()
    return made


@pytest.fixture
def lab(filled: Laboratory, tmp_path: Path) -> Laboratory:
    made = Laboratory(tmp_path / "lab")
    shutil.copyfile(filled.file, made.file)
    return made


def people(lab: Laboratory) -> list[str]:
    return lab.python(PEOPLE).split()


def pseudonyms(lab: Laboratory) -> list[str]:
    return people(lab)[0].split(",")


@pytest.mark.full("a table or file that a backup lacks; .ci/run runs it when a model or a backup changed")
def test_everything_comes_back(lab: Laboratory, tmp_path: Path) -> None:
    lab.manage("backup", "--out", str(tmp_path / "one.backup"))
    assert (tmp_path / "one.backup").stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lab", "one.backup"]
    new = Laboratory(tmp_path / "new")
    done = new.ask("restore", str(tmp_path / "one.backup"))
    said = done.stdout
    assert "There was no journal of erasures" in done.stderr
    assert done.returncode == 0
    assert re.search(r"participants 4; erased again since then: 0\.\nok   a-draft\nok   acceptability", said), said
    assert people(new) == people(lab)
    refused = new.ask("restore", str(tmp_path / "one.backup"))
    assert refused.returncode == 1
    assert "The database is not empty" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert people(new) == people(lab)
    again = lab.ask("backup", "--out", str(tmp_path / "one.backup"))
    assert "exists already" in again.stderr


@pytest.mark.full("a restored platform that forgets an erasure, as whole processes show it")
def test_withdrawals_that_came_after_the_backup_are_done_again(lab: Laboratory, tmp_path: Path) -> None:
    lab.manage("backup", "--out", str(tmp_path / "one.backup"))
    gone, stays = pseudonyms(lab)[0], pseudonyms(lab)[1:]
    lab.manage("erase_participant", "acceptability", gone)
    journal = lab.folder / "erasures.jsonl"
    assert journal.stat().st_mode & 0o077 == 0
    entry = json.loads(journal.read_text())
    assert set(entry) == {"digest", "kind", "at"}
    assert gone not in journal.read_text()
    new = Laboratory(tmp_path / "new")
    said = new.manage("restore", str(tmp_path / "one.backup"), "--journal", str(journal))
    assert "erased again since then: 1." in said
    assert pseudonyms(new) == stays
    assert people(new)[-1] == people(lab)[-1] == "2"  # tombstones: one is older than the backup
    # The restored platform can be backed up and restored in turn, and still knows.
    new.manage("backup", "--out", str(tmp_path / "two.backup"))
    third = Laboratory(tmp_path / "third")
    third.manage("restore", str(tmp_path / "two.backup"), "--journal", str(new.folder / "erasures.jsonl"))
    assert pseudonyms(third) == stays


@pytest.mark.full("a restored platform that forgets an erasure, as whole processes show it")
def test_the_end_of_retention_and_erased_recruitment_ids_are_done_again(lab: Laboratory, tmp_path: Path) -> None:
    lab.manage("backup", "--out", str(tmp_path / "one.backup"))
    lab.python(
        "from participants.erasure.identities import erase_identities\nfrom experiments.models import Study\n"
        "erase_identities(Study.objects.get(slug='acceptability'), user=None)"
    )
    second = Laboratory(tmp_path / "second")
    journal = str(lab.folder / "erasures.jsonl")
    second.manage("restore", str(tmp_path / "one.backup"), "--journal", journal)
    assert people(second) == people(lab)
    assert people(second)[2] == "0"
    lab.python(
        "from participants.erasure.whole_studies import erase_all\nfrom experiments.models import Study\n"
        "Study.objects.update(status='closed')\nerase_all(Study.objects.get(slug='acceptability'), user=None)"
    )
    third = Laboratory(tmp_path / "third")
    third.manage("restore", str(tmp_path / "one.backup"), "--journal", journal)
    assert people(third) == people(lab) == ["0", "0", "1"]


@pytest.mark.full("a restored platform that forgets an erasure, as whole processes show it")
def test_an_encrypted_backup_needs_its_secret_key(lab: Laboratory, tmp_path: Path) -> None:
    key = lab.manage("backup", "--new-key", str(tmp_path / "secret.key")).strip()
    lab.manage("backup", "--new-key", str(tmp_path / "other.key"))
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0
    lab.manage("backup", "--key", key, "--out", str(tmp_path / "one.backup"))
    assert (tmp_path / "one.backup").read_bytes().startswith(b"age-encryption.org/v1")
    new = Laboratory(tmp_path / "new")
    without = new.ask("restore", str(tmp_path / "one.backup"))
    assert "--key-file" in without.stderr
    wrong = new.ask("restore", str(tmp_path / "one.backup"), "--key-file", str(tmp_path / "other.key"))
    assert wrong.returncode == 1
    assert "cannot be decrypted" in wrong.stderr
    new.manage("restore", str(tmp_path / "one.backup"), "--key-file", str(tmp_path / "secret.key"))
    assert people(new) == people(lab)
    assert "age1" in lab.ask("backup", "--key", "a-password", "--out", str(tmp_path / "two.backup")).stderr
    assert not (tmp_path / "two.backup").exists()


@pytest.fixture
def packed(tmp_path: Path, settings) -> Path:
    """A small backup of a database that is not one, with a picture."""
    settings.MEDIA_ROOT = str(tmp_path / "media")
    (tmp_path / "media" / "pictures").mkdir(parents=True)
    (tmp_path / "media" / "pictures" / "one.png").write_bytes(b"a picture")
    copy = tmp_path / "database.sqlite3"
    copy.write_bytes(os.urandom(50_000))
    manifest = {"format": 1, "database": copy.name, "sha256": hashlib.sha256(copy.read_bytes()).hexdigest()}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with (tmp_path / "plain").open("wb") as out:
        archive._pack(out, tmp_path / "manifest.json", copy)
    public = keys.new_key(tmp_path / "secret.key")
    with (tmp_path / "encrypted").open("wb") as out:
        keys.encrypt(lambda plain: archive._pack(plain, tmp_path / "manifest.json", copy), out, public_key=public)
    return tmp_path


@pytest.mark.parametrize("name", ["plain", "encrypted"])
def test_media_are_part_of_it(packed: Path, name: str) -> None:
    with archive.opened(packed / name, key_file=packed / "secret.key", beside=packed) as unpacked:
        assert (unpacked.media / "pictures" / "one.png").read_bytes() == b"a picture"
        assert unpacked.database.read_bytes() == (packed / "database.sqlite3").read_bytes()
    assert not list(packed.glob(".restore-*"))


@pytest.mark.parametrize("name", ["plain", "encrypted"])
@pytest.mark.parametrize("at", [0.0, 0.02, 0.3, 0.5, 0.7, 0.98, "cut"])
def test_a_damaged_backup_is_refused(packed: Path, name: str, at: Any) -> None:
    file = packed / name
    damaged = bytearray(file.read_bytes())
    if at == "cut":
        damaged = damaged[: len(damaged) // 2]
    else:
        damaged[int(len(damaged) * at)] ^= 0xFF
    file.write_bytes(damaged)
    with (
        pytest.raises(BackupRefusal, match=r"damaged|cannot be decrypted"),
        archive.opened(file, key_file=packed / "secret.key", beside=packed),
    ):
        pass


@pytest.mark.parametrize("name", ["plain", "encrypted"])
def test_a_full_disk_is_not_held_against_the_backup(packed: Path, name: str) -> None:
    with (
        files_no_larger_than(1_000),
        pytest.raises(BackupRefusal, match=r"could not be unpacked .* File too large\..* Nothing was changed"),
        archive.opened(packed / name, key_file=packed / "secret.key", beside=packed),
    ):
        pass
    assert not list(packed.glob(".restore-*"))


def test_of_two_backups_of_one_name_the_second_is_refused(packed: Path) -> None:
    archive._name(packed / "plain", packed / "one.backup")
    with pytest.raises(BackupRefusal, match="exists already"):
        archive._name(packed / "encrypted", packed / "one.backup")
    assert (packed / "one.backup").read_bytes() == (packed / "plain").read_bytes()


def test_a_restore_that_fails_leaves_the_place_empty(packed: Path, settings, monkeypatch) -> None:
    settings.MEDIA_ROOT = str(packed / "new")

    def full(copy: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(copy))

    monkeypatch.setattr(databases, "put_back", full)
    with (
        archive.opened(packed / "plain", key_file=None, beside=packed) as backup,
        pytest.raises(BackupRefusal, match=r"could not be put back: .*No space left on device"),
    ):
        restoring._put_back(backup, Path(settings.MEDIA_ROOT))
    assert list((packed / "new").iterdir()) == []


@pytest.mark.full("a restored platform that forgets an erasure, as whole processes show it")
def test_a_backup_on_a_full_disk_is_refused_in_a_sentence(lab: Laboratory, tmp_path: Path) -> None:
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))"
    code = f"{limited}; from django.core.management import execute_from_command_line as run; run(sys.argv)"
    done = subprocess.run(
        [sys.executable, "-c", code, "backup", "--out", str(tmp_path / "one.backup")], env=lab.environment,
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "No backup was written" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["lab"]


@pytest.fixture
def two_databases() -> Iterator[list[str]]:
    names = [f"backup_{os.getpid()}_{number}" for number in (1, 2)]
    yield [new_database(SERVER, name) for name in names]
    for name in names:
        drop_database(SERVER, name)


@needs.only_postgresql
def test_a_postgresql_database_comes_back_too(two_databases: list[str], tmp_path: Path) -> None:
    first = Laboratory(tmp_path / "first", two_databases[0])
    first.manage("migrate", "--verbosity", "0")
    settings = {**first.environment, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    filled = subprocess.run(
        ["python", "-c", "import django; django.setup(); from django.conf import settings; "
         "settings.ALLOWED_HOSTS = ['testserver']; from tests.upgrade.write_database import fill; fill()"],
        env={**settings, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert filled.returncode == 0, filled.stderr
    first.manage("backup", "--out", str(tmp_path / "one.backup"))
    gone = pseudonyms(first)[0]
    first.manage("erase_participant", "acceptability", gone)
    second = Laboratory(tmp_path / "second", two_databases[1])
    journal = str(first.folder / "erasures.jsonl")
    said = second.manage("restore", str(tmp_path / "one.backup"), "--journal", journal)
    assert "erased again since then: 1." in said
    assert people(second) == people(first)
    assert "not empty" in second.ask("restore", str(tmp_path / "one.backup")).stderr

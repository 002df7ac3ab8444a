"""A backup says which keys it needs without saying what they are, and is not restored without them unawares."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from experiments.models import Study
from participants.backups import archive, databases, fingerprints, restoring
from participants.management.commands import restore as command
from participants.models import RecruitmentIdentity
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def place(tmp_path: Path, settings: Any) -> Path:
    settings.ERASURE_JOURNAL, settings.MEDIA_ROOT = tmp_path / "erasures.jsonl", ""
    settings.VAR_DIR = tmp_path
    settings.SECRET_KEY, settings.CODES_KEY = "the first key of many", "the key of codes"
    return tmp_path


@pytest.fixture
def backup(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup of a study with two participants and an authenticator app; its database is not copied."""

    def copy_to(folder: Path) -> Path:
        (folder / "database.sqlite3").write_bytes(b"rows")
        return folder / "database.sqlite3"

    study = open_study()
    for seed in range(2):
        Browser(study, seed=seed, recruitment={"PROLIFIC_PID": f"p{seed}"}).answer_all()
    anna = User.objects.create_user("anna")
    secret = {"secret": get_adapter().encrypt("JBSWY3DP")}
    Authenticator.objects.create(user=anna, type=Authenticator.Type.TOTP, data=secret)
    monkeypatch.setattr(databases, "copy_to", copy_to)
    archive.write(place / "one.backup")
    return place / "one.backup"


@pytest.fixture
def put_back(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The rows are there already; which backup was put back is noted instead."""
    done: list[Path] = []
    monkeypatch.setattr(databases, "is_empty", lambda: True)
    monkeypatch.setattr(databases, "put_back", done.append)
    monkeypatch.setattr(restoring, "call_command", lambda *arguments, **options: None)
    return done


def manifest_of(backup: Path) -> dict[str, Any]:
    with tarfile.open(backup) as packed:
        member = packed.extractfile(archive.MANIFEST)
        assert member is not None
        found: dict[str, Any] = json.loads(member.read())
    return found


def test_the_manifest_holds_no_key_and_nothing_that_is_the_same_twice(backup: Path, place: Path) -> None:
    archive.write(place / "two.backup")
    first, second = manifest_of(backup)["keys"], manifest_of(place / "two.backup")["keys"]
    assert set(first) == set(second) == {"SECRET_KEY", "CODES_KEY"}
    for name in first:
        assert first[name]["salt"] != second[name]["salt"]
        assert first[name]["scrypt"] != second[name]["scrypt"]
        assert len(first[name]["scrypt"]) == 8
        assert set(first[name]) == {"salt", "scrypt"}
    for text in ("the first key of many", "the key of codes"):
        assert text not in json.dumps([first, second])


@pytest.mark.parametrize("name", list(fingerprints.SEALS))
def test_another_key_is_refused_by_name_before_anything_is_changed(
    backup: Path, put_back: list[Path], settings: Any, name: str
) -> None:
    setattr(settings, name, "made anew")
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(backup))
    sentence = str(refused.value)
    assert f"{name} is not what the platform had" in sentence
    assert str(settings.VAR_DIR / name.lower()) in sentence
    assert "--accept-lost-keys" in sentence
    assert "Nothing was changed" in sentence
    other = (set(fingerprints.SEALS) - {name}).pop()
    assert other not in sentence
    assert put_back == []


def test_with_its_keys_everything_is_read_again(backup: Path, put_back: list[Path], capsys: Any) -> None:
    call_command("restore", str(backup))
    assert len(put_back) == 1
    said = capsys.readouterr()
    assert "participants 2" in said.out
    assert "key" not in said.err.lower()
    assert sorted(row.external_id for row in RecruitmentIdentity.objects.all()) == ["p0", "p1"]


def test_a_lost_key_that_is_accepted_is_named_with_what_is_lost(
    backup: Path, put_back: list[Path], settings: Any, capsys: Any
) -> None:
    settings.SECRET_KEY, settings.CODES_KEY = "made anew", "made anew too"
    call_command("restore", str(backup), accept_lost_keys=True)
    said = capsys.readouterr()
    assert "Restored without SECRET_KEY: authenticator apps" in said.err
    assert "Restored without CODES_KEY: recruitment ids" in said.err
    assert "recovery codes of 1 people. They were removed" in said.err
    assert not Authenticator.objects.exists()
    assert f"ok   {Study.objects.get().slug}" in said.out


def test_a_backup_without_fingerprints_is_restored_with_a_sentence_and_checked(
    backup: Path, put_back: list[Path], settings: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "fingerprints", dict)
    older = backup.with_name("older.backup")
    written = archive._manifest
    monkeypatch.setattr(
        archive, "_manifest", lambda copy: {key: value for key, value in written(copy).items() if key != "keys"}
    )
    archive.write(older)
    call_command("restore", str(older))
    assert "made by an older version" in capsys.readouterr().err
    settings.CODES_KEY = "made anew"
    with pytest.raises(SystemExit):
        call_command("restore", str(older))
    said = capsys.readouterr()
    assert "2 of 2 sealed values cannot be read (external id of recruitment identities)" in said.out
    assert len(put_back) == 2
    settings.CODES_KEY, settings.SECRET_KEY = "the key of codes", "made anew"
    with pytest.raises(SystemExit):
        call_command("restore", str(older))
    assert "recovery codes of 1 people. Empty the place" in capsys.readouterr().err
    assert Authenticator.objects.count() == 1


def test_the_command_asks_for_the_same_keys_as_the_backup(backup: Path) -> None:
    assert vars(command)["SEALS"] is fingerprints.SEALS
    assert set(manifest_of(backup)["keys"]) == set(fingerprints.SEALS)

"""An archive from anywhere is read within limits of number, size and names, and nothing of it reaches the disk."""

import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.verification import archives, whole
from analysis.verification.archives import UnreadableArchive, opened
from analysis.verification.recomputing import Asked, NotComputed, recomputed


def zipped(path: Path, *members: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("name", ["../report.json", "/etc/report.json", "a\\b.csv", "c:report.json", "a/../../b.csv"])
def test_a_name_that_leads_elsewhere_is_refused(name, tmp_path):
    with pytest.raises(UnreadableArchive, match="no name that a file of an archive may have"):
        opened(zipped(tmp_path / "a.zip", ("report.json", b"{}"), (name, b"")))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path):
    with pytest.raises(UnreadableArchive, match=r"two files of the name 'report\.json'"):
        opened(zipped(tmp_path / "a.zip", ("report.json", b"{}"), ("report.json", b"[]")))


def test_bombs_are_refused_before_they_are_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 50_000)
    with pytest.raises(UnreadableArchive, match="unpacks to more than"):
        opened(zipped(tmp_path / "a.zip", *((f"{n}.csv", b"0" * 20_000) for n in range(3))))
    one = opened(zipped(tmp_path / "b.zip", ("report.json", b"0" * 40_000)))
    with pytest.raises(UnreadableArchive, match="has more than 0 MB"):
        one.read("report.json", most=30_000)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    with pytest.raises(UnreadableArchive, match="more than 2 files"):
        opened(zipped(tmp_path / "c.zip", *((f"{n}.csv", b"") for n in range(3))))


def test_a_size_that_is_lied_about_is_not_read_beyond(tmp_path):
    path = zipped(tmp_path / "a.zip", ("report.json", b"0" * 1_000_000))
    content = path.read_bytes()
    # The uncompressed size in the central directory.
    at = content.rindex(b"PK\x01\x02") + 24
    path.write_bytes(content[:at] + (100).to_bytes(4, "little") + content[at + 4 :])
    with pytest.raises(UnreadableArchive, match="cannot be read"):
        opened(path).sha256("report.json")


def test_links_and_what_is_no_archive_are_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "report.json").symlink_to("/etc/hostname")
    with pytest.raises(UnreadableArchive, match="is a link"):
        opened(tmp_path / "folder")
    (tmp_path / "text.zip").write_text("no archive")
    for path in (tmp_path / "text.zip", tmp_path / "absent.zip"):
        with pytest.raises(SystemExit) as ended:
            call_command("verify", path)
        assert ended.value.code == 2


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"method": 3}', b"[" * 100_000, b'{"method": "lmm", "tables": 1}']
)
def test_a_broken_report_manifest_or_provenance_is_a_sentence(content, tmp_path):
    table = ("trials.csv", b"a,b\r\n1,2\r\n")
    for name in ("report.json", "manifest.json"):
        with pytest.raises(SystemExit) as ended:
            call_command("verify", zipped(tmp_path / f"{name}.zip", (name, content), table))
        assert ended.value.code in (1, 2)
    path = zipped(tmp_path / "provenance.zip", ("provenance.json", content), table)
    if content.startswith(b'{"'):
        assert "a format that this version does not read" in " ".join(whole.verify([path]).lacking)
    else:
        with pytest.raises(UnreadableArchive, match=r"provenance\.json"):
            whole.verify([path])


def test_a_file_is_never_read_by_a_name_in_an_archive(tmp_path):
    path = tmp_path / "secret.arpa"
    path.write_text("secret")
    report = {
        "method": "text-profile", "params": {"text": "text", "model": str(path)}, "tables": [], "figures": [],
        "sentences": [], "notes": [], "warnings": [], "versions": {},
    }  # fmt: skip
    members = (("report.json", json.dumps(report).encode()), ("trials.csv", b"text\r\nA dog.\r\n"))
    (found,) = whole.verify([zipped(tmp_path / "a.zip", *members)]).reports
    assert "give that file beside the archive" in found.reason


def test_what_another_version_made_is_not_checked_and_contradicts_nothing(tmp_path):
    report = {
        "method": "of-next-year", "params": {}, "figures": [], "sentences": ["t = 2.5."], "notes": [], "warnings": [],
        "versions": {}, "tables": [],
    }  # fmt: skip
    known = {"format": "lectern-provenance", "format_version": 2}
    members = (("report.json", json.dumps(report).encode()), ("provenance.json", json.dumps(known).encode()))
    verdict = whole.verify([zipped(tmp_path / "a.zip", *members)])
    assert (verdict.wrong, verdict.numbers, verdict.unchecked) == ([], 0, 1)
    assert any("has no method 'of-next-year'" in said for said in verdict.lacking)
    assert any("a format that this version does not read" in said for said in verdict.lacking)


def test_a_report_that_asks_for_too_much_ends_with_a_sentence():
    people = "".join(f"p{n},{'ab'[n % 2]},{n % 7}\r\n" for n in range(60)).encode()
    asked = Asked(
        "power", {"formula": "y ~ c + (1|participant)", "simulations": 10**9}, b"participant,c,y\r\n" + people
    )
    with pytest.raises(NotComputed):
        recomputed(asked, seconds=1, megabytes=2_000)

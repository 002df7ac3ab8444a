"""Files that are made to harm, or are broken: all are refused with a sentence, soon, and nothing is written."""

from __future__ import annotations

import random
import struct
import time
import zlib
from pathlib import Path

import pytest

from experiments.media import kinds
from experiments.media.checking import read_files
from tests.media_files import picture, png_chunk, sound, zipped


def faults_of(name: str, data: bytes) -> list[str]:
    began = time.process_time()
    checked = read_files([(name, data)])
    assert time.process_time() - began < 5, "processor time, with room for a machine at half speed"
    return [str(fault) for fault in checked.faults]


def huge_png() -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0))
    body = png_chunk(b"IDAT", zlib.compress(b"\x00" * 1_000_000, 9))
    return b"\x89PNG\r\n\x1a\n" + header + body + png_chunk(b"IEND", b"")


def test_a_header_of_a_hundred_thousand_points_each_way_is_refused_without_drawing_it() -> None:
    (fault,) = faults_of("wall.png", huge_png())
    assert "100000 × 100000" in fault


def test_a_picture_that_unpacks_to_another_size_than_it_says_is_damaged() -> None:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 4_000, 4_000, 8, 2, 0, 0, 0))
    body = png_chunk(b"IDAT", zlib.compress(b"\x00" * 500, 9))
    (fault,) = faults_of("short.png", b"\x89PNG\r\n\x1a\n" + header + body + png_chunk(b"IEND", b""))
    assert "damaged" in fault


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_cut_off_anywhere_is_refused(kind: str) -> None:
    whole = picture(kind, size=(60, 40))
    assert faults_of("whole", whole) == []
    for length in (len(whole) // 3, len(whole) // 2, len(whole) - 6):
        (fault,) = faults_of("part", whole[:length])
        assert "cut off" in fault or "damaged" in fault


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "WAV"])
def test_no_broken_byte_makes_the_reader_break(kind: str) -> None:
    whole = sound() if kind == "WAV" else picture(kind, size=(40, 30))
    chance = random.Random(kind)
    for _ in range(120):
        broken = bytearray(whole)
        for _times in range(chance.randint(1, 4)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        read_files([("broken", bytes(broken))])


def test_what_stands_behind_a_picture_is_left_behind() -> None:
    for kind in ("PNG", "JPEG", "GIF"):
        both = picture(kind) + zipped({"run.js": b"alert(1)"}) + b"<script>alert(1)</script>"
        (file,) = read_files([("both", both)]).files
        assert b"script" not in file.data
        assert b"PK" not in file.data
        assert len(file.data) <= len(picture(kind))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "SVG"),
        (b"<?xml version='1.0'?><svg/>", "SVG"),
        (b"<html><script>alert(1)</script>", "is not a picture, sound or video that the platform can use."),
        (b"MZ\x90\x00", "is not a picture, sound or video that the platform can use."),
        (b"", "is not a picture, sound or video that the platform can use."),
    ],
)
def test_what_is_no_picture_is_refused_whatever_its_name_says(data: bytes, said: str) -> None:
    (fault,) = faults_of("dog.png", data)
    assert said in fault


def test_an_archive_that_unpacks_to_more_than_may_be_is_refused() -> None:
    bomb = zipped({f"{number}.png": b"\x00" * 15_000_000 for number in range(8)})
    assert len(bomb) < 200_000
    faults = faults_of("bomb.zip", bomb)
    assert any("more than" in fault for fault in faults)


def test_an_archive_of_very_many_files_is_refused() -> None:
    dot = picture(size=(1, 1))
    faults = faults_of("many.zip", zipped({f"{number}.png": dot for number in range(kinds.MAX_FILES + 2)}))
    assert any(str(kinds.MAX_FILES) in fault for fault in faults)


def test_an_archive_within_an_archive_is_not_unpacked() -> None:
    (fault,) = faults_of("outer.zip", zipped({"inner.zip": zipped({"dog.png": picture()})}))
    assert "is an archive inside an archive." in fault


def test_a_path_out_of_the_archive_becomes_a_plain_name(tmp_path: Path) -> None:
    archive = zipped({"../../../../tmp/dog.png": picture(), "C:\\windows\\cat.png": picture(colour=9)})
    checked = read_files([("files.zip", archive)])
    assert [file.name for file in checked.files] == ["dog.png", "cat.png"]
    assert list(tmp_path.iterdir()) == []


def test_an_archive_with_a_password_or_a_lie_about_a_size_is_refused() -> None:
    whole = bytearray(zipped({"dog.png": picture()}))
    place = whole.index(b"PK\x01\x02")
    whole[place + 8] |= 1
    (fault,) = faults_of("locked.zip", bytes(whole))
    assert "not a ZIP archive" in fault
    assert faults_of("none.zip", b"PK\x03\x04" + b"\x00" * 40)


def test_all_faults_are_said_at_once() -> None:
    files = {"a.svg": b"<svg/>", "b.png": picture()[:40], "c.txt": b"hello", "d.png": picture(), "D.png": picture()}
    said = faults_of("files.zip", zipped(files))
    assert len(said) == 4
    for name in ("a.svg", "b.png", "c.txt", "'d.png', 'D.png' differ only in capital letters"):
        assert any(name in fault for fault in said)


def test_what_systems_leave_in_folders_is_passed_over() -> None:
    files = {"dog.png": picture(), "__MACOSX/._dog.png": b"x", ".DS_Store": b"x", "folder/Thumbs.db": b"x"}
    checked = read_files([("files.zip", zipped(files))])
    assert [file.name for file in checked.files] == ["dog.png"]
    assert checked.faults == ()


def test_a_file_of_another_format_than_its_name_and_one_under_two_names_are_pointed_out() -> None:
    checked = read_files([("dog.png", picture("JPEG")), ("a.png", picture()), ("b.png", picture())])
    said = [str(warning) for warning in checked.warnings]
    assert checked.faults == ()
    assert any("dog.png" in one and "JPEG" in one for one in said)
    assert any("'a.png', 'b.png' are the same" in one for one in said)


def test_a_file_that_is_too_large_is_refused_by_its_size() -> None:
    (fault,) = faults_of("large.wav", sound(rate=48_000, seconds=0.1) + b"\x00" * kinds.MAX_SOUND_BYTES)
    assert "20 MB" in fault


def test_zip_files_know_no_bomb_of_overlapping_members() -> None:
    # Thousands of entries that point at one member: bounded by the count of files and by what comes out.
    whole = zipped({"0.png": b"\x00" * 20_000_000})
    central = whole.index(b"PK\x01\x02")
    entry = whole[central : whole.index(b"PK\x05\x06")]
    end = bytearray(whole[whole.index(b"PK\x05\x06") :])
    struct.pack_into("<HHI", end, 8, 40, 40, len(entry) * 40)
    faults = faults_of("overlap.zip", whole[:central] + entry * 40 + bytes(end))
    assert any("more than" in fault or "not a ZIP archive" in fault for fault in faults)

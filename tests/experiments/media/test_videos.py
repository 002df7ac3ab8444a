"""Videos: what is read of them, what is taken out, and that nothing that is made to harm is read for long."""

from __future__ import annotations

import random
import struct
import time
from pathlib import Path

import pytest

from experiments.media.checking import CheckedFile, read_files
from experiments.media.kinds import MAX_VIDEO_BYTES

FOLDER = Path(__file__).parents[1] / "data" / "videos"
NAMES = ("silent.webm", "sounding.webm", "silent.mp4", "sounding.mp4")


def content(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def faults_of(data: bytes, name: str = "film.mp4") -> list[str]:
    began = time.process_time()
    checked = read_files([(name, data)])
    assert time.process_time() - began < 5, "processor time, with room for a machine at half speed"
    return [str(fault) for fault in checked.faults]


def read(name: str) -> CheckedFile:
    checked = read_files([(name, content(name))])
    assert (checked.faults, checked.warnings) == ((), ())
    return checked.files[0]


@pytest.mark.parametrize("name", NAMES)
def test_size_duration_and_sound_are_read_and_titles_are_taken_out(name: str) -> None:
    file = read(name)
    assert (file.kind, file.extension, file.width, file.height) == ("video", name[-4:].lstrip("."), 64, 48)
    assert 380 <= (file.duration_ms or 0) <= 450
    assert file.has_sound is name.startswith("sounding")
    assert b"Anna" not in file.data
    # Pictures and sounds stay where they are.
    assert len(file.data) == len(content(name))
    assert read_files([(name, file.data)]).files[0].content_hash == file.content_hash


def test_the_titles_are_there_before() -> None:
    assert all(b"Anna in Paris" in content(name) for name in ("silent.webm", "silent.mp4"))


@pytest.mark.parametrize("name", NAMES)
def test_a_video_cut_off_anywhere_is_refused(name: str) -> None:
    whole = content(name)
    for length in range(20, len(whole) - 1, max(1, len(whole) // 60)):
        (fault,) = faults_of(whole[:length], name)
        assert "cut off" in fault or "damaged" in fault, length


@pytest.mark.parametrize("name", NAMES)
def test_no_broken_byte_makes_the_reader_break(name: str) -> None:
    whole = content(name)
    chance = random.Random(name)
    for _ in range(150):
        broken = bytearray(whole)
        for _times in range(chance.randint(1, 6)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        read_files([(name, bytes(broken))])


def box(name: bytes, body: bytes = b"", *, length: int | None = None) -> bytes:
    return struct.pack(">I4s", 8 + len(body) if length is None else length, name) + body


FTYP = box(b"ftyp", b"isom\x00\x00\x00\x00isom")
WEBM = bytes.fromhex("1a45dfa3 87 4282 84") + b"webm"


def element(name: str, body: bytes = b"", size: bytes | None = None) -> bytes:
    return bytes.fromhex(name) + (b"\x01" + len(body).to_bytes(7, "big") if size is None else size) + body


def nested_boxes(depth: int) -> bytes:
    inner = b""
    for _level in range(depth):
        inner = box(b"moov", inner)
    return FTYP + inner


def nested_elements(depth: int) -> bytes:
    inner = b""
    for _level in range(depth):
        inner = element("18538067", inner)
    return WEBM + inner


HOSTILE = {
    "a box longer than the file": FTYP + box(b"moov", length=2**32 - 1),
    "a box of 2 to the 63 bytes": FTYP + struct.pack(">I4sQ", 1, b"moov", 2**63),
    "a box shorter than its head": FTYP + box(b"moov", b"\x00" * 40, length=4),
    "boxes nested two thousand deep": nested_boxes(2_000),
    "a million empty boxes": FTYP + box(b"free") * 1_000_000,
    "an element of 2 to the 55 bytes": WEBM + element("18538067", b"", b"\x01" + b"\xff" * 6 + b"\xfe"),
    "elements nested two thousand deep": nested_elements(2_000),
    "a million empty elements": WEBM + element("18538067", bytes.fromhex("ec80") * 1_000_000),
    "a name of no length": WEBM + b"\x00" * 50,
    "a size of no length": WEBM + bytes.fromhex("18538067") + b"\x00" * 50,
    "tracks of unknown size": WEBM + element("18538067", element("1654ae6b", b"", b"\xff")),
    "a head alone": WEBM,
    "no track of pictures": FTYP + box(b"moov", box(b"mvhd", b"\x00" * 100)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_made_to_harm_is_refused_soon(what: str) -> None:
    (fault,) = faults_of(HOSTILE[what])
    assert "cut off" in fault or "damaged" in fault


def test_other_tracks_codings_and_matroska_are_refused_with_the_way_out() -> None:
    mp4, webm = content("sounding.mp4"), content("silent.webm")
    refused = {
        "some browsers do not play": [mp4.replace(b"avc1", b"hvc1"), webm.replace(b"V_VP8", b"V_ABC")],
        "other tracks": [mp4.replace(b"soun", b"meta"), mp4.replace(b"soun", b"vide")],
        "not a WebM file": [webm.replace(b"webm", b"mkvx")],
    }
    for said, files in refused.items():
        for data in files:
            (fault,) = faults_of(data)
            assert said in fault
            assert "H.264" in fault


def test_a_video_without_a_duration_or_with_too_long_a_one_is_refused() -> None:
    place = content("silent.webm").index(bytes.fromhex("4489"))
    for duration, said in ((0.0, "how long"), (float("nan"), "how long"), (-5.0, "how long"), (1e9, "minutes")):
        data = bytearray(content("silent.webm"))
        data[place + 3 : place + 11] = struct.pack(">d", duration)
        (fault,) = faults_of(bytes(data))
        assert said in fault


def test_a_video_that_is_too_large_is_refused_by_its_size() -> None:
    (fault,) = faults_of(content("silent.webm") + b"\x00" * MAX_VIDEO_BYTES)
    assert "20 MB" in fault


def test_what_stands_behind_the_end_of_a_webm_is_left_behind() -> None:
    whole = content("silent.webm")
    (file,) = read_files([("film.webm", whole + element("ec", b"<script>"))]).files
    assert b"script" not in file.data

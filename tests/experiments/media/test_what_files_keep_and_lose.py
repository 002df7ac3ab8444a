"""What is stored of a picture or sound: all that is seen and heard, and nothing that names people or places."""

from __future__ import annotations

import io
import struct

import pytest
from PIL import Image, PngImagePlugin

from experiments.media.checking import read_files
from experiments.media.sounds import _checksum, read_m4a, read_mp3, read_ogg
from tests.media_files import picture, sound

SECRET = b"Somebody at 48.2082 N 16.3738 E"


def exif(orientation: int = 1) -> Image.Exif:
    made = Image.Exif()
    made[0x0112] = orientation
    made[0x010E] = SECRET.decode()
    return made


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_exif_is_taken_out_and_every_point_stays(kind: str) -> None:
    noise = Image.effect_noise((40, 30), 60).convert("RGB")
    buffer = io.BytesIO()
    noise.save(buffer, kind, exif=exif())
    assert SECRET in buffer.getvalue()
    (file,) = read_files([("photo", buffer.getvalue())]).files
    assert SECRET not in file.data
    before, after = (Image.open(io.BytesIO(data)).convert("RGB").tobytes() for data in (buffer.getvalue(), file.data))
    assert before == after
    assert (file.width, file.height) == (40, 30)


def test_a_turned_photo_stays_turned_and_says_how_large_it_is_then() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30)).save(buffer, "JPEG", exif=exif(6))
    (file,) = read_files([("photo", buffer.getvalue())]).files
    assert (file.width, file.height) == (30, 40)
    assert Image.open(io.BytesIO(file.data)).getexif()[0x0112] == 6
    assert SECRET not in file.data


def test_comments_of_png_and_jpeg_and_gif_are_taken_out() -> None:
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", SECRET.decode())
    for data in (picture(pnginfo=told), picture("JPEG", comment=SECRET), picture("GIF", comment=SECRET)):
        assert SECRET in data
        (file,) = read_files([("picture", data)]).files
        assert SECRET not in file.data


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_pictures_that_move_are_refused(kind: str) -> None:
    frames = [Image.new("RGB", (8, 8), (50 * number, 0, 0)) for number in range(3)]
    buffer = io.BytesIO()
    frames[0].save(buffer, kind, save_all=True, append_images=frames[1:])
    (fault,) = read_files([("moves", buffer.getvalue())]).faults
    assert "still pictures" in str(fault)


def test_the_same_picture_with_other_notes_is_the_same_file() -> None:
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", "A")
    one, other = (read_files([("a.png", data)]).files[0] for data in (picture(), picture(pnginfo=told)))
    assert one.content_hash == other.content_hash


def test_a_wav_file_keeps_its_samples_and_loses_its_notes() -> None:
    plain = sound(0.25)
    note = b"LIST" + struct.pack("<I", len(SECRET) + 1) + SECRET + b"\x00"
    told = bytearray(plain[:12] + note + plain[12:])
    struct.pack_into("<I", told, 4, len(told) - 8)
    (file,) = read_files([("tone.wav", bytes(told))]).files
    assert file.data == plain
    assert file.duration_ms == 250


def mp3_frames(count: int) -> bytes:
    # Layer III of version 1, 128 kbit/s, 44.1 kHz: 417 bytes each.
    return (b"\xff\xfb\x90\x00" + b"\x00" * 413) * count


def test_an_mp3_file_loses_its_tags_and_is_as_long_as_its_frames() -> None:
    tag = b"ID3\x03\x00\x00" + bytes([0, 0, 0, len(SECRET)]) + SECRET
    told = read_mp3(tag + mp3_frames(100) + b"TAG" + SECRET.ljust(125))
    assert told.data == mp3_frames(100)
    assert told.duration_ms == round(100 * 1152 / 44.1)


def ogg_page(body: bytes, *, granule: int, number: int, flags: int = 0) -> bytes:
    sizes = [255] * (len(body) // 255) + [len(body) % 255]
    page = bytearray(
        b"OggS" + struct.pack("<BBqIIIB", 0, flags, granule, 7, number, 0, len(sizes)) + bytes(sizes) + body
    )
    struct.pack_into("<I", page, 22, _checksum(bytes(page)))
    return bytes(page)


def test_an_opus_file_loses_its_comments_and_its_pages_stay_valid() -> None:
    head = b"OpusHead" + struct.pack("<BBHIhB", 1, 1, 312, 48_000, 0, 0)
    tags = b"OpusTags" + struct.pack("<I", 4) + b"test" + struct.pack("<II", 1, len(SECRET)) + SECRET
    whole = (
        ogg_page(head, granule=0, number=0, flags=2)
        + ogg_page(tags, granule=0, number=1)
        + ogg_page(b"\x00" * 500, granule=48_000 + 312, number=2, flags=4)
    )
    told = read_ogg(whole)
    assert SECRET in whole
    assert SECRET not in told.data
    assert told.duration_ms == 1_000
    assert len(told.data) == len(whole)
    second = told.data.index(b"OggS", 4)
    third = told.data.index(b"OggS", second + 4)
    page = bytearray(told.data[second:third])
    stated = struct.unpack_from("<I", page, 22)[0]
    page[22:26] = b"\x00" * 4
    assert _checksum(bytes(page)) == stated


def test_the_checksum_is_that_of_an_ogg_file_of_another_program() -> None:
    # CRC-32/MPEG-2 without its initial value, of "123456789": the register of RFC 3533 begins with 0.
    assert _checksum(b"123456789") == 0x89A1897F


def box(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", len(body) + 8, name) + body


def m4a(handler: bytes = b"soun") -> bytes:
    mvhd = box(b"mvhd", struct.pack(">IIIII", 0, 0, 0, 1_000, 2_500) + b"\x00" * 80)
    hdlr = box(b"hdlr", struct.pack(">II4s", 0, 0, handler) + b"\x00" * 12)
    moov = box(b"moov", mvhd + box(b"trak", box(b"mdia", hdlr)) + box(b"udta", SECRET))
    return box(b"ftyp", b"M4A \x00\x00\x00\x00") + moov + box(b"mdat", b"\x00" * 64)


def test_an_m4a_file_loses_its_notes_and_no_byte_moves() -> None:
    told = read_m4a(m4a())
    assert SECRET not in told.data
    assert len(told.data) == len(m4a())
    assert told.duration_ms == 2_500


def test_a_film_is_refused() -> None:
    (fault,) = read_files([("film.mp4", m4a(b"vide"))]).faults
    assert "film" in str(fault)

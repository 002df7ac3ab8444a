"""Parse pictures: read their size and strip metadata.

Nothing is re-encoded: the pixels stay the same. Removed are text, time, place, camera, thumbnails and any bytes after
the end of the picture (of a file that is a picture and something else, only the picture is left). Of EXIF only the
orientation is kept, because browsers rotate the picture by it.

Sources: PNG (W3C, third edition), JPEG (ITU-T T.81), Exif 2.32, GIF89a, WebP container (RFC 9649).
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from experiments.media.refusals import damaged, moving, truncated

_PNG_KEPT = frozenset(
    (
        b"IHDR",
        b"PLTE",
        b"IDAT",
        b"IEND",
        b"tRNS",
        b"gAMA",
        b"cHRM",
        b"sRGB",
        b"iCCP",
        b"cICP",
        b"pHYs",
        b"sBIT",
        b"bKGD",
    )
)
_WEBP_KEPT = (b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP")
_WEBP_EXIF_AND_XMP = 0x0C
_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_KEPT_IN = {0xE0: b"JFIF\x00", 0xE2: b"ICC_PROFILE\x00", 0xEE: b"Adobe"}
_JPEG_NEXT = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_ORIENTATION = 0x0112


@dataclass(frozen=True)
class Picture:
    """A picture without metadata; width and height in pixels as browsers show it."""

    data: bytes
    width: int
    height: int


def read_png(data: bytes) -> Picture:
    """Return a PNG picture. Raises UnusableFile for one that is damaged, cut off or moves."""
    kept = bytearray(data[:8])
    size = None
    position = 8
    while True:
        if position + 12 > len(data):
            raise truncated()
        length, name = struct.unpack_from(">I4s", data, position)
        end = position + 12 + length
        if end > len(data):
            raise truncated()
        if zlib.crc32(data[position + 4 : end - 4]) != struct.unpack_from(">I", data, end - 4)[0]:
            raise damaged()
        if (name == b"IHDR") != (position == 8) or (name == b"IHDR" and length != 13):
            raise damaged()
        if name == b"IHDR":
            size = struct.unpack_from(">II", data, position + 8)
        if name == b"acTL":
            raise moving()
        if name in _PNG_KEPT:
            kept += data[position:end]
        position = end
        if name == b"IEND":
            break
    if size is None:
        raise damaged()
    return Picture(bytes(kept), *size)


def read_jpeg(data: bytes) -> Picture:
    """Return a JPEG picture. Raises UnusableFile for one that is damaged or cut off."""
    kept = bytearray()
    size: tuple[int, int] | None = None
    orientation = 1
    position = 2
    while True:
        while data[position : position + 2] == b"\xff\xff":
            position += 1
        if position + 2 > len(data):
            raise truncated()
        if data[position] != 0xFF:
            raise damaged()
        marker = data[position + 1]
        if marker == 0xD9:
            break
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:
            position += 2
            continue
        if position + 4 > len(data):
            raise truncated()
        end = position + 2 + struct.unpack_from(">H", data, position + 2)[0]
        if end > len(data):
            raise truncated()
        body = data[position + 4 : end]
        if marker == 0xE1 and body.startswith(b"Exif\x00\x00"):
            orientation = _orientation(body[6:])
        if marker in _JPEG_FRAMES and size is None:
            if len(body) < 5:
                raise damaged()
            height, width = struct.unpack_from(">HH", body, 1)
            size = width, height
        if marker == 0xDA:
            # Entropy-coded data extend to the next marker that is not part of them.
            found = _JPEG_NEXT.search(data, end)
            if found is None:
                raise truncated()
            end = found.start()
        if _is_kept_in_jpeg(marker, body):
            kept += data[position:end]
        position = end
    if size is None:
        raise damaged()
    beside = b"" if orientation == 1 else _exif_with(orientation)
    width, height = size if orientation < 5 else size[::-1]
    return Picture(b"\xff\xd8" + beside + bytes(kept) + b"\xff\xd9", width, height)


def _is_kept_in_jpeg(marker: int, body: bytes) -> bool:
    if marker == 0xFE:
        return False
    if 0xE0 <= marker <= 0xEF:
        return marker in _JPEG_KEPT_IN and body.startswith(_JPEG_KEPT_IN[marker])
    return True


def _orientation(tiff: bytes) -> int:
    """Return the EXIF orientation, 1 to 8; 1 if it is missing or invalid."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 8:
        return 1
    first = struct.unpack_from(order + "I", tiff, 4)[0]
    if first + 2 > len(tiff):
        return 1
    for number in range(struct.unpack_from(order + "H", tiff, first)[0]):
        entry = first + 2 + 12 * number
        if entry + 12 > len(tiff):
            return 1
        tag, kind, _count, value = struct.unpack_from(order + "HHIH", tiff, entry)
        if tag == _ORIENTATION and kind == 3:
            return int(value) if 1 <= value <= 8 else 1
    return 1


def _exif_with(orientation: int) -> bytes:
    entry = struct.pack(">HHIHH", _ORIENTATION, 3, 1, orientation, 0)
    body = b"Exif\x00\x00MM\x00\x2a" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def read_gif(data: bytes) -> Picture:
    """Return a still GIF picture. Raises UnusableFile for one that is damaged, cut off or moves."""
    if len(data) < 13:
        raise truncated()
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + _colours(flags)
    kept = bytearray(data[:position])
    pictures = 0
    while True:
        if position >= len(data):
            raise truncated()
        begins = data[position]
        if begins == 0x3B:
            break
        if begins == 0x2C:
            if position + 11 > len(data):
                raise truncated()
            pictures += 1
            end = _end_of_blocks(data, position + 11 + _colours(data[position + 9]))
            kept += data[position:end]
        elif begins == 0x21:
            end = _end_of_blocks(data, position + 2)
            # Graphic control of the next image; comments, plain text and application data are dropped.
            if data[position + 1 : position + 2] == b"\xf9":
                kept += data[position:end]
        else:
            raise damaged()
        position = end
    if pictures > 1:
        raise moving()
    if not pictures:
        raise damaged()
    return Picture(bytes(kept) + b"\x3b", width, height)


def _colours(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_blocks(data: bytes, position: int) -> int:
    while True:
        if position >= len(data):
            raise truncated()
        if data[position] == 0:
            return position + 1
        position += 1 + data[position]


def read_webp(data: bytes) -> Picture:
    """Return a still WebP picture. Raises UnusableFile for one that is damaged, cut off or moves."""
    if len(data) < 20:
        raise truncated()
    whole = struct.unpack_from("<I", data, 4)[0] + 8
    if whole > len(data):
        raise truncated()
    kept = bytearray()
    size: tuple[int, int] | None = None
    position = 12
    while position + 8 <= whole:
        name, length = struct.unpack_from("<4sI", data, position)
        body = bytearray(data[position + 8 : position + 8 + length])
        if len(body) < length or position + 8 + length > whole:
            raise truncated()
        if name in (b"ANIM", b"ANMF"):
            raise moving()
        if name == b"VP8X" and length >= 10:
            body[0] &= 0xFF ^ _WEBP_EXIF_AND_XMP
            size = 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
        if name == b"VP8 " and length >= 10 and body[3:6] == b"\x9d\x01\x2a" and size is None:
            width, height = struct.unpack_from("<HH", body, 6)
            size = width & 0x3FFF, height & 0x3FFF
        if name == b"VP8L" and length >= 5 and body[0] == 0x2F and size is None:
            bits = struct.unpack_from("<I", body, 1)[0]
            size = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        if name in _WEBP_KEPT:
            kept += struct.pack("<4sI", name, length) + body + b"\x00" * (length % 2)
        position += 8 + length + length % 2
    if size is None:
        raise damaged()
    return Picture(b"RIFF" + struct.pack("<I", len(kept) + 4) + b"WEBP" + bytes(kept), *size)

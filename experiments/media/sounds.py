"""Parse sounds: read their duration and strip metadata.

Nothing is re-encoded. Sources: RIFF/WAVE (Multimedia Programming Interface 1.0), MPEG audio frames (ISO/IEC
11172-3, 13818-3), Ogg (RFC 3533), Opus in Ogg (RFC 7845), Vorbis I, ISO base media files (ISO/IEC 14496-12).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from experiments.media.boxes import boxes
from experiments.media.refusals import UnusableFile, damaged, truncated
from experiments.sentences import Sentence

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_OTHER_WAV = Sentence("Save it as WAV with 16 bits, or as MP3.")
_BITRATES = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
_RATES = (44_100, 48_000, 32_000)
_LEAST_FRAMES = 3
# What may follow the last frame of an MP3 file: tags of either kind.
_MOST_BEHIND = 256 * 1024


@dataclass(frozen=True)
class Sound:
    """A sound without metadata, and its duration in milliseconds."""

    data: bytes
    duration_ms: int


def read_wav(data: bytes) -> Sound:
    """Return an uncompressed WAV file. Raises UnusableFile for any other."""
    found: dict[bytes, bytes] = {}
    position = 12
    while position + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, position)
        body = data[position + 8 : position + 8 + length]
        if len(body) < length:
            raise truncated()
        if name in (b"fmt ", b"fact", b"data"):
            found.setdefault(name, body)
        position += 8 + length + length % 2
    if len(found.get(b"fmt ", b"")) < 16 or b"data" not in found:
        raise damaged()
    coding, channels, rate, _bytes, per_sample = struct.unpack_from("<HHIIH", found[b"fmt "])
    if coding == _EXTENSIBLE and len(found[b"fmt "]) >= 26:
        coding = struct.unpack_from("<H", found[b"fmt "], 24)[0]
    if coding not in (_PCM, _FLOAT):
        raise UnusableFile(Sentence("is a WAV file with an encoding that browsers do not play."), _OTHER_WAV)
    if not rate or not per_sample or not channels:
        raise damaged()
    kept = b"".join(
        struct.pack("<4sI", name, len(found[name])) + found[name] + b"\x00" * (len(found[name]) % 2)
        for name in (b"fmt ", b"fact", b"data")
        if name in found
    )
    whole = b"RIFF" + struct.pack("<I", len(kept) + 4) + b"WAVE" + kept
    return Sound(whole, round(1000 * len(found[b"data"]) / (rate * per_sample)))


def read_mp3(data: bytes) -> Sound:
    """Return only the frames of an MP3 file. Raises UnusableFile if there are none, or other bytes between them."""
    begins = 0
    if data.startswith(b"ID3") and len(data) > 10:
        parts = data[6:10]
        begins = 10 + sum((part & 0x7F) << shift for part, shift in zip(parts, (21, 14, 7, 0), strict=True))
    while begins < len(data) and data[begins] == 0:
        begins += 1
    position = begins
    seconds = 0.0
    frames = 0
    while (frame := _frame(data, position)) is not None:
        length, duration = frame
        if position + length > len(data):
            break
        position += length
        seconds += duration
        frames += 1
    if frames < _LEAST_FRAMES or len(data) - position > _MOST_BEHIND:
        raise damaged()
    return Sound(data[begins:position], round(1000 * seconds))


def _frame(data: bytes, position: int) -> tuple[int, float] | None:
    """Return size in bytes and duration in seconds of the layer III frame that begins here; None if none does."""
    if position + 4 > len(data):
        return None
    header = struct.unpack_from(">I", data, position)[0]
    version, layer = header >> 19 & 3, header >> 17 & 3
    bitrate, rate, padding = header >> 12 & 15, header >> 10 & 3, header >> 9 & 1
    if header >> 21 != 0x7FF or version == 1 or layer != 1 or bitrate in (0, 15) or rate == 3:
        return None
    is_first = version == 3
    hertz = _RATES[rate] // {3: 1, 2: 2, 0: 4}[version]
    length = (144 if is_first else 72) * 1000 * _BITRATES[0 if is_first else 1][bitrate] // hertz + padding
    return length, (1152 if is_first else 576) / hertz


@dataclass
class _Page:
    begins: int
    ends: int
    body: int
    granule: int
    serial: int
    segments: bytes


def read_ogg(data: bytes) -> Sound:
    """Return an Ogg file (Opus or Vorbis) with empty comments. Raises UnusableFile for any other."""
    pages = list(_pages(data))
    if not pages or len({page.serial for page in pages}) != 1:
        raise UnusableFile(Sentence("contains more than one stream."), Sentence("Save only its sound, as Ogg or MP3."))
    head = data[pages[0].body : pages[0].ends]
    if head.startswith(b"OpusHead") and len(head) >= 12:
        rate, skipped, magic = 48_000, struct.unpack_from("<H", head, 10)[0], b"OpusTags"
    elif head.startswith(b"\x01vorbis") and len(head) >= 16:
        rate, skipped, magic = struct.unpack_from("<I", head, 12)[0], 0, b"\x03vorbis"
    else:
        raise UnusableFile(
            Sentence("is an Ogg file with neither Opus nor Vorbis in it."), Sentence("Save it as Ogg Opus or as MP3.")
        )
    last = max(page.granule for page in pages)
    if rate == 0 or last <= 0:
        raise damaged()
    whole = bytearray(data[pages[0].begins : pages[-1].ends])
    _empty_comments(whole, pages, magic)
    return Sound(bytes(whole), round(1000 * max(0, last - skipped) / rate))


def _pages(data: bytes) -> Iterator[_Page]:
    position = 0
    while position < len(data):
        if data[position : position + 4] != b"OggS":
            if position:
                return
            raise damaged()
        if position + 27 > len(data):
            raise truncated()
        granule, serial = struct.unpack_from("<qI", data, position + 6)
        segments = data[position + 27 : position + 27 + data[position + 26]]
        body = position + 27 + data[position + 26]
        ends = body + sum(segments)
        if ends > len(data):
            raise truncated()
        yield _Page(position, ends, body, granule, serial, segments)
        position = ends


def _empty_comments(whole: bytearray, pages: list[_Page], magic: bytes) -> None:
    """Overwrite the second packet, which holds the comments, with an empty one of the same length."""
    places: list[int] = []
    touched: list[_Page] = []
    for page in pages[1:]:
        position = page.body
        touched.append(page)
        is_over = False
        for segment in page.segments:
            places += range(position, position + segment)
            position += segment
            if segment < 255:
                is_over = True
                break
        if is_over:
            break
    packet = bytes(whole[place] for place in places)
    framing = b"\x01" if magic.startswith(b"\x03") else b""
    vendor = len(packet) - len(magic) - 8 - len(framing)
    if not packet.startswith(magic) or vendor < 0:
        raise damaged()
    empty = magic + struct.pack("<I", vendor) + b" " * vendor + struct.pack("<I", 0) + framing
    for place, value in zip(places, empty, strict=True):
        whole[place] = value
    for page in touched:
        whole[page.begins + 22 : page.begins + 26] = b"\x00" * 4
        checked = _checksum(bytes(whole[page.begins : page.ends]))
        whole[page.begins + 22 : page.begins + 26] = struct.pack("<I", checked)


def _table() -> list[int]:
    table = []
    for byte in range(256):
        value = byte << 24
        for _bit in range(8):
            value = (value << 1 ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
        table.append(value)
    return table


_CHECKSUMS = _table()


def _checksum(page: bytes) -> int:
    """Return the checksum of an Ogg page (RFC 3533, section 6)."""
    value = 0
    for byte in page:
        value = (value << 8 & 0xFFFFFFFF) ^ _CHECKSUMS[value >> 24 ^ byte]
    return value


def read_m4a(data: bytes) -> Sound:
    """Return an audio-only MP4 file with its metadata overwritten."""
    whole = bytearray(data)
    duration: float | None = None
    handlers: list[bytes] = []
    for name, body, end in boxes(data, entered=(b"moov", b"trak", b"mdia")):
        if name in (b"udta", b"meta", b"uuid"):
            whole[body - 4 : body] = b"free"
            whole[body:end] = b"\x00" * (end - body)
        elif name == b"hdlr" and end - body >= 12:
            handlers.append(data[body + 8 : body + 12])
        elif name == b"mvhd" and end - body >= 32:
            scale, length = struct.unpack_from(">IQ" if data[body] else ">II", data, body + (20 if data[body] else 12))
            duration = length / scale if scale else None
    if b"soun" not in handlers or duration is None:
        raise damaged()
    return Sound(bytes(whole), round(1000 * duration))

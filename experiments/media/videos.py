"""Parse videos: read their size, duration and tracks, and strip metadata.

Nothing is re-encoded. Sources: ISO base media files (ISO/IEC 14496-12), EBML (RFC 8794), Matroska (RFC 9559) and the
WebM guidelines. Every loop is bounded: boxes and elements are counted, nesting has an end, and what says that it is
longer than its parent is refused.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from experiments.media.boxes import boxes
from experiments.media.refusals import UnusableFile, damaged, truncated
from experiments.sentences import Sentence

# By the names of MP4 and of WebM; what others hold, not every current browser plays.
_CODINGS = {b"avc1", b"avc3", b"vp09", b"av01", b"V_VP8", b"V_VP9", b"V_AV1"}
_SOUND_CODINGS = {b"mp4a", b"Opus", b"A_OPUS", b"A_VORBIS"}
_SAVE = Sentence("Save it as MP4 with H.264 and AAC, or as WebM with VP9 and Opus.")
_ENTERED = (b"moov", b"trak", b"mdia", b"minf", b"stbl")

_EBML, _SEGMENT, _INFO, _TRACKS, _CLUSTER = 0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
_TRACK, _VIDEO, _VOID, _CHECKSUM, _SCALE, _DURATION = 0xAE, 0xE0, 0xEC, 0xBF, 0x2AD7B1, 0x4489
_TYPE, _CODEC, _WIDTH, _HEIGHT, _DOCTYPE = 0x83, 0x86, 0xB0, 0xBA, 0x4282
# Tags, attachments and chapters of the segment; title, date and file names of its facts.
_METADATA = {0x1254C367, 0x1941A469, 0x1043A770, _CHECKSUM}
_OWN_FACTS = {0x7BA9, 0x4461, 0x7384, 0x3C83AB, 0x3E83BB, _CHECKSUM}
_MOST_ELEMENTS = 500_000


@dataclass(frozen=True)
class Video:
    """A video without metadata: its size in points, its duration in milliseconds, and whether it has a sound."""

    data: bytes
    width: int
    height: int
    duration_ms: int
    has_sound: bool


def is_film(data: bytes) -> bool:
    """Return whether an ISO base media file has a track of pictures. Raises UnusableFile if it is damaged."""
    return any(
        name == b"hdlr" and data[body + 8 : body + 12] == b"vide" for name, body, _end in boxes(data, entered=_ENTERED)
    )


def read_mp4(data: bytes) -> Video:
    """Return an MP4 file with its metadata overwritten. Raises UnusableFile for codings that some browser lacks."""
    whole = bytearray(data)
    seconds: float | None = None
    handlers: list[bytes] = []
    codings: list[bytes] = []
    sides = [(0, 0)]
    has_content = False
    for name, body, end in boxes(data, entered=_ENTERED):
        if name in (b"udta", b"meta", b"uuid"):
            whole[body - 4 : body] = b"free"
            whole[body:end] = b"\x00" * (end - body)
        elif name == b"hdlr" and end - body >= 12 and data[body + 8 : body + 12] not in (b"url ", b"alis"):
            handlers.append(data[body + 8 : body + 12])
        elif name == b"mvhd" and end - body >= 32:
            scale, length = struct.unpack_from(">IQ" if data[body] else ">II", data, body + (20 if data[body] else 12))
            seconds = length / scale if scale else None
        elif name == b"tkhd" and end - body >= 84:
            width, height = struct.unpack_from(">II", data, end - 8)
            sides.append((width >> 16, height >> 16))
        elif name == b"stsd" and end - body >= 16:
            codings.append(data[body + 12 : body + 16])
        has_content |= name == b"mdat" and end > body
    if seconds is None or not has_content:
        raise damaged()
    return _video(bytes(whole), handlers, codings, max(sides), 1000 * seconds)


def _video(data: bytes, kinds: list[bytes], codings: list[bytes], sides: tuple[int, int], duration_ms: float) -> Video:
    pictures, sounds = kinds.count(b"vide"), kinds.count(b"soun")
    if pictures != 1 or sounds > 1 or len(kinds) != pictures + sounds:
        raise UnusableFile(
            Sentence("has more than one picture track, more than one sound track, or other tracks."), _SAVE
        )
    if any(coding not in _CODINGS | _SOUND_CODINGS for coding in codings):
        raise UnusableFile(Sentence("has an encoding that some browsers do not play."), _SAVE)
    if not _CODINGS & set(codings):
        raise damaged()
    if not (math.isfinite(duration_ms) and duration_ms > 0):
        raise UnusableFile(Sentence("does not say how long it is."), _SAVE)
    return Video(data, *sides, round(min(duration_ms, 1e12)), bool(sounds))


def read_webm(data: bytes) -> Video:
    """Return a WebM file with its metadata made void. Raises UnusableFile for any other Matroska file."""
    whole = bytearray(data)
    kinds: list[bytes] = []
    codings: list[bytes] = []
    sides = (0, 0)
    scale, duration = 1_000_000, 0.0
    has_content = False
    segment = _segment_of(data)
    for name, begins, body, end in _elements(data, *segment):
        has_content |= name == _CLUSTER
        if name in _METADATA:
            _make_void(whole, begins, end)
        elif name == _INFO:
            for fact, fact_begins, at, fact_end in _elements(data, body, end):
                if fact in _OWN_FACTS:
                    _make_void(whole, fact_begins, fact_end)
                elif fact == _SCALE:
                    scale = _whole(data, at, fact_end)
                elif fact == _DURATION and fact_end - at in (4, 8):
                    duration = struct.unpack_from(">f" if fact_end - at == 4 else ">d", data, at)[0]
        elif name == _TRACKS:
            for entry, _begins, at, entry_end in _elements(data, body, end):
                if entry == _TRACK:
                    kind, coding, own_sides = _track(data, at, entry_end)
                    kinds.append(kind)
                    codings.append(coding)
                    sides = own_sides if kind == b"vide" else sides
    if not has_content or not kinds:
        raise damaged()
    return _video(bytes(whole[: segment[1]]), kinds, codings, sides, duration * scale / 1e6)


def _segment_of(data: bytes) -> tuple[int, int]:
    """Return begin and end of what the segment holds."""
    doctype = b""
    for name, _begins, body, end in _elements(data, 0, len(data)):
        if name == _EBML:
            for fact, _at, fact_body, fact_end in _elements(data, body, end):
                doctype = data[fact_body:fact_end].rstrip(b"\x00") if fact == _DOCTYPE else doctype
            if doctype != b"webm":
                raise UnusableFile(Sentence("is a Matroska file, but not a WebM file."), _SAVE)
        elif name == _SEGMENT:
            return body, end
    raise damaged()


def _track(data: bytes, begins: int, ends: int) -> tuple[bytes, bytes, tuple[int, int]]:
    kind, coding, width, height = b"", b"", 0, 0
    for name, _begins, body, end in _elements(data, begins, ends):
        if name == _TYPE:
            kind = {1: b"vide", 2: b"soun"}.get(_whole(data, body, end), b"")
        elif name == _CODEC:
            coding = data[body:end].rstrip(b"\x00")[:20]
        elif name == _VIDEO:
            for fact, _at, fact_body, fact_end in _elements(data, body, end):
                width = _whole(data, fact_body, fact_end) if fact == _WIDTH else width
                height = _whole(data, fact_body, fact_end) if fact == _HEIGHT else height
    return kind, coding, (width, height)


def _whole(data: bytes, begins: int, ends: int) -> int:
    if ends - begins > 8:
        raise damaged()
    return int.from_bytes(data[begins:ends], "big")


def _elements(data: bytes, begins: int, ends: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield (name, begin, start of content, end) of every element, one level deep.

    A segment or a cluster of unknown size ends with its parent; elements in such a cluster follow as if beside it.
    """
    position = begins
    for _number in range(_MOST_ELEMENTS):
        if position >= ends:
            return
        name_length = 9 - data[position].bit_length()
        at = position + name_length
        if name_length > 4 or at >= ends:
            raise truncated() if at >= ends else damaged()
        name = int.from_bytes(data[position:at], "big")
        size_length = 9 - data[at].bit_length()
        body = at + size_length
        if size_length > 8:
            raise damaged()
        if body > ends:
            raise truncated()
        size = int.from_bytes(data[at:body], "big") & (1 << 7 * size_length) - 1
        is_open = size == (1 << 7 * size_length) - 1
        if is_open and name not in (_SEGMENT, _CLUSTER):
            raise damaged()
        end = ends if is_open else body + size
        if end > ends:
            raise truncated()
        yield name, position, body, end
        position = body if is_open and name == _CLUSTER else end
    raise damaged()


def _make_void(whole: bytearray, begins: int, ends: int) -> None:
    """Overwrite an element with a void one of the same length."""
    length = ends - begins
    short = length - 2 < 127
    head = bytes((_VOID, 0x80 | length - 2)) if short else bytes((_VOID, 1)) + (length - 9).to_bytes(7, "big")
    whole[begins:ends] = head + b"\x00" * (length - len(head))

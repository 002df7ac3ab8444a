"""Which files a study can show or play. What a file is shows in its first bytes, never in its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["image", "audio"]

MAX_PICTURE_BYTES = 5 * 1024 * 1024
MAX_SOUND_BYTES = 20 * 1024 * 1024
MAX_SIDE = 4_096
MAX_SOUND_MS = 10 * 60 * 1000
# Of one upload, unpacked.
MAX_UPLOAD_BYTES = 60 * 1024 * 1024
MAX_FILES = 2_000
MAX_NAME = 100


@dataclass(frozen=True)
class Format:
    """A kind of file: its name for people, what it is, its extension and its type in HTTP."""

    name: str
    kind: Kind
    extension: str
    content_type: str

    @property
    def most_bytes(self) -> int:
        """How large such a file may be."""
        return MAX_PICTURE_BYTES if self.kind == "image" else MAX_SOUND_BYTES


PNG = Format("PNG", "image", "png", "image/png")
JPEG = Format("JPEG", "image", "jpg", "image/jpeg")
GIF = Format("GIF", "image", "gif", "image/gif")
WEBP = Format("WebP", "image", "webp", "image/webp")
WAV = Format("WAV", "audio", "wav", "audio/wav")
MP3 = Format("MP3", "audio", "mp3", "audio/mpeg")
OGG = Format("Ogg", "audio", "ogg", "audio/ogg")
M4A = Format("M4A", "audio", "m4a", "audio/mp4")

FORMATS = (PNG, JPEG, GIF, WEBP, WAV, MP3, OGG, M4A)
BY_EXTENSION = {known.extension: known for known in FORMATS}
# Other endings that mean one of these formats.
ENDINGS = {**BY_EXTENSION, "jpeg": JPEG, "opus": OGG, "oga": OGG, "wave": WAV, "mp4": M4A, "aac": M4A}


def format_of(data: bytes) -> Format | None:
    """Return the format of a file by its first bytes, None for any other.

    >>> format_of(b"\\x89PNG\\r\\n\\x1a\\n").name, format_of(b"<svg/>")
    ('PNG', None)
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG
    if data.startswith((b"GIF87a", b"GIF89a")):
        return GIF
    if data.startswith(b"RIFF"):
        return {b"WEBP": WEBP, b"WAVE": WAV}.get(data[8:12])
    if data.startswith(b"OggS"):
        return OGG
    if data[4:8] == b"ftyp":
        return M4A
    # Eleven bits that are set begin a frame; layer III is 01.
    is_frame = len(data) > 2 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2
    return MP3 if data.startswith(b"ID3") or is_frame else None

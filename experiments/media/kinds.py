"""Media formats that a study can show or play, recognised by a file's first bytes, never by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["image", "audio", "video"]

MAX_PICTURE_BYTES = 5 * 1024 * 1024
MAX_SOUND_BYTES = 20 * 1024 * 1024
MAX_VIDEO_BYTES = MAX_SOUND_BYTES
MAX_SIDE = 4_096
# Telephones play larger videos with gaps.
MAX_VIDEO_SIDE = 1_920
MAX_SOUND_MS = MAX_VIDEO_MS = 10 * 60 * 1000
# Limit of one upload, unpacked.
MAX_UPLOAD_BYTES = 60 * 1024 * 1024
MAX_FILES = 2_000
MAX_NAME = 100


@dataclass(frozen=True)
class Format:
    """A media format: display name, kind (picture, sound or video), file extension and MIME type."""

    name: str
    kind: Kind
    extension: str
    content_type: str

    @property
    def most_bytes(self) -> int:
        """Maximum size of such a file."""
        return MAX_PICTURE_BYTES if self.kind == "image" else MAX_SOUND_BYTES


PNG = Format("PNG", "image", "png", "image/png")
JPEG = Format("JPEG", "image", "jpg", "image/jpeg")
GIF = Format("GIF", "image", "gif", "image/gif")
WEBP = Format("WebP", "image", "webp", "image/webp")
WAV = Format("WAV", "audio", "wav", "audio/wav")
MP3 = Format("MP3", "audio", "mp3", "audio/mpeg")
OGG = Format("Ogg", "audio", "ogg", "audio/ogg")
M4A = Format("M4A", "audio", "m4a", "audio/mp4")

MP4 = Format("MP4", "video", "mp4", "video/mp4")
WEBM = Format("WebM", "video", "webm", "video/webm")

FORMATS = (PNG, JPEG, GIF, WEBP, WAV, MP3, OGG, M4A, MP4, WEBM)
BY_EXTENSION = {known.extension: known for known in FORMATS}
# Other extensions of these formats.
ENDINGS = {**BY_EXTENSION, "jpeg": JPEG, "opus": OGG, "oga": OGG, "wave": WAV, "aac": M4A, "m4v": MP4}


def format_of(data: bytes) -> Format | None:
    """Return the format of a file by its first bytes; None for any other.

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
    if data.startswith(b"\x1a\x45\xdf\xa3"):
        return WEBM
    # With pictures it is an MP4: `checking` looks for their track.
    if data[4:8] == b"ftyp":
        return M4A
    # A frame begins with eleven set bits; layer III is 01.
    is_frame = len(data) > 2 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2
    return MP3 if data.startswith(b"ID3") or is_frame else None

"""Pictures and sounds for tests, made by code, and a study that has one."""

from __future__ import annotations

import io
import math
import struct
import wave
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from PIL import Image

from experiments.media.checking import checked_file
from experiments.media.storage import store_files
from experiments.models import Study


def picture(kind: str = "PNG", *, size: tuple[int, int] = (12, 8), colour: int = 120, **options: Any) -> bytes:
    """Return a plain picture in a format of Pillow's."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (colour % 256, 30, 90)).save(buffer, kind, **options)
    return buffer.getvalue()


def sound(seconds: float = 0.2, *, rate: int = 8_000) -> bytes:
    """Return a tone as WAV."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        samples = (round(9_000 * math.sin(0.3 * number)) for number in range(round(seconds * rate)))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return buffer.getvalue()


def png_chunk(name: bytes, body: bytes) -> bytes:
    """Return one part of a PNG file."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive of files given by their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def store(study: Study, **files: bytes) -> None:
    """Store files of a study; `dog_png=…` is stored as `dog.png`."""
    named = {name.replace("_", "."): data for name, data in files.items()}
    with transaction.atomic():
        store_files(study, [checked_file(name, data) for name, data in named.items()])


def store_picture(study: Study) -> str:
    """Give a study a picture; return its address."""
    store(study, dog_png=picture())
    row = study.media_files.get(name="dog.png")
    return reverse("participants:media", args=[study.slug, row.content_hash, row.extension])

"""Files are English in whatever language somebody reads the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.utils.translation import override


def in_english(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Make each piece in English; between two of them the thread may answer somebody else."""
    made = iter(pieces)
    while True:
        with override(settings.LANGUAGE_CODE):
            try:
                piece = next(made)
            except StopIteration:
                return
        yield piece

"""Walk the boxes of ISO base media files (ISO/IEC 14496-12), bounded in number and depth."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from experiments.media.refusals import damaged, truncated

_MOST_BOXES = 20_000
_DEEPEST = 8


def boxes(data: bytes, *, entered: tuple[bytes, ...]) -> Iterator[tuple[bytes, int, int]]:
    """Yield (name, start of content, end) of every box in the order of the file, descending into those `entered`.

    Raises UnusableFile for a box that is longer than its parent, for more than 20,000 boxes, and for more than eight
    levels.
    """
    open_ends = [len(data)]
    position = 0
    for _number in range(_MOST_BOXES):
        while open_ends and position >= open_ends[-1]:
            open_ends.pop()
        if not open_ends:
            return
        ends = open_ends[-1]
        if position + 8 > ends:
            raise truncated()
        length, name = struct.unpack_from(">I4s", data, position)
        body = position + 8
        if length == 1:
            if position + 16 > ends:
                raise truncated()
            length, body = struct.unpack_from(">Q", data, position + 8)[0], position + 16
        end = ends if length == 0 else position + length
        if end > ends or end < body:
            raise truncated()
        yield name, body, end
        if name in entered:
            if len(open_ends) >= _DEEPEST:
                raise damaged()
            open_ends.append(end)
            position = body
        else:
            position = end
    raise damaged()

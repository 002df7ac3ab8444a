"""Write a design as bytes, always the same for the same design, and read it back. Pure."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any

from experiments.materials.shapes import Design, DesignCondition, DesignFactor, DesignItem, DesignStimulus

_FORMAT = 1
# A table of 10 MB whose columns are repeated in every row is far below; more is not what was written here.
_MOST_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True)
class Written:
    """A design as compressed bytes, with the SHA-256 of the same before compression."""

    digest: str
    packed: bytes


def written(design: Design) -> Written:
    """Return a design without its lists, which follow from it and the procedure.

    >>> text = DesignStimulus("It rained.", 0, {"region": 1}, attributes={"length": "2"})
    >>> factor, condition = DesignFactor("order", ("a",)), DesignCondition(0, {"order": "a"})
    >>> design = Design((factor,), (condition,), (DesignItem("1", (text,)),), (), reading={"rows": 1})
    >>> read_back(written(design).packed) == design, written(design) == written(design)
    (True, True)
    """
    factors = [factor.name for factor in design.factors]
    plain = {
        "format": _FORMAT,
        "factors": [[factor.name, list(factor.levels)] for factor in design.factors],
        "conditions": [[one.levels.get(name) for name in factors] for one in design.conditions],
        "items": [
            [
                item.code,
                item.item_set,
                item.is_filler,
                item.is_practice,
                dict(item.attributes),
                [
                    [one.condition, one.text, dict(one.extra), dict(one.attributes)]
                    for one in sorted(item.stimuli, key=_place)
                ],
            ]
            for item in design.items
        ],
        "reading": dict(design.reading),
    }
    # Columns keep their order, but databases do not all keep it, so that it is no difference.
    return Written(hashlib.sha256(_bytes(plain, sort_keys=True)).hexdigest(), zlib.compress(_bytes(plain), 6))


def _bytes(plain: Any, *, sort_keys: bool = False) -> bytes:
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    return text.encode("utf-8", "surrogatepass")


def _place(stimulus: DesignStimulus) -> int:
    return -1 if stimulus.condition is None else stimulus.condition


def read_back(packed: bytes) -> Design:
    """Return the design of bytes that `written` made. Raises ValueError for all others."""
    try:
        inflating = zlib.decompressobj()
        data = inflating.decompress(packed, _MOST_BYTES)
        if not inflating.eof:
            raise ValueError("A version of materials is not complete.")
        plain: dict[str, Any] = json.loads(data.decode("utf-8", "surrogatepass"))
    except zlib.error as broken:
        raise ValueError("A version of materials is damaged.") from broken
    if plain["format"] != _FORMAT:
        raise ValueError(f"A version of materials has format {plain['format']}, which this release cannot read.")
    factors = tuple(DesignFactor(name, tuple(levels)) for name, levels in plain["factors"])
    conditions = tuple(
        DesignCondition(
            place, {one.name: level for one, level in zip(factors, levels, strict=True) if level is not None}
        )
        for place, levels in enumerate(plain["conditions"])
    )
    items = tuple(
        DesignItem(
            code,
            tuple(DesignStimulus(text, condition, extra, attributes=own) for condition, text, extra, own in stimuli),
            item_set,
            is_filler,
            is_practice,
            attributes,
        )
        for code, item_set, is_filler, is_practice, attributes, stimuli in plain["items"]
    )
    return Design(factors, conditions, items, (), reading=plain["reading"])

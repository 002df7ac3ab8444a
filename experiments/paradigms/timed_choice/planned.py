"""Plan the displays of one trial: fixation, masks, prime, timed target. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.formats.words import NeedsRegions, split_segments
from experiments.paradigms.base import ShownStimulus, alt_column

BEFORE_TARGET = ("fixation", "forward_mask", "prime", "backward_mask")
TARGET = "target"
WORD_BY_WORD = "word-by-word"
MEDIA = ("image", "audio")


def displays_of(text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the displays that have a duration, in order: `kind`, `text` and `ms` of each.

    The text of a display is the cell of the column with its name, otherwise the setting; without either the display is
    blank. A mask of one character is repeated to the length of the longer of prime and target. The target is included
    if it is shown word by word or for a fixed time.

    >>> settings = {"fixation": "+", "fixation_ms": 500, "forward_mask": "#", "forward_mask_ms": 500, "prime": "",
    ...             "prime_ms": 50, "backward_mask": "", "backward_mask_ms": 0, "presentation": "whole", "target_ms": 0}
    >>> [(each["text"], each["ms"]) for each in displays_of("TABLE", {"prime": "table"}, settings)]
    [('+', 500), ('#####', 500), ('table', 50)]
    """
    prime = _content("prime", extra, settings)
    longest = max(len(text), len(prime) if settings["prime_ms"] else 0)
    displays = []
    for kind in BEFORE_TARGET:
        if settings[f"{kind}_ms"]:
            shown = _content(kind, extra, settings)
            is_repeated = kind.endswith("_mask") and len(shown) == 1
            displays.append(
                {"kind": kind, "text": shown * longest if is_repeated else shown, "ms": settings[f"{kind}_ms"]}
            )
    return [*displays, *_timed_target(text, extra, settings)]


def _content(kind: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    return str(extra.get(kind, "") or "").strip() or str(settings[kind])


def _timed_target(text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    if settings["presentation"] == WORD_BY_WORD and not has_media(extra):
        return [{"kind": TARGET, "text": word, "ms": settings["ms_per_word"]} for word in words_of(text, extra)]
    if settings["target_ms"] and not extra.get("audio"):
        return [{"kind": TARGET, "text": text, "ms": settings["target_ms"]}]
    return []


def words_of(text: str, extra: Mapping[str, Any]) -> list[str]:
    """Return the words of a text for word-by-word display; the whole text if it cannot be split."""
    try:
        return split_segments(text, regions=str(extra.get("regions", "") or ""))
    except NeedsRegions:
        # Such a study cannot open. Until its materials are corrected, its pages show the whole text.
        return [text]


def has_media(extra: Mapping[str, Any]) -> bool:
    """Return whether a row names a picture or a sound.

    >>> has_media({"image": "otter.png"}), has_media({"image": " ", "prime": "otter"})
    (True, False)
    """
    return any(str(extra.get(kind, "") or "").strip() for kind in MEDIA)


def media_of(stimulus: ShownStimulus) -> dict[str, Any]:
    """Return the picture (`image`) and sound (`audio`) of a stimulus as the browser gets them, if any."""
    known: dict[str, Any] = {}
    if picture := stimulus.media.get("image"):
        known["image"] = {**picture, "alt": str(stimulus.extra.get(alt_column("image"), "") or "").strip()}
    if sound := stimulus.media.get("audio"):
        known["audio"] = {**sound, "replay": False}
    return known

"""Plan the displays of one trial: fixation, masks, prime, timed target. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from experiments.formats.media_names import is_media_name
from experiments.formats.words import NeedsRegions, split_segments
from experiments.paradigms.base import Interval, ShownStimulus, alt_column
from experiments.paradigms.pieces.media import delay_of

BEFORE_TARGET = ("fixation", "forward_mask", "prime", "backward_mask")
TARGET = "target"
WORD_BY_WORD = "word-by-word"
MEDIA = ("image", "audio", "video")
# What plays has a time of its own.
PLAYED = ("audio", "video")
MOST_MS = 10_000
_MILLISECONDS = re.compile(r"[0-9]{1,5}")


def displays_of(
    text: str,
    extra: Mapping[str, Any],
    settings: Mapping[str, Any],
    media: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """Return the displays that have a duration, in order: `kind`, `text` and `ms` of each.

    The text of a display is the cell of the column with its name, otherwise the setting; without either the display is
    blank. A mask of one character is repeated to the length of the longer of prime and target. A name of a file in
    `media` gives what the browser needs of it, under its kind and with its name as `file`, and no text. Durations are
    those of the columns such as `prime_ms`, otherwise of the settings; sounds and videos without one last as long as
    they play. The target is included if it is shown word by word or for a fixed time.

    >>> settings = {"fixation": "+", "fixation_ms": 500, "forward_mask": "#", "forward_mask_ms": 500, "prime": "",
    ...             "prime_ms": 50, "backward_mask": "", "backward_mask_ms": 0, "presentation": "whole", "target_ms": 0}
    >>> [(each["text"], each["ms"]) for each in displays_of("TABLE", {"prime": "table"}, settings)]
    [('+', 500), ('#####', 500), ('table', 50)]
    >>> displays_of("TABLE", {"prime": "a.png", "prime_ms": "33"}, settings, {"prime": {"kind": "image"}})[-1]
    {'kind': 'prime', 'text': '', 'ms': 33, 'image': {'kind': 'image', 'alt': ''}, 'file': 'a.png'}
    """
    prime = _content("prime", extra, settings)
    has_prime = duration_of("prime", extra, settings) and not is_media_name(prime)
    longest = max(len(text), len(prime) if has_prime else 0)
    displays = []
    for kind in BEFORE_TARGET:
        shown = _content(kind, extra, settings)
        file = (media or {}).get(kind)
        ms = duration_of(kind, extra, settings)
        if file is not None and file["kind"] in PLAYED:
            ms = ms or file["duration_ms"]
        if not ms:
            continue
        is_repeated = kind.endswith("_mask") and len(shown) == 1
        display = {"kind": kind, "text": shown * longest if is_repeated else shown, "ms": ms}
        if is_media_name(shown):
            # A file that is missing, as in a preview, is blank: its name is never shown as a text.
            display |= {"text": "", **(_shown_file(file) if file else {}), "file": shown}
        displays.append(display)
    return [*displays, *_timed_target(text, extra, settings)]


def _shown_file(file: Mapping[str, Any]) -> dict[str, Any]:
    own: dict[str, dict[str, Any]] = {
        "image": {"alt": ""},
        "audio": {"replay": False},
        "video": {"muted": not file.get("has_sound")},
    }
    return {file["kind"]: {**file, **own[file["kind"]]}}


def duration_of(kind: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> int:
    """Return how long a display is shown, in milliseconds: by its column, otherwise by the setting; 0 for none.

    >>> duration_of("prime", {"prime_ms": "33"}, {"prime_ms": 50}), duration_of("prime", {}, {"prime_ms": 50})
    (33, 50)
    """
    ms = milliseconds_in(str(extra.get(f"{kind}_ms") or ""))
    return int(settings[f"{kind}_ms"]) if ms is None else ms


def intervals_in(shown: Sequence[ShownStimulus], settings: Mapping[str, Any]) -> list[Interval]:
    """Return the SOA and ISI of prime and target, over the trials that have a prime, and the ITI with its jitter.

    >>> settings = {"prime_ms": 50, "backward_mask_ms": 10, "iti_ms": 500, "iti_jitter_ms": 200}
    >>> [(each.name, each.least, each.most) for each in intervals_in([], settings)]
    [('SOA', 60, 60), ('ISI', 10, 10), ('ITI', 500, 700)]
    """
    rows: list[Mapping[str, Any]] = [stimulus.extra for stimulus in shown] or [{}]
    primed = [row for row in rows if duration_of("prime", row, settings)]
    blanks = [duration_of("backward_mask", row, settings) for row in primed]
    onsets = [duration_of("prime", row, settings) + blank for row, blank in zip(primed, blanks, strict=True)]
    found = []
    if primed:
        found = [
            Interval("SOA", _("from the onset of the prime to the onset of the target"), min(onsets), max(onsets)),
            Interval("ISI", _("from the end of the prime to the onset of the target"), min(blanks), max(blanks)),
        ]
    pause, jitter = int(settings["iti_ms"]), int(settings["iti_jitter_ms"])
    return [*found, Interval("ITI", _("between two trials, before the fixation"), pause, pause + jitter)]


def milliseconds_in(cell: str) -> int | None:
    """Return the whole milliseconds that a cell says, at most `MOST_MS`; None for anything else.

    >>> milliseconds_in("50"), milliseconds_in("50.0"), milliseconds_in("50 ms"), milliseconds_in("long")
    (50, 50, 50, None)
    """
    written = cell.strip().removesuffix("ms").strip().removesuffix(".0")
    return int(written) if _MILLISECONDS.fullmatch(written) and int(written) <= MOST_MS else None


def _content(kind: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    return str(extra.get(kind, "") or "").strip() or str(settings[kind])


def _timed_target(text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    if settings["presentation"] == WORD_BY_WORD and not has_media(extra):
        return [{"kind": TARGET, "text": word, "ms": settings["ms_per_word"]} for word in words_of(text, extra)]
    ms = duration_of(TARGET, extra, settings)
    if ms and not any(extra.get(kind) for kind in PLAYED):
        return [{"kind": TARGET, "text": text, "ms": ms}]
    return []


def words_of(text: str, extra: Mapping[str, Any]) -> list[str]:
    """Return the words of a text for word-by-word display; the whole text if it cannot be split."""
    try:
        return split_segments(text, regions=str(extra.get("regions", "") or ""))
    except NeedsRegions:
        # Such a study cannot open. Until its materials are corrected, its pages show the whole text.
        return [text]


def has_media(extra: Mapping[str, Any]) -> bool:
    """Return whether a row names a picture, a sound or a video.

    >>> has_media({"image": "otter.png"}), has_media({"image": " ", "prime": "otter"})
    (True, False)
    """
    return any(str(extra.get(kind, "") or "").strip() for kind in MEDIA)


def media_of(stimulus: ShownStimulus) -> dict[str, Any]:
    """Return the picture (`image`), sound (`audio`) and video of a stimulus as the browser gets them, if any."""
    known: dict[str, Any] = {}
    if picture := stimulus.media.get("image"):
        known["image"] = {**picture, "alt": str(stimulus.extra.get(alt_column("image"), "") or "").strip()}
    if sound := stimulus.media.get("audio"):
        known["audio"] = {**sound, "replay": False, **delay_of(stimulus.extra)}
    if video := stimulus.media.get("video"):
        known["video"] = {**video, "muted": not video.get("has_sound")}
    return known

"""The front page of the documents shows a recording of a minute, with words for those who do not see it."""

from __future__ import annotations

import re

from PIL import Image, ImageSequence

from experiments.tour import SCENES
from tests.browser.recording import FIRST_FRAME, HEIGHT, LINE, OUT, SECONDS, WIDTH


def test_it_lasts_sixty_seconds_and_plays_once() -> None:
    with Image.open(OUT) as recording:
        shown = []
        for frame in ImageSequence.Iterator(recording):
            frame.load()
            shown.append(frame.info["duration"])
        assert abs(sum(shown) / 1000 - SECONDS) < 1
        assert len(shown) >= len(SCENES)
        assert recording.size == (WIDTH, HEIGHT + LINE)
        assert recording.info["loop"] == 1
    assert OUT.stat().st_size < 2_000_000
    with Image.open(FIRST_FRAME) as still:
        assert still.size == (WIDTH, HEIGHT + LINE)


def test_the_front_page_shows_it_and_says_what_it_shows() -> None:
    page = (OUT.parents[1] / "README.md").read_text(encoding="utf-8")
    said = re.search(r"!\[([^\]]+)\]\(pictures/demo\.webp\)", page)
    assert said is not None
    assert len(said[1].split()) > 20

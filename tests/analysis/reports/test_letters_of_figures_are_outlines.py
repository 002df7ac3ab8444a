"""An SVG looks the same on every system: its letters are outlines, and it names no font that may be absent."""

from __future__ import annotations

import re
import sys
import threading
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from analysis.methods import registry
from analysis.methods.declarations import Method
from analysis.reports import figures, letters
from analysis.reports.letters import ANY_FONT, as_outlines

METHODS = [method for method in registry.analyses().values() if method.example is not None]
SVG = "{http://www.w3.org/2000/svg}"


def pictures(slug: str) -> list[str]:
    method = registry.method_named(slug)
    assert method.example is not None
    report = registry.run(method, *method.example())
    return [figures.svg(report, figure) for figure in report.figures]


@pytest.mark.parametrize("method", METHODS[:8], ids=lambda method: method.slug)
def test_no_figure_names_a_font_or_holds_text(method: Method) -> None:
    for picture in pictures(method.slug):
        ElementTree.fromstring(picture)  # is well-formed
        assert "<text" not in picture
        assert "font-family" not in picture
        assert "Liberation" not in picture
        assert "Arial" not in picture


def test_the_bytes_are_the_same_every_time() -> None:
    assert pictures("rm-anova") == pictures("rm-anova")


def test_every_word_is_there_as_an_outline_with_its_name() -> None:
    (picture,) = pictures("rm-anova")
    named = {path.get("aria-label"): path for path in ElementTree.fromstring(picture).iter(f"{SVG}path")}
    for word in ("because", "because-of", "Mean z", "−0.5", "Mean z by marker and order"):
        assert re.match(r"M-?\d", str(named[word].get("d"))), word


def text(content: str, **attributes: str) -> Any:
    written = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return ElementTree.fromstring(
        as_outlines(f'<svg xmlns="http://www.w3.org/2000/svg"><text {written}>{content}</text></svg>')
    )


def moved(path: Any) -> float:
    return float(re.findall(r"translate\((-?[\d.]+),", path.get("transform"))[-1])


def test_a_word_ends_or_is_centred_where_text_would_be() -> None:
    # Widths of Liberation Sans, which are those of Arial: H, a and l are 1479, 1139 and 455 of 2048.
    width = (1479 + 1139 + 455) * 12 / 2048
    (end,) = text("Hal", font_size="12px", text_anchor="end", fill="red")
    (middle,) = text("Hal", font_size="12px", text_anchor="middle", transform="translate(5,6)")
    assert moved(end) == pytest.approx(-width, abs=1e-4)
    assert end.get("fill") == "red"
    assert moved(middle) == pytest.approx(-width / 2, abs=1e-4)
    assert middle.get("transform").startswith("translate(5,6) translate(")


def test_bold_titles_lines_and_signs_are_kept() -> None:
    first, second = text(
        '<tspan>a &amp; &lt;b&gt;</tspan><tspan x="0" dy="15">second "line"</tspan>',
        font_weight="600",
        font_size="13px",
    )
    assert (first.get("aria-label"), second.get("aria-label")) == ("a & <b>", 'second "line"')
    assert ",15)" in second.get("transform")
    (regular,) = text("a", font_size="13px")
    (bold,) = text("a", font_size="13px", font_weight="bold")
    assert regular.get("d") != bold.get("d")


@pytest.mark.parametrize("word", ["日本語", "שלום", "e\u0301te", "مرحبا", "\U0001f600"])
def test_what_the_font_cannot_draw_stays_text_in_any_font_without_serifs(word: str) -> None:
    (kept,) = text(word, font_family="Liberation Sans, Arial", font_size="12px")
    assert (kept.tag, kept.text, kept.get("font-family")) == (f"{SVG}text", word, ANY_FONT)


def test_people_who_ask_for_figures_at_once_get_the_same_outlines() -> None:
    texts = [chr(letter) * 3 for letter in range(ord("!"), ord("~"))]
    alone = letters.Face(letters.FONTS / "LiberationSans-Regular.ttf")
    expected = [alone.drawn(text) for text in texts]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as people:
            for _ in range(3):
                face = letters.Face(letters.FONTS / "LiberationSans-Regular.ttf")
                start = threading.Barrier(8)

                def drawn(_: int, face: letters.Face = face, start: threading.Barrier = start) -> object:
                    start.wait()
                    return [face.drawn(text) for text in texts]

                assert all(found == expected for found in people.map(drawn, range(8)))
    finally:
        sys.setswitchinterval(usual)

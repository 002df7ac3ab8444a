"""Find statistical symbols in sentences, for formats other than HTML."""

from __future__ import annotations

import html
import re

from analysis.reports.symbols import sentence_html

_ITALIC = re.compile(r"<i>(.*?)</i>", re.DOTALL)


def symbols(text: str) -> list[tuple[str, bool]]:
    """Return a sentence in parts, each with whether it is a symbol: the same ones as on the page of a report.

    >>> symbols("F(1, 49) = 5.19")
    [('F', True), ('(1,\\xa049)\\xa0=\\xa05.19', False)]
    """
    parts = _ITALIC.split(sentence_html(text))
    return [(html.unescape(part), index % 2 == 1) for index, part in enumerate(parts) if part]

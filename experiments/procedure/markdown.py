"""Parse the Markdown of participants' texts into blocks: headings, lists, emphasis, links. No HTML in or out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

Span = dict[str, Any]

# Allowed link targets: web pages and mail addresses.
_SCHEMES = ("https", "http", "mailto")
_TARGETS = re.compile(r"\]\(\s*<?([^)>\s]*)")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def _leads_somewhere(target: str) -> bool:
    try:
        parts = urlsplit(target)
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.netloc or (parts.scheme == "mailto" and parts.path))


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False})
    # Rules that are switched off, so that texts may contain `x < y`, indented lines and rows of hyphens.
    reader.disable(["code", "fence", "lheading", "reference", "html_block"])
    reader.disable(["backticks", "image", "entity", "html_inline"])
    reader.validateLink = _leads_somewhere  # type: ignore[assignment]  # where the library looks for it
    return reader


_READER = _reader()


def escaped(words: str) -> str:
    r"""Escape words so that Markdown shows them literally.

    >>> escaped("A*B*")
    'A\\*B\\*'
    """
    return _PUNCTUATION.sub(r"\\\1", words)


def wrong_links(body: str) -> list[str]:
    """Return the invalid targets of links, in order.

    >>> wrong_links("[a](https://example.org) [b](example.org) [c](javascript:x)")
    ['example.org', 'javascript:x']
    """
    targets = [target.replace("\\", "") for target in _TARGETS.findall(body)]
    return [target for target in targets if not _leads_somewhere(target)]


def markdown_pages(body: str) -> list[list[dict[str, Any]]]:
    """Return the pages of a text, each a list of blocks, as `texts.blocks` does for texts with four marks.

    `text` and `items` are plain. With emphasis or links, `spans` has the same text in pieces (`item_spans`: those of
    every item of a list). A numbered list has the number of its `first` item, a heading below the top level its
    `level`. A nested list is flattened into its parent, and a quotation becomes an example.

    >>> markdown_pages("See *this*.\\n\\n2. two\\n---\\n## Less")
    [[{'type': 'paragraph', 'text': 'See this.', 'spans': [{'text': 'See '}, {'text': 'this', 'emphasis': True},
      {'text': '.'}]}, {'type': 'list', 'items': ['two'], 'first': 2}],
     [{'type': 'heading', 'text': 'Less', 'level': 2}]]
    """
    pages: list[list[dict[str, Any]]] = [[]]
    outermost: dict[str, Any] = {}
    entries: list[list[Span]] = []
    heading: dict[str, Any] = {}
    for token in _READER.parse(body):
        match token.type:
            case "hr" if not outermost:
                pages.append([])
            case "heading_open":
                level = int(token.tag[1])
                heading = {"type": "heading", **({"level": level} if level > 1 else {})}
            case "heading_close":
                heading = {}
            case "blockquote_open" | "bullet_list_open" | "ordered_list_open" if token.level == 0:
                outermost, entries = {"type": "example" if token.type == "blockquote_open" else "list"}, []
                if token.type == "ordered_list_open":
                    outermost["first"] = int(token.attrs.get("start", 1))
            case "list_item_open" if outermost["type"] == "list":
                entries.append([])
            case "inline":
                spans = _spans(token.children or [])
                if not outermost:
                    pages[-1].append(_block(heading or {"type": "paragraph"}, spans))
                elif entries:
                    entries[-1] += [{"text": "\n"}, *spans] if entries[-1] else spans
                else:
                    entries.append(spans)
            case "blockquote_close" | "bullet_list_close" | "ordered_list_close" if token.level == 0:
                pages[-1].append(_of_several(outermost, entries))
                outermost = {}
    return [page for page in pages if page]


def _block(block: dict[str, Any], spans: list[Span]) -> dict[str, Any]:
    whole = {"type": block["type"], "text": _words(spans)}
    return whole | {key: block[key] for key in block if key != "type"} | ({"spans": spans} if _marked(spans) else {})


def _of_several(outermost: dict[str, Any], entries: list[list[Span]]) -> dict[str, Any]:
    if outermost["type"] == "example":
        return _block(outermost, entries[0] if entries else [])
    block = {"type": "list", "items": [_words(entry) for entry in entries]}
    spans = {"item_spans": entries} if any(map(_marked, entries)) else {}
    return block | {key: outermost[key] for key in outermost if key != "type"} | spans


def _spans(tokens: Sequence[Token]) -> list[Span]:
    spans: list[Span] = []
    marks: dict[str, Any] = {}
    for token in tokens:
        match token.type:
            case "strong_open":
                marks = {**marks, "strong": True}
            case "em_open":
                marks = {**marks, "emphasis": True}
            case "link_open":
                marks = {**marks, "href": str(token.attrs["href"])}
            case "strong_close" | "em_close" | "link_close" as closed:
                name = {"strong_close": "strong", "em_close": "emphasis", "link_close": "href"}[closed]
                marks = {key: value for key, value in marks.items() if key != name}
            case _:
                words = {"softbreak": " ", "hardbreak": "\n"}.get(token.type, token.content)
                if spans and {key: spans[-1][key] for key in spans[-1] if key != "text"} == marks:
                    spans[-1]["text"] += words
                elif words:
                    spans.append({"text": words, **marks})
    return spans


def _marked(spans: Sequence[Span]) -> bool:
    return any(len(span) > 1 for span in spans)


def _words(spans: Sequence[Span]) -> str:
    return "".join(span["text"] for span in spans)

"""Translatable English sentences for code that does not import Django.

A sentence is a string: commands print it, study files and logs contain it, tests compare it. It remembers its template
and values, so that pages in another language translate it automatically.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    # Renders a sentence on a page: unchanged, or in the language of the request.
    Words: TypeAlias = str | _StrPromise


class Sentence(str):
    """A sentence with named places: `Sentence("There is no column '{name}'.", name="txt")`.

    Values may be sentences themselves. `texts` are the text and, if it contains a count, its plural. `voice` translates
    into the language of the page; the pages set it.

    >>> said = Sentence("There is no column '{name}'.", name="txt")
    >>> said, said.texts, said.values
    ("There is no column 'txt'.", ("There is no column '{name}'.",), {'name': 'txt'})
    >>> type(str(said)).__name__, type(f"{said} So.").__name__
    ('Sentence', 'str')
    """

    voice: ClassVar[Callable[[Any], str] | None] = None
    texts: tuple[str, ...]
    values: Mapping[str, Any]

    def __new__(cls, *texts: str, **values: Any) -> Sentence:
        is_plural = len(texts) > 1 and values["n"] != 1
        self = super().__new__(cls, texts[is_plural].format(**values))
        self.texts, self.values = texts, values
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]:
        return self.texts, dict(self.values)

    def __str__(self) -> str:
        return self

    def __html__(self) -> str:
        """Return the sentence for a page: Django asks for this wherever it would escape a text."""
        voice = type(self).voice
        return html.escape(str.__str__(self) if voice is None else voice(self))


def counting(one: str, many: str, n: int, **values: Any) -> Sentence:
    """Return the sentence for a number of things, which both texts may show as `{n}`.

    >>> counting("{n} row is empty.", "{n} rows are empty.", 2)
    '2 rows are empty.'
    """
    return Sentence(one, many, n=n, **values)

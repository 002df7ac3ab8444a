"""Parsed sentences in one shape, whichever parser made them, and reading them from CoNLL-U."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from analysis.text.quality.segments import Sentence

Role = Literal["S", "O", "X"]

SUBJECTS: Final = frozenset({"nsubj", "csubj"})
OBJECTS: Final = frozenset({"obj", "iobj"})
NOMINAL: Final = frozenset({"NOUN", "PROPN"})


class NotConllu(ValueError):
    """The text is no CoNLL-U; the message says which line is not, and why."""


@dataclass(frozen=True)
class Token:
    """A word of a parse. `head` is the position of its head from 0, −1 for the root, None where not known."""

    form: str
    lemma: str
    pos: str
    role: Role | None
    head: int | None = None
    linked: bool = True


@dataclass(frozen=True)
class Mention:
    """A named entity: its tokens from `start` up to `end`, the position of their head, and its kind."""

    start: int
    end: int
    head: int
    kind: str


@dataclass(frozen=True)
class Parse:
    """A parsed sentence; `arcs` are the distances, in words, that links or dependencies span.

    `mentions` are its named entities, None where the parser finds none.
    """

    tokens: tuple[Token, ...]
    arcs: tuple[int, ...]
    mentions: tuple[Mention, ...] | None = None

    @property
    def depth(self) -> int | None:
        """The longest way from a word to the root, in arcs; None where the parser gives no heads."""
        if not self.tokens or any(token.head is None for token in self.tokens):
            return None
        return max(self._depth_of(position) for position in range(len(self.tokens)))

    def _depth_of(self, position: int) -> int:
        steps = 0
        head = self.tokens[position].head
        while head is not None and head >= 0 and steps <= len(self.tokens):
            steps += 1
            head = self.tokens[head].head
        return steps

    @property
    def has_verb(self) -> bool:
        """Whether a verb or an auxiliary is among the words."""
        return any(token.pos in ("VERB", "AUX") for token in self.tokens)


Parsed = Sequence[tuple[Sentence, Parse | None]]
"""The sentences of a text, each with its parse, or None where the parser gave none."""


def role_of(relation: str, pos: str) -> Role | None:
    """Return subject, object or another role (X) of a noun or name by its universal dependency; other words have none.

    >>> role_of("nsubj:pass", "PROPN"), role_of("obl", "NOUN"), role_of("obj", "PRON")
    ('S', 'X', None)
    """
    if pos not in NOMINAL:
        return None
    name = relation.partition(":")[0]
    if name in SUBJECTS:
        return "S"
    return "O" if name in OBJECTS else "X"


def read_conllu(text: str) -> tuple[Parse, ...]:
    r"""Read the sentences of a text in CoNLL-U; multiword ranges and empty nodes are passed over.

    Raises NotConllu.

    >>> rows = "1\tTom\tTom\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tslept\tsleep\tVERB\t_\t_\t0\troot\t_\t_\n"
    >>> parse, = read_conllu(rows)
    >>> [(token.lemma, token.role, token.head) for token in parse.tokens], parse.depth, parse.arcs
    ([('tom', 'S', 1), ('sleep', None, -1)], 1, (1,))
    """
    parses: list[Parse] = []
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if not line.strip():
            if rows:
                parses.append(_parse(rows))
            rows = []
            continue
        if line.startswith("#"):
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) != 10:
            raise NotConllu(f"line {number} has {len(fields)} fields between tabs and not the ten of CoNLL-U")
        if fields[0].isdigit():
            rows.append((number, fields))
    return tuple(parses)


def _parse(rows: Sequence[tuple[int, list[str]]]) -> Parse:
    place = {fields[0]: position for position, (_, fields) in enumerate(rows)}
    tokens: list[Token] = []
    arcs: list[int] = []
    for position, (number, fields) in enumerate(rows):
        _, form, lemma, pos, _, _, head, relation, *_ = fields
        if head not in place and head != "0":
            raise NotConllu(f"line {number} names the head '{head}', which its sentence does not have")
        at = place.get(head, -1)
        if at >= 0 and pos != "PUNCT":
            arcs.append(abs(position - at))
        name = (form if lemma == "_" else lemma).casefold()
        tokens.append(Token(form, name, pos, role_of(relation, pos), at))
    return Parse(tuple(tokens), tuple(arcs))

"""Tell how the time of a regular expression grows with the text: the ambiguity of its automaton.

A backtracking matcher takes exponential time where one state has two paths back to itself over the same text, and
polynomial time where a loop leads to another loop over the text on which both go round (Weideman, van der Merwe,
Berglund and Watson 2016, *Analyzing matching time behavior of backtracking regular expression matchers by using
ambiguity of NFA*). What stands behind the loops is looked at only where nothing does: there a match cannot fail. A
pattern may be called slow that is not.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from re import _constants as op
from re import _parser as parser
from typing import Any

# What `\s`, `\w`, `\d`, `.` and their opposites tell apart, besides the characters of the pattern itself.
USUAL = "".join((string.ascii_lowercase[:1], "Z", "0", "_", " \t\n\r", "é", "中", "-", "\u2028", "\x00", "\U0001f600"))
COPIES = 3


@dataclass
class Automaton:
    """States with edges over sets of characters (bits of `alphabet`), and empty edges that may forbid characters."""

    alphabet: str
    flags: int
    empty: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    over: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    bound: set[tuple[int, int]] = field(default_factory=set)
    n: int = 0

    def state(self) -> int:
        self.n += 1
        return self.n - 1

    def mask(self, node: tuple[Any, Any]) -> int:
        """Return the characters that one element of a pattern takes."""
        tree = parser.SubPattern(parser.State(), [node])
        tree.state.str = ""
        one = re._compiler.compile(tree, self.flags)
        return sum(1 << place for place, character in enumerate(self.alphabet) if one.fullmatch(character))

    def build(self, tree: Any, start: int) -> int:
        """Add a pattern that begins in a state; return the state in which it ends."""
        for kind, value in tree:
            start = self._add(kind, value, start)
        return start

    def _add(self, kind: Any, value: Any, start: int) -> int:
        end = self.state()
        if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            self.over[start].append((self.mask((kind, value)), end))
        elif kind is op.BRANCH:
            for branch in value[1]:
                begin = self.state()
                self.empty[start].append((begin, 0))
                self.empty[self.build(branch, begin)].append((end, 0))
        elif kind is op.SUBPATTERN:
            self.empty[self.build(value[3], start)].append((end, 0))
        elif kind is op.ATOMIC_GROUP:
            self.empty[self.build(value, start)].append((end, 0))
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            self._repeat(kind, value, start, end)
        elif kind is op.GROUPREF_EXISTS:
            for branch in filter(None, value[1:]):
                self.empty[self.build(branch, start)].append((end, 0))
            self.empty[start].append((end, 0))
        else:  # places, what is looked at ahead or behind, and groups that come again
            self.empty[start].append((end, 0))
            self.bound.add((start, end))
        return end

    def _repeat(self, kind: Any, value: Any, start: int, end: int) -> None:
        least, most, body = value
        without_end = most == op.MAXREPEAT
        for number in range(min(most, COPIES) if not without_end else min(least, COPIES)):
            if number >= least:
                self.empty[start].append((end, 0))
            start = self.build(body, start)
        forbidden = 0
        if without_end:
            begin = self.state()
            self.empty[start].append((begin, 0))
            self.empty[self.build(body, begin)].append((begin, 0))
            start = begin
            if kind is op.POSSESSIVE_REPEAT and len(body) == 1 and body[0][0] in (op.LITERAL, op.NOT_LITERAL, op.IN):
                forbidden = self.mask(body[0])
        self.empty[start].append((end, forbidden))

    def edges(self) -> dict[int, list[tuple[int, int]]]:
        """Return the edges over characters between states, one for every way of empty edges that leads to it."""
        return {
            state: [(mask & ~forbidden, to) for there, forbidden in self._ways(state) for mask, to in self.over[there]]
            for state in range(self.n)
        }

    def done(self, end: int) -> set[int]:
        """Return the states in which a pattern that ends in a state is matched already, whatever follows."""
        found = {end}
        while more := {
            state
            for state, ways in self.empty.items()
            if state not in found
            and any(to in found and not forbidden and (state, to) not in self.bound for to, forbidden in ways)
        }:
            found |= more
        return found

    def _ways(self, state: int, used: frozenset[int] = frozenset(), forbidden: int = 0) -> Iterator[tuple[int, int]]:
        yield state, forbidden
        for to, forbids in self.empty[state]:
            if to not in used and to != state:
                yield from self._ways(to, used | {state}, forbidden | forbids)


def growth(pattern: str, flags: int = 0, *, searched: bool = False, whole: bool = False) -> str:
    """Return how the time of a pattern grows: "linear", "polynomial" or "exponential".

    `searched`: whether it is looked for at every place of the text, not at its beginning alone; `whole`: whether it has
    to take the whole text.

    >>> growth(r"(?:a+|b)*c"), growth(r"\\s*\\s*x"), growth(r"\\s+x", searched=True), growth(r"(?:[^x]|\\\\.)*x")
    ('exponential', 'polynomial', 'polynomial', 'exponential')
    >>> growth(r"\\s+x"), growth(r"<[^<>]+>", searched=True), growth(r"(?:,\\s*\\w+)*$"), growth(r"\\w*+\\w*x")
    ('linear', 'linear', 'linear', 'linear')
    >>> growth(r"x\\s+", searched=True), growth(r"\\w+", searched=True), growth(r"^[ ]*x", re.M, searched=True)
    ('linear', 'linear', 'linear')
    """
    tree = parser.parse(pattern, flags)
    flags = tree.state.flags
    automaton = Automaton("".join(sorted(set(USUAL) | set(_characters(tree)))), flags)
    start = automaton.state()
    everything = (1 << len(automaton.alphabet)) - 1
    before = _before(tree, automaton, everything)
    if searched and (before != 0):
        # In vain at one place, it is looked for at the next.
        first = automaton.state()
        automaton.over[start].append((everything, start))
        if before == everything:
            automaton.empty[start].append((first, 0))
        else:
            automaton.over[start].append((before, first))
        start = first
    end = automaton.build(tree, start)
    done = set() if whole else automaton.done(end)
    edges = {state: [(mask, to) for mask, to in ways if to not in done] for state, ways in automaton.edges().items()}
    if any(_has_two_ways_round(edges, state) for state in _on_circles(edges)):
        return "exponential"
    return "polynomial" if _has_loops_in_a_row(edges) else "linear"


def _before(tree: Any, automaton: Automaton, everything: int) -> int:
    """Return the characters after which a pattern may begin: 0 at the beginning of the text alone."""
    if not len(tree):
        return everything
    kind, value = tree[0]
    if (kind, value) == (op.AT, op.AT_BEGINNING):
        return 1 << automaton.alphabet.index("\n") if automaton.flags & re.MULTILINE else 0
    if kind is op.ASSERT_NOT and value[0] == -1 and len(value[1]) == 1:
        return everything & ~automaton.mask(value[1][0])
    return everything


def _characters(tree: Any) -> Iterator[str]:
    for kind, value in tree:
        if kind in (op.LITERAL, op.NOT_LITERAL):
            yield chr(value)
        elif kind is op.RANGE:
            yield from (chr(value[0]), chr(value[1]), chr((value[0] + value[1]) // 2))
        elif kind is op.IN:
            yield from _characters(value)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _characters(branch)
        elif kind is op.SUBPATTERN:
            yield from _characters(value[3])
        elif kind is op.ATOMIC_GROUP:
            yield from _characters(value)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from _characters(value[2])


Edges = dict[int, list[tuple[int, int]]]


def _reached(edges: Edges, state: int) -> set[int]:
    """Return the states that a state reaches by at least one character."""
    seen: set[int] = set()
    waiting = [state]
    while waiting:
        for mask, to in edges[waiting.pop()]:
            if mask and to not in seen:
                seen.add(to)
                waiting.append(to)
    return seen


def _on_circles(edges: Edges) -> list[int]:
    return [state for state in edges if state in _reached(edges, state)]


def _has_two_ways_round(edges: Edges, state: int) -> bool:
    """Return whether two different ways lead from a state back to it over the same text."""
    there = {to for to in _reached(edges, state) if state in _reached(edges, to)}
    seen = {(state, state, False)}
    waiting = [(state, state, False)]
    while waiting:
        one, other, apart = waiting.pop()
        for number, (mask, to) in enumerate(edges[one]):
            for number_of_other, (mask_of_other, to_other) in enumerate(edges[other]):
                if not mask & mask_of_other or to not in there or to_other not in there:
                    continue
                differs = apart or one != other or number != number_of_other
                if differs and to == to_other == state:
                    return True
                if (node := (to, to_other, differs)) not in seen:
                    seen.add(node)
                    waiting.append(node)
    return False


def _has_loops_in_a_row(edges: Edges) -> bool:
    """Return whether a loop leads to another over a text on which both go round."""
    reached = {state: _reached(edges, state) for state in edges}
    loops = [state for state in edges if state in reached[state]]
    return any(_go_round_together(edges, reached, p, q) for p in loops for q in loops if p != q and q in reached[p])


def _go_round_together(edges: Edges, reached: dict[int, set[int]], p: int, q: int) -> bool:
    seen = {(p, p, q)}
    waiting = [(p, p, q)]
    while waiting:
        a, b, c = waiting.pop()
        for mask_a, to_a in edges[a]:
            if p not in reached[to_a] and to_a != p:
                continue
            for mask_b, to_b in edges[b]:
                if not mask_a & mask_b or (q not in reached[to_b] and to_b != q):
                    continue
                for mask_c, to_c in edges[c]:
                    node = (to_a, to_b, to_c)
                    if not mask_a & mask_b & mask_c or (q not in reached[to_c] and to_c != q) or node in seen:
                        continue
                    if node == (p, q, q):
                        return True
                    seen.add(node)
                    waiting.append(node)
    return False

"""Differences between texts: they make both texts again, and nothing that could stay is shown as changed."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.formats.differences import Piece, differences_between

texts = st.text(st.sampled_from("ab c’-.狗猫é\u0301\n|🙂"), max_size=18)
words = st.lists(st.sampled_from("abc"), max_size=12)


def kept(pieces: list[Piece], *kinds: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind in kinds)


def longest_in_common(these: list[str], those: list[str]) -> int:
    """Return the length of the longest common subsequence by the textbook's table."""
    row = [0] * (len(those) + 1)
    for one in these:
        above = row[:]
        for place, other in enumerate(those, start=1):
            row[place] = above[place - 1] + 1 if one == other else max(above[place], row[place - 1])
    return row[-1]


@given(texts, texts)
def test_pieces_make_both_texts_again(before: str, after: str) -> None:
    pieces = differences_between(before, after)
    assert kept(pieces, "same", "removed") == before
    assert kept(pieces, "same", "added") == after
    assert all(piece.text for piece in pieces)
    assert all(one.kind != other.kind for one, other in pairwise(pieces))
    assert (before == after) is all(piece.kind == "same" for piece in pieces)


@given(words, words)
def test_as_much_as_possible_stays(before: list[str], after: list[str]) -> None:
    # Characters of a script without spaces, so that there are no blanks between them.
    signs = dict(zip("abc", "狗猫鸟", strict=True))
    old, new = ([signs[one] for one in text] for text in (before, after))
    pieces = differences_between("".join(old), "".join(new))
    assert len(kept(pieces, "same")) == longest_in_common(old, new)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("", "", []),
        ("One two.", "One two.", [("same", "One two.")]),
        ("", "New.", [("added", "New.")]),
        ("the red car", "the blue old car", [
            ("same", "the "), ("removed", "red"), ("added", "blue old"), ("same", " car"),
        ]),
        # A space between two changed words belongs to the change.
        ("a big dog ran", "a small cat ran", [
            ("same", "a "), ("removed", "big dog"), ("added", "small cat"), ("same", " ran"),
        ]),
        ("well-known", "well known", [("removed", "well-known"), ("added", "well known")]),
        ("नमस्ते जी", "नमस्ते", [("same", "नमस्ते"), ("removed", " जी")]),
    ],
)  # fmt: skip
def test_differences_read_as_people_write_them(before: str, after: str, shown: list[tuple[str, str]]) -> None:
    assert [(piece.kind, piece.text) for piece in differences_between(before, after)] == shown


def test_the_longest_texts_are_compared_at_once() -> None:
    """Texts that hold the same two words in other orders, which is the worst case of most procedures."""
    began = time.process_time()
    differences_between("a b " * 5_000, "b a a " * 3_300)
    assert time.process_time() - began < 3

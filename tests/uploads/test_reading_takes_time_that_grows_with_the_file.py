"""Every reader takes a bounded processor time for a byte, whatever the bytes are, and reads what people bring."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from experiments.formats.hidden import oddities
from experiments.materials.reading import read_materials
from experiments.uploads.reading import read_uploaded_table
from tests.selection import EXHAUSTIVE
from tests.uploads.corpus import (
    FRAMES,
    HOSTILE,
    READERS,
    REFUSALS,
    SENTENCES,
    SIGNS,
    Honest,
    honest,
    hostile,
    table,
    workbook,
)

pytestmark = pytest.mark.slow

SIZE = 400_000 if EXHAUSTIVE else 12_000
ROWS = 10_000 if EXHAUSTIVE else 150
# What a reader takes without a file, and for every byte of it: many times what it takes today. What grows with the
# square of the size takes more of a file of 12,000 bytes already where it does anything for every pair of bytes.
START_SECONDS, SECONDS_PER_BYTE = 0.3, 20e-6


class TooSlow(AssertionError):
    """The reader took more processor time than a file of this size may take."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail after this much processor time; a search by `re` is interrupted, too."""

    def end(*_signal: Any) -> None:
        raise TooSlow(f"more than {seconds:.1f} seconds")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def outcome_of(reader: str, data: bytes) -> Any:
    """Return what is read, or the sentence of a refusal; any other exception is a fault of the reader."""
    with within(START_SECONDS + SECONDS_PER_BYTE * len(data)):
        try:
            return READERS[reader](data)
        except REFUSALS as refusal:
            return str(refusal)


def test_the_corpus_is_large() -> None:
    assert len(HOSTILE) >= 150
    assert len(list(honest())) >= 50
    assert {frame[0] for frame in FRAMES.values()} == set(READERS)


@pytest.mark.parametrize("frame", FRAMES)
def test_hostile_files_end_in_a_table_or_in_a_sentence(frame: str) -> None:
    for signs in SIGNS:
        reader, data = hostile(frame, signs, SIZE)
        try:
            found = outcome_of(reader, data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is named with the file
            raise AssertionError(f"{frame}: {signs!r} × {SIZE} bytes: {type(error).__name__}: {error}"[:300]) from None
        assert not isinstance(found, str) or len(found) > 10, (frame, signs)


@settings(deadline=None, max_examples=2_000 if EXHAUSTIVE else 60, suppress_health_check=list(HealthCheck))
@given(
    frame=some.sampled_from(list(FRAMES)),
    runs=some.lists(
        some.tuples(some.one_of(some.sampled_from(SIGNS), some.text(max_size=4)), some.sampled_from((1, 7, 3_000))),
        min_size=1,
        max_size=4,
    ),
)
def test_no_run_of_signs_makes_a_reader_slow(frame: str, runs: list[tuple[str, int]]) -> None:
    reader, before, behind = FRAMES[frame]
    middle = "".join(signs * number for signs, number in runs)
    outcome_of(reader, (before + middle + behind).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("file", list(honest()), ids=str)
def test_big_honest_files_are_read_whole(file: Honest) -> None:
    data = file.make(ROWS)
    with within(START_SECONDS + ROWS * file.columns * 2e-3):
        found = read_materials(data, "file")
    assert len(found.rows) == ROWS
    language = file.name.partition(",")[0]
    text = found.header.index("text")
    # Item files are read word by word, with one space between two.
    assert found.rows[-1].cells[text].split() == SENTENCES[language].format(n=ROWS - 1).split()
    assert [warning for warning in found.warnings if warning.is_doubtful] == []
    assert all(not oddities(row.cells[text]) for row in found.rows)


@pytest.mark.parametrize(
    "file",
    [
        table("German", columns=33),
        pytest.param(
            workbook("German", columns=33), marks=pytest.mark.full("a workbook so large that reading it takes seconds")
        ),
    ],
    ids=str,
)
def test_a_list_of_norms_is_read_in_the_process_for_uploads(file: Honest) -> None:
    """12,000 words with 33 columns, as published norms have them."""
    assert len(read_uploaded_table(file.make(12_000), "norms").rows) == 12_000


def test_the_budget_is_kept_by_a_timer() -> None:
    import re

    def slow() -> Any:
        return re.match(r"(?:\s+|a)*b", " " * 40)

    def busy() -> Any:
        ends = time.process_time() + 5
        while time.process_time() < ends:
            pass

    for work in (slow, busy):
        with pytest.raises(TooSlow):
            run_within(0.2, work)


def run_within(seconds: float, work: Callable[[], Any]) -> None:
    with within(seconds):
        work()

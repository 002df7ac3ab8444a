"""Hostile files end in a sentence, within the seconds and the memory of reading, in a process of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from analysis.methods.ranking.parsing import documents_of
from analysis.methods.report import BadInput
from analysis.text.arpa import NotArpa, read_arpa
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults
from experiments.study_files import StudyFileFaults
from experiments.uploads import process, reading
from tests.selection import only_in_full
from tests.uploads.hostile import STUDIES, TABLES, WORKBOOKS, nested

pytestmark = pytest.mark.slow


def outcome_of(read: Callable[[], Any], *refusals: type[Exception]) -> Any:
    """Return what is read, or the sentence with which it is refused."""
    try:
        return read()
    except refusals as found:
        return str(found)


def hostile(files: Mapping[str, Callable[[], bytes]], *always: str) -> list[Any]:
    """Return all files as parameters; those that are not named run in `make test-all` alone."""
    assert set(always) <= set(files)
    return [
        pytest.param(make, id=name)
        if name in always
        else only_in_full(f"what {name} does to the reader", make, name=name)
        for name, make in files.items()
    ]


@pytest.mark.parametrize("make", hostile(WORKBOOKS, "rows of 16,384 columns", "entities", "cut off"))
def test_a_hostile_workbook_ends_in_a_sentence_or_in_a_table(make: Callable[[], bytes]) -> None:
    data = make()
    own = time.thread_time()
    found = outcome_of(lambda: reading.read_uploaded_table(data, "materials.xlsx"), MaterialsFaults)
    assert len(found) > 20 if isinstance(found, str) else len(found.rows) < 20_000
    assert time.thread_time() - own < 2, "the web server itself was busy"


@pytest.mark.parametrize("make", hostile(TABLES, "an open quote", "half UTF-16"))
def test_a_hostile_table_ends_in_a_sentence_or_in_a_table(make: Callable[[], bytes]) -> None:
    data = make()
    own = time.thread_time()
    found = outcome_of(lambda: reading.read_uploaded_table(data, "materials.csv"), MaterialsFaults)
    assert not isinstance(found, str) or len(found) > 20
    assert time.thread_time() - own < 2, "the web server itself was busy"


@pytest.mark.parametrize("make", hostile(STUDIES, "a bomb", "a way out", "dotted TOML"))
def test_a_hostile_study_ends_in_a_sentence(make: Callable[[], bytes]) -> None:
    data = make()
    own = time.thread_time()
    with pytest.raises((StudyFileFaults, reading.TooCostly)) as found:
        reading.read_in_child("experiments.study_files.uploaded:described", data, b"item,text\n")
    assert "root:" not in str(found.value)
    assert time.thread_time() - own < 2, "the web server itself was busy"


def test_a_fault_that_the_child_found_reads_as_it_was_written() -> None:
    with pytest.raises(MaterialsFaults) as found:
        reading.read_in_child("experiments.materials.table:read_table", b"", "materials.csv")
    assert str(found.value).startswith("The file is empty. The first line")
    assert found.value.faults[0].step == "materials"


def test_seconds_have_an_end() -> None:
    with pytest.raises(reading.TooCostly):
        reading.read_in_child("experiments.design.latin_square:lists", 10**9, 50, seconds=1)


def test_memory_has_an_end() -> None:
    with pytest.raises(reading.TooCostly):
        reading.read_in_child("experiments.formats.csvtext:guarded", _Grows())


class _Grows(str):
    """Pickled as a call that asks for 400 MB in the child."""

    def __reduce__(self) -> Any:
        return (_ten_times, ("=", 400_000_000))


def _ten_times(text: str, number: int) -> str:
    return text * number


@pytest.mark.full("a child that real seconds or the largest file catch")
def test_a_child_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WAIT_SECONDS", 0.05)
    data = b"item,text\n" + b"1,The porter opened the door to the garden of the old house.\n" * 19_000
    with pytest.raises(reading.TooCostly):
        reading.read_in_child("experiments.materials.table:read_table", data, "materials.csv")


def test_the_child_reads_with_functions_of_studies_and_no_others() -> None:
    with pytest.raises(reading.TooCostly):
        reading.read_in_child("os:getcwd")


@pytest.mark.full("a child that real seconds or the largest file catch")
def test_an_ordinary_file_of_the_largest_size_is_read() -> None:
    row = b"item-%05d,The porter opened the door to the garden of the old house.,a\n"
    rows = b"".join(row % number for number in range(19_000))
    data = b"item,text,condition\n" + rows
    assert len(data) < MAX_BYTES
    assert len(reading.read_uploaded_table(data, "materials.csv").rows) == 19_000


ARPA = {
    "lines": "\\data\\\nngram 1=1\n\n\\1-grams:\n" + "-1 a\n" * 800_000,
    "an announcement": "\\data\\\nngram 1=" + "9" * 4_000 + "\n\n\\1-grams:\n-1 a\n\\end\\\n",
    "orders": "\\data\\\n" + "".join(f"ngram {n}=1\n" for n in range(1, 100_000)) + "\\end\\\n",
    "a long line": "\\data\\\nngram 1=1\n\n\\1-grams:\n-1 " + "a" * 4_000_000 + "\n\\end\\\n",
    "words": "\\data\\\nngram 1=1\n\n\\1-grams:\n-1 " + "a " * 2_000_000 + "\n\\end\\\n",
    "spaces": " " * 4_000_000,
    "nesting": nested(2_000_000),
}
CONLLU = {
    "documents": "# newdoc id = a\n" * 200_000,
    "a long line": "# newdoc id = a\n1\t" + "a" * 4_000_000 + "\n",
    "columns": "# newdoc id = a\n1" + "\ta" * 2_000_000 + "\n",
    "numbers": "# newdoc id = a\n" + "9" * 100_000 + "\ta\ta\tX\t_\t_\t0\troot\t_\t_\n",
    "spaces": "# newdoc id = a" + " " * 1_000_000 + "\n",
    "a circle": "# newdoc id = a\n1\ta\ta\tX\t_\t_\t2\tx\t_\t_\n2\ta\ta\tX\t_\t_\t1\tx\t_\t_\n",
}


@pytest.mark.parametrize("text", [*ARPA.values()], ids=[*ARPA])
def test_a_hostile_language_model_is_read_in_time_that_grows_with_its_size(text: str) -> None:
    """They are parsed with the analysis, in the worker's child with limits of its own."""
    own = time.thread_time()
    found = outcome_of(lambda: read_arpa(text), NotArpa)
    assert not isinstance(found, str) or len(found) > 10
    assert time.thread_time() - own < reading.SECONDS


@pytest.mark.parametrize("text", [*CONLLU.values()], ids=[*CONLLU])
def test_hostile_parses_are_read_in_time_that_grows_with_their_size(text: str) -> None:
    own = time.thread_time()
    found = outcome_of(lambda: documents_of(text), BadInput)
    assert not isinstance(found, str) or len(found) > 10
    assert time.thread_time() - own < reading.SECONDS


def test_nothing_is_left_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_reader", None)  # one that is started with the folder of this test
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(StudyFileFaults):
        reading.read_in_child("experiments.study_files.uploaded:described", b'title = "x"\n', b"item,text\n")
    assert list(tmp_path.iterdir()) == []

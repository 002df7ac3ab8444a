"""A file that a command writes is there as a whole or not at all, and never stands over one that is read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments.whole_files import NotWritten, delete_below, keep_apart, write_whole
from tests.small_files import files_no_larger_than


def pieces_that_break() -> Iterator[bytes]:
    yield b"a" * 100_000
    raise LookupError("no such row")


def test_folders_are_made_and_the_size_is_told(tmp_path: Path) -> None:
    assert write_whole(tmp_path / "a" / "b" / "trials.csv", iter([b"rating\n", b"5\n"])) == 9
    assert (tmp_path / "a" / "b" / "trials.csv").read_bytes() == b"rating\n5\n"
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["trials.csv"]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "trials.csv"
    write_whole(file, "before")
    with files_no_larger_than(1_000), pytest.raises(NotWritten, match=r"trials\.csv cannot be written: File too large"):
        write_whole(file, b"x" * 100_000)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("trials.csv", "before")]


def test_what_goes_wrong_while_the_pieces_are_made_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="no such row"):
        write_whole(tmp_path / "trials.csv", pieces_that_break())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["file/trials.csv", "folder"])
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotWritten, match=f"{place} cannot be written: "):
        write_whole(tmp_path / place, "text")
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_device_is_written_to_and_stays_one() -> None:
    with pytest.raises(NotWritten, match="/dev/full cannot be written: No space left on device"):
        write_whole(Path("/dev/full"), "text")
    assert write_whole(Path("/dev/null"), "text") == 4
    assert Path("/dev/null").is_char_device()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("before")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write_whole(tmp_path / "link.csv", "after")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "after"


def test_a_file_that_is_read_is_found_by_any_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("raw")
    (tmp_path / "link.csv").symlink_to(tmp_path / "results.csv")
    with pytest.raises(NotWritten, match="would be written over a file that is read"):
        keep_apart(read=[tmp_path / "results.csv"], written=[tmp_path / "new.csv", tmp_path / "link.csv"])


def test_nothing_outside_of_the_folder_is_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    for path in ("reports/a/report.json", "reports/a/mine.txt", "reports/b/report.json", "../outside.csv"):
        write_whole(folder / path, "text")
    (folder / "link.csv").symlink_to(tmp_path / "outside.csv")
    named = ["reports/a/report.json", "reports/b/report.json", "../outside.csv", "link.csv", "missing.csv", "reports"]
    delete_below(folder, [*named, str(tmp_path / "outside.csv")])
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()) == [
        "export/link.csv",
        "export/reports/a/mine.txt",
        "outside.csv",
    ]
    assert not (folder / "reports" / "b").exists()

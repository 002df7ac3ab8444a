"""Arrange the files of an export as an archive takes them, and write them: ZIP files of folders where it has none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.deposits.archive import Refused, Rules
from analysis.exports.packing import zip_pieces
from experiments.sentences import Sentence
from experiments.whole_files import write_whole

# What people read before they download anything stays a file of its own.
FIRST = frozenset(
    {"README.md", "manifest.json", "codebook.csv", "CODEBOOK.csv", "dataset_description.json", "croissant.json"}
)
REST = "data.zip"
# What the structure of a ZIP file takes for one file in it, at most.
AROUND = 1024
PIECE = 1024**2


@dataclass(frozen=True)
class Packet:
    """A file as it is uploaded: under its own name, or a ZIP file of several."""

    name: str
    paths: tuple[str, ...]
    is_zip: bool

    @property
    def number(self) -> int:
        """How many files of the export it holds."""
        return len(self.paths)


def arranged(files: Sequence[tuple[str, int]], rules: Rules) -> list[Packet]:
    """Return the files of an export, given as path and size in bytes, as an archive with these rules takes them.

    Every file is in exactly one packet. Raises Refused where the archive does not take as much.

    >>> rules = Rules(most_files=3, most_bytes_of_file=10_000, most_bytes=20_000, keeps_folders=False)
    >>> [one.name for one in arranged([("README.md", 1), ("data/a.csv", 1), ("data/b.csv", 1)], rules)]
    ['README.md', 'data.zip']
    """
    sizes = dict(files)
    packets = _in_folders(sizes, rules) if rules.keeps_folders else _zipped_folders(sizes, rules)
    if len(packets) > rules.most_files and rules.keeps_folders:
        packets = _zipped_folders(sizes, rules)
    if len(packets) > rules.most_files:
        rest = [path for path in sizes if path not in FIRST]
        packets = [Packet(path, (path,), is_zip=False) for path in sizes if path in FIRST]
        packets += _zips(REST, rest, sizes, rules, taken=FIRST)
    largest = max(sizes, key=lambda path: sizes[path], default="")
    if len(packets) > rules.most_files or sum(sizes.values()) > rules.most_bytes:
        raise Refused(
            Sentence(
                "The files have {total} MB. This archive takes {most} MB in {files} files for one deposit.",
                total=sum(sizes.values()) // 10**6, most=rules.most_bytes // 10**6, files=rules.most_files,
            )
        )  # fmt: skip
    if largest and sizes[largest] + AROUND > rules.most_bytes_of_file:
        raise Refused(
            Sentence(
                "{path} has {size} MB. This archive takes files of at most {most} MB.",
                path=largest, size=sizes[largest] // 10**6, most=rules.most_bytes_of_file // 10**6,
            )
        )  # fmt: skip
    return packets


def _in_folders(sizes: dict[str, int], rules: Rules) -> list[Packet]:
    return [Packet(path, (path,), is_zip=False) for path in sizes]


def _zipped_folders(sizes: dict[str, int], rules: Rules) -> list[Packet]:
    """Return the files without a folder as they are, and every folder as a ZIP file."""
    plain = [path for path in sizes if "/" not in path]
    folders: dict[str, list[str]] = {}
    for path in sizes:
        if "/" in path:
            folders.setdefault(path.partition("/")[0], []).append(path)
    packets = [Packet(path, (path,), is_zip=False) for path in plain]
    for folder, paths in folders.items():
        packets += _zips(f"{folder}.zip", paths, sizes, rules, taken=plain)
    return packets


def _zips(
    name: str, paths: Sequence[str], sizes: dict[str, int], rules: Rules, *, taken: Iterable[str]
) -> Iterator[Packet]:
    """Yield ZIP files of paths, as many as it takes for each to be small enough; the names in `taken` stay free."""
    stem = name.removesuffix(".zip")
    while f"{stem}.zip" in set(taken):
        stem += "-files"
    bundles: list[list[str]] = [[]]
    size = 0
    for path in paths:
        own = sizes[path] + sizes[path] // 1000 + AROUND
        if bundles[-1] and size + own > rules.most_bytes_of_file:
            bundles.append([])
            size = 0
        bundles[-1].append(path)
        size += own
    for number, bundle in enumerate(bundles, 1):
        if bundle:
            ending = f"-{number}" if len(bundles) > 1 else ""
            yield Packet(f"{stem}{ending}.zip", tuple(bundle), is_zip=True)


def write_packets(packets: Iterable[Packet], source: Path, target: Path) -> None:
    """Write packets of the files below `source` into the folder `target`, in folders where their names have some."""
    for packet in packets:
        path = target / packet.name
        if not packet.is_zip:
            path.parent.mkdir(parents=True, exist_ok=True)
            (source / packet.paths[0]).rename(path)
            continue
        write_whole(path, zip_pieces((one, pieces_of(source / one)) for one in packet.paths))


def pieces_of(path: Path) -> Iterator[bytes]:
    """Yield the content of a file in pieces."""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def hashes_of(path: Path) -> tuple[int, str, str]:
    """Return size, MD5 and SHA-256 of a file; archives tell the former."""
    md5, sha256, size = hashlib.md5(usedforsecurity=False), hashlib.sha256(), 0
    for piece in pieces_of(path):
        md5.update(piece)
        sha256.update(piece)
        size += len(piece)
    return size, md5.hexdigest(), sha256.hexdigest()

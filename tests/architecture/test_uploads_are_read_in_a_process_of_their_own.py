"""Every place where a page takes bytes from outside, and what reads them there: never the web process itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("config", "analysis/views", "participants/views", "participants/api", "experiments/views")

# Where an upload is opened → who hands its bytes to the process for uploads.
UPLOADS = {
    "analysis/views/coding/sheets.py": "import_sheet",
    "analysis/views/forms.py": "read_uploaded_text",
    "analysis/views/scores.py": "scores_of_file",
    "analysis/views/tables/pages.py": "keep_table",
    "analysis/views/word_scores.py": "read_uploaded_table",
    "experiments/views/forms.py": "read_uploaded_files",
    "experiments/views/materials/media.py": "read_uploaded_files",
    "experiments/views/materials/pages.py": "checked_table",
    "experiments/views/procedure.py": "read_uploaded_list",
    "experiments/views/start.py": "described_in",
    "experiments/views/texts/wording.py": "read_uploaded_list",
}
# Those of them that are not in the room itself → what they call there.
BY_WAY_OF = {
    "analysis/coding/sheets.py": "read_uploaded_table",
    "analysis/studies/score_sources.py": "read_uploaded_table",
    "analysis/studies/uploaded_tables.py": "read_in_child",
    "experiments/study/media.py": "read_in_child",
    "experiments/study_files/creating.py": "read_in_child",
    "experiments/uploads/of_study.py": "read_uploaded_design",
}
# Files of the platform itself, which participants or the server are sent.
OWN_FILES = {"participants/views/media.py", "config/sqlite/log.py"}
# What parses a file. Pages get what comes of it.
PARSERS = {
    "csv", "csv_rows", "decoded", "documents_of", "openpyxl", "PIL", "read_archive", "read_arpa", "read_files",
    "read_language_file", "read_materials", "read_questions", "tomllib", "workbook_rows", "zipfile",
}  # fmt: skip


def modules() -> Iterator[tuple[str, ast.Module]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def names(tree: ast.Module) -> set[str]:
    """Return what a module imports, by its last name and by its first."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.name for alias in node.names} | {node.module.partition(".")[0]}
    return found


def opens_a_file(tree: ast.Module) -> bool:
    """Return whether a module reads from something that is a file: an upload, as pages open no others."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("read", "chunks", "readlines", "open")
        and ast.unparse(node.func.value) != "self"
        for node in ast.walk(tree)
    )


def test_every_place_that_opens_an_upload_is_known() -> None:
    opening = {
        name
        for name, tree in modules()
        if name.startswith(("experiments/views", "analysis/views", "participants")) and opens_a_file(tree)
    }
    assert opening - OWN_FILES == set(UPLOADS)


def test_those_places_hand_the_bytes_to_the_process_for_uploads() -> None:
    trees = dict(modules())
    for name, reader in UPLOADS.items():
        assert reader in names(trees[name]), f"{name} does not use {reader}"
    for name, reader in BY_WAY_OF.items():
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        assert reader in names(tree), f"{name} does not use {reader}"
        assert not names(tree) & PARSERS, f"{name} parses a file itself"


def test_pages_parse_no_file() -> None:
    parsing = {name: found for name, tree in modules() if "views" in name and (found := names(tree) & PARSERS)}
    assert parsing == {}


def test_every_form_with_a_file_is_on_a_page_that_is_known() -> None:
    taking = {
        name
        for name, tree in modules()
        if any(
            isinstance(node, ast.Attribute) and node.attr in ("FILES", "FileField", "ImageField")
            for node in ast.walk(tree)
        )
    }
    # The form of an upload may be in another module than the page that opens it.
    assert taking <= {
        *UPLOADS,
        "analysis/views/choosing.py",
        "analysis/views/distractors.py",
        "analysis/views/tables/runs.py",
        # Hands the bytes to the services of the pages.
        "config/api/bodies.py",
        "experiments/views/settings.py",
    }

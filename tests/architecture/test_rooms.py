"""No room holds more than one can take in: a folder of the product has at most twenty files, and one of tests as many.

Of the product tests beside the files are not counted, of tests what they share.
"""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("analysis", "config", "experiments", "participants", "frontend/src")
MOST = 20
# One file for each language, change of the database or example: their number is not ours to choose.
CATALOGUES = ("frontend/src/languages", "experiments/migrations", "analysis/migrations", "participants/migrations")


def files_of_rooms() -> Counter[str]:
    paths = (
        path for source in SOURCES for pattern in ("*.py", "*.html", "*.ts") for path in (ROOT / source).rglob(pattern)
    )
    return Counter(
        str(path.parent.relative_to(ROOT))
        for path in paths
        if path.name != "__init__.py" and not path.name.endswith(".spec.ts") and "node_modules" not in path.parts
    )


def files_of_tests() -> Counter[str]:
    return Counter(str(path.parent.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))


def too_full(rooms: Counter[str]) -> dict[str, int]:
    return {room: files for room, files in rooms.items() if files > MOST and room not in CATALOGUES}


def test_no_room_has_more_than_twenty_files() -> None:
    rooms = files_of_rooms()
    assert len(rooms) > 100
    assert too_full(rooms) == {}


def test_no_room_has_more_than_twenty_files_of_tests() -> None:
    rooms = files_of_tests()
    assert len(rooms) > 50
    assert too_full(rooms) == {}

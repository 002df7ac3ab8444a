"""The command keeps data where the operating system wants those of programs, or where it is told."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "config" / "packaging" / "lectern" / "command.py"
_found = importlib.util.spec_from_file_location("lectern_command", SOURCE)
assert _found is not None
assert _found.loader is not None
command = importlib.util.module_from_spec(_found)
_found.loader.exec_module(command)

HOME = Path("/home/anna")


@pytest.mark.parametrize(
    ("system", "environment", "folder"),
    [
        ("linux", {}, HOME / ".local" / "share" / "lectern"),
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/lectern")),
        ("linux", {"XDG_DATA_HOME": "relative"}, HOME / ".local" / "share" / "lectern"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, HOME / "Library" / "Application Support" / "Lectern"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/Lectern")),
        ("win32", {}, HOME / "AppData" / "Local" / "Lectern"),
    ],
)
def test_every_system_has_its_place(system: str, environment: dict[str, str], folder: Path) -> None:
    assert command.users_data_folder(system, environment, HOME) == folder


@pytest.mark.parametrize(
    ("arguments", "data", "rest"),
    [
        (["demo"], None, ["demo"]),
        (["--data", "here", "check"], "here", ["check"]),
        (["--data=here", "check"], "here", ["check"]),
        (["demo", "--port", "8001", "--data", "there"], "there", ["demo", "--port", "8001"]),
        (["run", "--data=there"], "there", ["run"]),
        (["--data", "here", "run", "--data", "there"], "there", ["run"]),
        (["analyse", "tukey", "--data", "table.csv"], None, ["analyse", "tukey", "--data", "table.csv"]),
        (["--data", "here", "analyse", "--data", "a.csv"], "here", ["analyse", "--data", "a.csv"]),
        ([], None, []),
    ],
)
def test_the_folder_is_named_before_any_command_and_after_those_that_serve(
    arguments: list[str], data: str | None, rest: list[str]
) -> None:
    assert command.data_folder_of(arguments) == (data, rest)


@pytest.mark.parametrize(
    ("started", "arguments", "said"),
    [
        ("/usr/bin/lectern", ["check"], {"LECTERN_PROGRAM": "lectern"}),
        ("/usr/lib/lectern/__main__.py", ["check"], {"LECTERN_PROGRAM": "python -m lectern"}),
        ("lectern", ["run", "--data", "a"], {"LECTERN_PROGRAM": "lectern", "LECTERN_DATA": str(Path("a").resolve())}),
    ],
)
def test_the_platform_is_told_how_it_was_started(
    monkeypatch: pytest.MonkeyPatch, started: str, arguments: list[str], said: dict[str, str]
) -> None:
    monkeypatch.setattr(os, "environ", {"HOME": str(HOME)})
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", [started, *arguments])
    carried: list[list[str]] = []
    monkeypatch.setattr("config.command.carry_out", lambda words: carried.append(list(words)))
    command.main()
    assert {name: value for name, value in os.environ.items() if name.startswith("LECTERN_")} == said
    assert carried == [["lectern", arguments[0]]]


def test_a_folder_that_is_not_named_is_asked_for() -> None:
    with pytest.raises(SystemExit, match="--data needs a folder"):
        command.data_folder_of(["run", "--data"])


@pytest.mark.parametrize(
    ("built", "missing"), [((), "front end is"), (("frontend/dist/manifest.json",), "documents are")]
)
def test_without_what_is_built_before_the_wheel_is_refused_with_what_to_do(
    tmp_path: Path, built: tuple[str, ...], missing: str
) -> None:
    for name in built:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    backend = tmp_path / "config" / "packaging" / "lectern_wheel.py"
    backend.parent.mkdir(parents=True)
    backend.write_text((SOURCE.parents[1] / "lectern_wheel.py").read_text(encoding="utf-8"), encoding="utf-8")
    asked = [sys.executable, "-c", "import lectern_wheel; lectern_wheel.build_wheel('out')"]
    done = subprocess.run(
        asked,
        cwd=backend.parent,
        env={**os.environ, "PYTHONPATH": str(backend.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"The {missing} missing. Build everything first: make wheel" in done.stderr

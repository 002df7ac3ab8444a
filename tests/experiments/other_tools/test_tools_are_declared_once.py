"""Every tool is declared once: the command, the page and the documentation name it, and its projects are known."""

from __future__ import annotations

import io
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from experiments.other_tools import projects
from experiments.other_tools.carrying import carried, carried_upload, stem_of
from experiments.other_tools.projects import ProjectFaults, tar_files, uploaded_files
from experiments.other_tools.tools import TOOLS
from experiments.views.forms import Project
from tests.experiments.other_tools import (
    test_projects_of_jspsych,
    test_projects_of_labjs,
    test_projects_of_motr,
    test_projects_of_opensesame,
    test_projects_of_pcibex,
)

DOCUMENT = Path(__file__).parents[3] / "docs" / "moving-here.md"
EXAMPLES = {
    "pcibex": lambda: test_projects_of_pcibex.reading(),
    "jspsych": lambda: test_projects_of_jspsych.page(),
    "labjs": lambda: test_projects_of_labjs.project(),
    "opensesame": lambda: {"words.osexp": test_projects_of_opensesame.script().encode()},
    "motr": lambda: test_projects_of_motr.project(),
}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.slug)
def test_a_project_is_known_by_what_its_files_hold(tool):
    files = EXAMPLES[tool.slug]()
    assert carried(files, "x").tool == tool.label
    assert carried(files, "x", tool=tool.slug).files == carried(files, "x").files


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.slug)
def test_command_page_and_documentation_name_every_tool(tool):
    command = load_command_class(get_commands()["import"], "import")
    action = next(one for one in command.create_parser("", "import")._actions if one.dest == "tool")
    assert tool.slug in (action.choices or ())
    assert f">{tool.label}<" in str(Project()["tool"])
    assert f"manage.py import {tool.slug} " in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.slug)
def test_a_project_of_another_tool_is_refused_with_what_to_give(tool):
    with pytest.raises(ProjectFaults, match="The project contains no") as found:
        carried({"a.txt": b"x"}, "x", tool=tool.slug)
    assert str(tool.given) in str(found.value.faults[0])


def test_files_of_no_tool_are_refused_with_the_list_of_tools():
    with pytest.raises(ProjectFaults) as found:
        carried({"a.txt": b"x"}, "x")
    assert [str(tool.given) in str(fault) for tool, fault in zip(TOOLS, found.value.faults[1:], strict=True)]


def _made(found):
    return {path: data for path, data in found.files.items() if path != "import-report.md"}


@pytest.mark.parametrize("tool", ["labjs", "opensesame"])
def test_single_files_folders_and_archives_are_the_same(tool, tmp_path, researcher):
    (name, data), *_ = EXAMPLES[tool]().items()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, data)
    single = carried_upload(data, name, "", "", "en")
    within = carried_upload(buffer.getvalue(), f"{stem_of(name)}.zip", "", "", "en")
    assert _made(within) == _made(single)
    (tmp_path / name).write_bytes(data)
    call_command("import", tool, str(tmp_path / name), "--owner", researcher.username, "--out", str(tmp_path / "made"))
    assert (tmp_path / "made" / "study.toml").read_bytes() == single.files["study.toml"]


def test_the_command_says_why_a_project_is_none(tmp_path, researcher):
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(CommandError, match=r"nothing of lab\.js"):
        call_command("import", "labjs", str(tmp_path), "--owner", researcher.username)


# Archives.


def bomb(megabytes: int, members: int = 1) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for number in range(members):
            info = tarfile.TarInfo(f"script{number}.opensesame")
            info.size = megabytes * 1024**2
            archive.addfile(info, io.BytesIO(bytes(info.size)))
    return buffer.getvalue()


def test_archives_that_unpack_to_too_much_are_refused_and_not_unpacked(monkeypatch):
    monkeypatch.setattr(projects, "MAX_BYTES", 4 * 1024**2)
    data = bomb(60)
    tracemalloc.start()
    with pytest.raises(ProjectFaults):
        tar_files(data)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 30 * 1024**2


def test_archives_with_too_many_members_are_refused(monkeypatch):
    monkeypatch.setattr(projects, "MAX_FILES", 5)
    with pytest.raises(ProjectFaults):
        tar_files(bomb(0, members=9))
    with pytest.raises(ProjectFaults):
        carried({f"{n}/script.opensesame": b"x" for n in range(9)}, "x")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_links_and_special_files_are_left_out(kind):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo("script.opensesame")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    assert tar_files(buffer.getvalue()) == {}


@pytest.mark.parametrize("name", ["../../a.js", "/a.js", "x/../a.js"])
def test_paths_stay_in_the_project(name):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = 1
        archive.addfile(info, io.BytesIO(b"x"))
    assert not any(path.startswith("/") or ".." in path for path in tar_files(buffer.getvalue()))


@pytest.mark.parametrize("data", [b"\x1f\x8b broken", b"PK\x03\x04 broken", b"", b"\x1f\x8b" + bytes(600)])
def test_broken_archives_are_refused(data):
    with pytest.raises(ProjectFaults):
        uploaded_files(data, "x.zip")

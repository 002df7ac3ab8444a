"""The wheel is built from the checkout, installed where Lectern is not, and run from a folder of somebody's own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests import needs
from tests.packaging.serving import first_answer, free_port, held_by_a_worker, unreadable

# One worker of the test run builds the wheel, once.
pytestmark = [
    pytest.mark.full("a file that the wheel lacks in an environment without this checkout"),
    pytest.mark.slow,
    pytest.mark.xdist_group("wheel"),
]

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("analysis", "config", "experiments", "participants")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "frontend" / "dist" / "manifest.json").is_file():
        if shutil.which("npm") is None:
            needs.skip("What builds the browser code (npm)", "apt-get install npm")
        subprocess.run(["npm", "run", "--silent", "build"], cwd=ROOT / "frontend", check=True)
    if not (ROOT / "site" / "index.html").is_file():
        subprocess.run(["make", "--silent", "docs"], cwd=ROOT, check=True)
    folder = tmp_path_factory.mktemp("wheel")
    asked = [
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    # Under a umask that shuts others out: a wheel is handed on.
    subprocess.run([sys.executable, *asked], check=True, umask=0o077 if os.name != "nt" else -1)
    return next(folder.glob("lectern-*.whl"))


class Installed:
    """A fresh environment with the wheel; what it depends on comes from the environment of the tests."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
        scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.python, self.command = scripts / "python", scripts / "lectern"
        self.site = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv")}))
        (self.site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        self.elsewhere, self.data = folder / "elsewhere", folder / "data of mine"
        self.elsewhere.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "TMPDIR") if name in os.environ}
        self.environment = {**kept, "HOME": str(folder / "home"), "LOG_LEVEL": "WARNING"}
        subprocess.run(
            [self.python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
            env=self.environment,
            check=True,
        )

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [self.command, *arguments],
            cwd=self.elsewhere,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def files(self) -> set[str]:
        return {str(path.relative_to(self.site)) for path in self.site.rglob("*")}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Iterator[Installed]:
    place = Installed(tmp_path_factory.mktemp("empty"), wheel)
    before = place.files()
    yield place
    assert place.files() == before, "something was written into site-packages"


def test_the_wheel_holds_one_package_with_everything_that_was_built(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "lectern",
        *(n.split("/")[0] for n in names if ".dist-info/" in n),
    }
    for pattern in (
        r"app/frontend/dist/manifest\.json",
        r"app/frontend/dist/assets/.+\.js",
        r"app/config/locale/de/LC_MESSAGES/django\.mo",
        r"app/config/templates/404\.html",
        r"app/site/first-study/index\.html",
        r"app/site/pictures/demo\.webp",
        r"app/experiments/examples/causal-sentences/study\.toml",
        r"app/manage\.py",
        r"app/config/api/clients/lectern\.R",
        r"client/__init__\.py",
        r"client/operations/table\.py",
    ):
        assert any(re.fullmatch(f"lectern/{pattern}", name) for name in names), pattern
    assert wheel.stat().st_mode & 0o777 == 0o644 or os.name == "nt", "others cannot read it"
    assert unreadable(wheel) == []
    assert [name for name in names if re.search(r"__pycache__|/tests/|node_modules|app/config/packaging", name)] == []


def test_no_name_but_lectern_is_installed(installed: Installed) -> None:
    assert [name for name in NAMES if (installed.site / name).exists()] == []
    asked = (
        f"import importlib.util as u; print([n for n in {NAMES!r} if u.find_spec(n)], u.find_spec('lectern').origin)"
    )
    said = subprocess.run(
        [installed.python, "-c", asked],
        cwd=installed.elsewhere,
        env=installed.environment,
        capture_output=True,
        text=True,
    ).stdout
    assert said.startswith("[] ")
    assert str(installed.site) in said


def test_the_client_for_programs_brings_nothing_of_the_platform_with_it(installed: Installed) -> None:
    asked = "import sys, lectern.client as c; print(c.Lectern('https://a.example.org', 'x'), 'django' in sys.modules)"
    said = subprocess.run(
        [installed.python, "-c", asked],
        cwd=installed.elsewhere,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said == "<Lectern at a.example.org> False\n"


def test_a_table_in_the_folder_at_hand_is_analysed(installed: Installed) -> None:
    assert "rm-anova: " in installed.run("analyse", "--list")
    rows = [f"p{person},{trial},{person + trial}" for person in range(4) for trial in range(1, 7)]
    (installed.elsewhere / "trials.csv").write_text(
        "participant,trial,rating\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    installed.run("analyse", "normalise", "--data", "trials.csv", "--set", "dv=rating", "--out", "report")
    report = json.loads((installed.elsewhere / "report" / "report.json").read_text(encoding="utf-8"))
    assert report["tables"]
    # Where nothing is said, the data go where this operating system keeps those of programs.
    assert (Path(installed.environment["HOME"]) / ".local" / "share" / "lectern").is_dir() or sys.platform != "linux"


def test_a_message_names_the_command_with_the_folder_that_was_named(installed: Installed) -> None:
    folder = installed.elsewhere / "new data"
    asked = [str(installed.command), "--data", str(folder), "check_data", "a"]
    done = subprocess.run(
        asked, cwd=installed.elsewhere, env=installed.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"lectern --data '{folder}' migrate" in done.stderr


@needs.process_groups
def test_the_platform_is_served_with_its_pages_its_worker_and_a_way_in(installed: Installed) -> None:
    port = free_port()
    output = installed.elsewhere / "output.txt"
    with output.open("w", encoding="utf-8") as file:
        server = subprocess.Popen(
            [installed.command, "run", "--port", str(port), "--data", str(installed.data)],
            cwd=installed.elsewhere,
            env=installed.environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        answer = first_answer(f"{address}/healthz", server, output)
        assert answer.ok
        told = output.read_text(encoding="utf-8").partition("Make your account here")[2]
        link = re.search(rf"{address}(/\S+)", told)
        assert link, "no way in was printed"
        entrance = requests.get(address + link[1], headers={"Accept-Language": "de"}, timeout=60)
        assert entrance.ok
        page = requests.get(f"{address}/admin/login/", headers={"Accept-Language": "de"}, timeout=60)
        assert "Passwort" in page.text, "the translations are missing"
        for sheet in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text):
            assert requests.get(address + sheet, timeout=60).ok, sheet
        assert requests.get(f"{address}/readyz", timeout=60).ok
        help_page = requests.get(f"{address}/docs/first-study/", timeout=60)
        assert help_page.status_code == 200
        assert "<h1" in help_page.text
        assert held_by_a_worker(installed.data / "worker.lock", server, output)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=60)
    assert (installed.data / "lectern.sqlite3").is_file()

"""The sample package is built, installed, used and removed, as a laboratory would do it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "packages" / "lectern-sample-method"


def run(*arguments: str, path: Path | None = None, code: int = 0) -> str:
    given = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(path or ""), str(ROOT)]))}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, target = tmp_path_factory.mktemp("source") / "sample", tmp_path_factory.mktemp("installed")
    shutil.copytree(SAMPLE, source)
    run("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(target), str(source))
    return target


def test_it_is_listed_and_runs(installed: Path, tmp_path: Path) -> None:
    methods = json.loads(run("manage.py", "analyse", "--list", "--json", path=installed))
    assert "sample-range" in [method["method"] for method in methods]
    data, out = tmp_path / "data.csv", tmp_path / "out"
    data.write_text("rating\n4\n9\n", encoding="utf-8")
    given = ("manage.py", "analyse", "sample-range", "--data", str(data), "--set", "dv=rating", "--out", str(out))
    run(*given, path=installed)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["tables"][0]["rows"] == [[4, 9]]


@pytest.mark.full("a package of a method that takes a name or goes away")
def test_its_reports_become_stale_by_its_own_source(installed: Path) -> None:
    asked = (
        "-c",
        "import django; django.setup(); from analysis.computing.code_version import code_version; "
        "print(code_version('sample-range'), code_version('normalise'))",
    )
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    before = run(*asked, path=installed).split()
    source = installed / "lectern_sample_method" / "ranges.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    after = run(*asked, path=installed).split()
    assert before[0] != after[0]
    assert before[1] == after[1]


@pytest.mark.full("a package of a method that takes a name or goes away")
def test_without_the_package_the_method_is_gone_and_the_sentence_says_so(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("rating\n4\n9\n", encoding="utf-8")
    said = run("manage.py", "analyse", "sample-range", "--data", str(data), "--out", str(tmp_path / "out"), code=2)
    assert "There is no method 'sample-range'" in said


@pytest.mark.full("a package of a method that takes a name or goes away")
def test_a_method_of_a_slug_that_is_taken_is_refused_at_start(installed: Path, tmp_path: Path) -> None:
    copy = tmp_path / "installed"
    shutil.copytree(installed, copy)
    points = next(copy.glob("*.dist-info")) / "entry_points.txt"
    points.write_text(points.read_text(encoding="utf-8").replace("sample-range", "rm-anova"), encoding="utf-8")
    said = run("manage.py", "check", path=copy, code=1)
    assert "Two methods are called 'rm-anova'; one of them is lectern_sample_method.ranges:METHOD." in said

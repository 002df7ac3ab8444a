"""The sample package is built, installed, answered in a browser and removed, as a laboratory would do it."""

import csv
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.platform import Platform, log_in
from tests.browser.waiting import wait_until

pytestmark = [pytest.mark.full("a package of a paradigm that cannot be installed, used and removed"), pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "packages" / "lectern-sample-paradigm"
STUDY = SAMPLE / "lectern_sample_paradigm" / "study.toml"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package by pip into an environment of its own and return where its packages lie."""
    source, environment = tmp_path_factory.mktemp("source") / "sample", tmp_path_factory.mktemp("environment")
    shutil.copytree(SAMPLE, source)
    venv.create(environment, with_pip=False)
    pip(environment, "install", "--no-deps", "--no-build-isolation", str(source))
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))


def pip(environment: Path, *arguments: str) -> None:
    given = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib")}
    command = [sys.executable, "-m", "pip", "--quiet", "--python", str(environment), *arguments]
    subprocess.run(command, env=given, check=True, capture_output=True)


def with_packages_of(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)])}


@pytest.fixture(scope="module")
def platform(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(installed), before]))
    try:
        running = Platform(tmp_path_factory.mktemp("platform"))
    finally:
        os.environ["PYTHONPATH"] = before or ""
    running.start()
    yield running
    running.stop()


@pytest.mark.browser
def test_its_studies_are_answered_in_a_browser_and_by_simulation(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    platform.manage("create_study", str(STUDY), "--owner", "researcher", "--open")
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/s/nonsense/preview/?simulate=visual")
    wait_until(page, "() => window.lecternPreview?.done === true", seconds=120)
    records = page.evaluate("window.lecternPreview.records")
    page.close()
    own = [record for record in records if record["plugin"] == "sample-judgement"]
    assert [record["errors"] for record in own] == [[], []]
    assert [record["measures"]["judgement"] for record in own] == ["sense", "sense"]
    assert all(record["clock"] == "element-timing" for record in own)

    platform.manage("simulate", "nonsense", "--participants", "4", "--seed", "3")
    platform.manage("export_data", "nonsense", "--out", str(tmp_path / "out"))
    with next((tmp_path / "out").rglob("trials.csv")).open(encoding="utf-8", newline="") as file:
        judged = [row["judgement"] for row in csv.DictReader(file) if row["phase"] == "main"]
    assert len(judged) == 4 * 2
    assert set(judged) == {"sense", "nonsense"}


def test_it_passes_the_conformance_of_every_paradigm_by_the_study_that_it_brings(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance/test_every_paradigm.py"],
        cwd=ROOT,
        env=with_packages_of(installed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    again = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-k", "sample-judgement", "tests/contract",
         "tests/conformance/test_every_paradigm.py"],
        cwd=ROOT,
        env=with_packages_of(installed),
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert "test_measures_are_those_that_are_declared[sample-judgement]" in again.stdout
    assert "test_timeline" not in again.stdout, "what needs a study of ours asks for none of a package"


def test_without_the_package_its_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    asked = (
        "import django; django.setup()\n"
        "from experiments.paradigms import UnknownParadigm, paradigm_named\n"
        "try: paradigm_named('sample-judgement')\nexcept UnknownParadigm as unknown: print(unknown)"
    )
    given = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT)}
    said = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=given, capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("There is no paradigm 'sample-judgement'.")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (('browser_modules = {PLUGIN: "judgement.js"}', 'browser_modules = {PLUGIN: "missing.js"}'), "no such file"),
        (("slug = PLUGIN", 'slug = "another"'), "not a paradigm of that slug"),
    ],
)
def test_a_package_that_would_fail_in_front_of_a_participant_is_refused_at_start(
    installed: Path, tmp_path: Path, spoil: tuple[str, str], words: str
) -> None:
    spoilt = tmp_path / "installed"
    shutil.copytree(installed, spoilt)
    source = spoilt / "lectern_sample_paradigm" / "judgement.py"
    source.write_text(source.read_text(encoding="utf-8").replace(*spoil), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        cwd=ROOT,
        env={**with_packages_of(spoilt), "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert words in done.stderr


@pytest.mark.browser
def test_once_it_is_uninstalled_the_list_names_what_lacks_and_no_answer_is_lost(
    platform: Platform, installed: Path, browser: Browser, tmp_path: Path
) -> None:
    described = tmp_path / "study.toml"
    described.write_text(STUDY.read_text(encoding="utf-8").replace('"nonsense"', '"afterwards"'), encoding="utf-8")
    shutil.copy(STUDY.with_name("materials.csv"), tmp_path)
    platform.manage("create_study", str(described), "--owner", "researcher", "--open")
    platform.manage("simulate", "afterwards", "--participants", "2", "--seed", "5")
    platform.stop()
    environment = next(parent for parent in installed.parents if (parent / "pyvenv.cfg").is_file())
    pip(environment, "uninstall", "--yes", "lectern-sample-paradigm")
    assert list(installed.glob("lectern_sample_paradigm*")) == []
    platform.start()
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/")
    assert "sample-judgement" in page.locator("main").inner_text()
    answer = page.goto(f"{platform.base_url}/admin/studies/afterwards/watch/")
    assert answer is not None
    assert answer.status == 503
    assert "nothing is lost" in page.locator("main").inner_text().lower()
    page.close()
    platform.stop()
    pip(environment, "install", "--no-deps", "--no-build-isolation", str(shutil.copytree(SAMPLE, tmp_path / "again")))
    platform.start()
    platform.manage("export_data", "afterwards", "--out", str(tmp_path / "out"))
    with (tmp_path / "out" / "trials.csv").open(encoding="utf-8", newline="") as file:
        assert len([row for row in csv.DictReader(file) if row["phase"] == "main"]) == 2 * 2

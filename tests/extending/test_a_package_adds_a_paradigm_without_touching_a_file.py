"""The sample package is built, installed, answered in a browser and removed, as a laboratory would do it."""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.platform import Platform, log_in
from tests.browser.waiting import wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "packages" / "lectern-sample-paradigm"
STUDY = """
slug = "nonsense"
title = "Sense or nonsense"
paradigm = "sample-judgement"
responsible = "Example Language Laboratory"
contact = "studies@example.org"
estimated_minutes = 2
data_protection_note = "Kept under pseudonyms."

[materials]
file = "materials.csv"
"""
MATERIALS = "item,word,text\n" + "".join(
    f"{number},{word},The {noun} {word} the road.\n"
    for number, noun in enumerate(("dog", "cart"), start=1)
    for word in ("crossed", "dreamt")
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, target = tmp_path_factory.mktemp("source") / "sample", tmp_path_factory.mktemp("installed")
    shutil.copytree(SAMPLE, source)
    install = ("install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(target), str(source))
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    return target


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
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "materials.csv").write_text(MATERIALS, encoding="utf-8")
    platform.manage("create_study", str(tmp_path / "study.toml"), "--owner", "researcher", "--open")
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
    given = {**os.environ, "PYTHONPATH": os.pathsep.join([str(spoilt), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", "import django; django.setup(); import experiments.paradigms"],
        cwd=ROOT,
        env={**given, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert words in done.stderr

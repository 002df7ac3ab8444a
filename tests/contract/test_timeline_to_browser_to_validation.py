"""The contract between server and browser, for every paradigm: Python plans a session, the real plugins answer it in
Chromium by simulation, and Python validates what they recorded.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from experiments.paradigms import PARADIGMS
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in

STUDIES = {"magnitude-estimation": write_study}


@pytest.mark.parametrize("mode", ["data-only", "visual"])
@pytest.mark.parametrize("paradigm", [paradigm.slug for paradigm in PARADIGMS])
def test_what_every_plugin_simulates_is_accepted_by_the_server(
    platform: Platform, browser: Browser, tmp_path: Path, paradigm: str, mode: str
) -> None:
    slug = f"contract-{paradigm}-{mode}"
    write = STUDIES[paradigm]  # a paradigm without a study here has no contract test: add one
    path = write(tmp_path, slug=slug, items=16, settings="line_length_training = true\nbreak_every = 6")
    platform.manage("create_study", str(path), "--owner", "researcher")
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/s/{slug}/preview/?simulate={mode}")
    page.wait_for_function("() => window.lecternPreview?.done === true", timeout=120_000)
    records = page.evaluate("window.lecternPreview.records")
    page.close()

    declared = {plugin for known in PARADIGMS if known.slug == paradigm for plugin in known.responses}
    assert {record["plugin"] for record in records} == declared
    assert [record["position"] for record in records] == list(range(len(records)))
    refused = [(record["plugin"], record["errors"]) for record in records if record["valid"] is not True]
    assert refused == []
    judged = [record for record in records if record["phase"] == "main" and record["plugin"] == paradigm]
    assert len(judged) == 16
    assert all(record["measures"]["rating"] > 0 for record in judged)

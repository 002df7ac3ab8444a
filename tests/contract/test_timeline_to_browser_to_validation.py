"""The contract between server and browser, for every paradigm: Python plans a session, the real plugins answer it in
Chromium by simulation, and Python validates what they recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from experiments.paradigms import BUILT_IN
from experiments.paradigms.pieces.media import SOUND_RESPONSES
from experiments.paradigms.pieces.shared_pages import BREAK_FEEDBACK
from tests.browser.example_studies import write_example
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in
from tests.browser.recall_study import QUICK, write_recall_study
from tests.browser.waiting import wait_until
from tests.selection import only_in_full


@dataclass(frozen=True)
class ContractStudy:
    """A study of a paradigm: how to write it, how many texts a session shows, and what measures of each must satisfy.

    `write(folder, slug=…)` returns the path of the study file.
    """

    write: Callable[..., Path]
    texts: int
    is_right: Callable[[Mapping[str, Any]], bool]


# A paradigm without a study here has no contract test: add one.
STUDIES: Mapping[str, ContractStudy] = {
    "magnitude-estimation": ContractStudy(
        partial(write_study, items=16, settings="line_length_training = true\nbreak_every = 6"),
        texts=16,
        is_right=lambda measures: measures["rating"] > 0,
    ),
    "sentence-recall": ContractStudy(
        partial(write_recall_study, items=4, settings=f"{QUICK}\nbreak_every = 3"),
        texts=5,
        is_right=lambda measures: measures["arithmetic_total"] == 2 and measures["display_measured_ms"] > 0,
    ),
    "mouse-contingent-reading": ContractStudy(
        partial(write_example, name="mouse-reading"),
        texts=12 + 4,
        is_right=lambda measures: measures["areas"] == 3 and measures["reading_ms"] > 0 and measures["fluency"] > 0,
    ),
    "rating": ContractStudy(
        partial(write_example, name="system-ratings"),
        texts=6 * 4 + 2,
        is_right=lambda measures: 1 <= measures["focus"] <= 5 and measures["text_place"] <= measures["texts_shown"],
    ),
    "comparison": ContractStudy(
        partial(write_example, name="simplified-sentences"),
        texts=12 + 2,
        is_right=lambda measures: measures["texts_shown"] == 2 and measures["answer_ms"] > 0,
    ),
    "self-paced-reading": ContractStudy(
        partial(write_example, name="relative-clauses"),
        texts=24 + 12,
        is_right=lambda measures: measures["n_regions"] > 3 and measures["total_ms"] > 0,
    ),
    "timed-choice": ContractStudy(
        partial(write_example, name="masked-priming", changes={"forward_mask_ms": "50", "iti_ms": "0"}),
        texts=24 + 24,
        is_right=lambda measures: measures["rt_ms"] > 0 and measures["prime_ms"] > 0,
    ),
    "typed-production": ContractStudy(
        partial(write_example, name="cloze-sentences", changes={"break_every": "14"}),
        texts=24 + 4,
        is_right=lambda measures: measures["n_characters"] > 2 and measures["response_folded"] == measures["response"],
    ),
    "maze": ContractStudy(
        partial(write_example, name="maze-agents"),
        texts=20 + 10,
        is_right=lambda measures: measures["completed"] and measures["tries"] >= measures["n_regions"] > 3,
    ),
}


@pytest.mark.parametrize(
    "mode", ["data-only", only_in_full("a trial that is answered on the page and refused by the server", "visual")]
)
@pytest.mark.parametrize("paradigm", [paradigm.slug for paradigm in BUILT_IN])
def test_what_every_plugin_simulates_is_accepted_by_the_server(
    platform: Platform, browser: Browser, tmp_path: Path, paradigm: str, mode: str
) -> None:
    slug = f"contract-{paradigm}-{mode}"
    study = STUDIES[paradigm]
    path = study.write(tmp_path, slug=slug)
    platform.manage("create_study", str(path), "--owner", "researcher")
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/s/{slug}/preview/?simulate={mode}")
    wait_until(page, "() => window.lecternPreview?.done === true", seconds=120)
    records = page.evaluate("window.lecternPreview.records")
    page.close()

    declared = {plugin for known in BUILT_IN if known.slug == paradigm for plugin in known.responses}
    # Only where there are sounds, or feedback at breaks.
    assert {record["plugin"] for record in records} == declared - set(SOUND_RESPONSES) - {BREAK_FEEDBACK}
    assert [record["position"] for record in records] == list(range(len(records)))
    refused = [(record["plugin"], record["errors"]) for record in records if record["valid"] is not True]
    assert refused == []
    shown = [record for record in records if record["phase"] == "main" and record["plugin"] == paradigm]
    assert len(shown) == study.texts
    assert all(study.is_right(record["measures"]) for record in shown)

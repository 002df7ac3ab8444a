"""The field's words lead to the paragraphs that explain them: on a page, in the paragraphs and in the search."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from config.documentation import words
from tests import needs

HERE = Path(__file__).resolve().parent
# Words that people say first when they describe a study. Each has to find its page before all others.
FIRST = """
attention check · comprehension check · between-subjects · within-subjects · branching · demographics · monitor ·
informed consent · counterbalancing · Latin square · quota · preregistration · sequential analysis ·
interim analysis · optional stopping · ROI · AOI · interest area · SOA · ISI · ITI · ground truth · filler ·
catch trial · go/no-go · debriefing · randomisation · stimulus list · exclusion criteria · outlier ·
data quality · completion code · recruitment · screen-out · dropout · attrition · power analysis · sample size ·
effect size · random slopes · ICC · inter-rater reliability · cloze · maze task · self-paced reading ·
lexical decision · masked priming · picture naming · Likert scale · magnitude estimation · best-worst scaling ·
A/B test · forced choice · eye tracking · mouse tracking · visual analogue scale · skip logic · survey flow ·
piped text · timeline · survey · payment · longitudinal study · GDPR · withdrawal · ethics approval ·
data dictionary · dummy coding · post hoc test · multiple comparisons · d prime · annotators · PCIbex · jsPsych ·
JATOS · Gorilla · Qualtrics · OpenSesame · Prolific · SONA · practice trial · pseudorandom order · pilot study
"""


def words_that_lead() -> dict[str, str]:
    """Return the paragraph of every word of the table."""
    return {word: entry.location for entry in words.entries() for word in entry.called}


def page_of(location: str) -> str:
    return location.partition("#")[0]


def plain(text: str) -> str:
    """Return a text in small letters, with simple dashes and blanks."""
    return re.sub(r"\s+", " ", text.replace("–", "-")).lower()


def test_the_page_is_as_the_table_says() -> None:
    assert words.PAGE.read_text(encoding="utf-8") == words.page(), "python -m config.documentation.words"


def test_a_word_leads_to_one_paragraph() -> None:
    said = Counter(word.lower() for entry in words.entries() for word in entry.called)
    assert [word for word, times in said.items() if times > 1] == []


@pytest.mark.parametrize("entry", words.entries(), ids=lambda entry: entry.called[0])
def test_the_page_to_which_words_lead_says_the_first_of_them(entry: words.Entry) -> None:
    page = (words.PAGE.parent / page_of(entry.place)).read_text(encoding="utf-8")
    assert plain(entry.called[0]) in plain(page)


def test_the_glossary_forbids_no_word() -> None:
    glossary = (words.PAGE.parent / "glossary.md").read_text(encoding="utf-8")
    heads = [line for line in glossary.splitlines() if line.startswith("| word |")]
    assert heads[0] == "| word | meaning | also called | not to be confused with |"
    assert "not called" not in glossary


def test_the_first_page_of_the_help_leads_to_the_words() -> None:
    assert f"]({words.PAGE.name})" in (words.PAGE.parent / "README.md").read_text(encoding="utf-8")


def test_a_paragraph_that_is_not_there_stops_the_build() -> None:
    index = {
        "config": {"fields": {"tags": {"boost": 1.0}}},
        "docs": [{"location": "glossary/", "title": "", "text": ""}],
    }
    with pytest.raises(LookupError, match="questionnaires/#checks"):
        words.with_words(index)


def asked(site: Path, queries: list[str]) -> dict[str, list[str]]:
    """Return the best paragraphs of the first three pages that the search of a site finds for each query."""
    node = shutil.which("node")
    if node is None:
        needs.skip("Node", "apt-get install nodejs")
    finished = subprocess.run(
        [node, str(HERE / "search.mjs"), str(site)],
        input=json.dumps(queries),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, list[str]] = json.loads(finished.stdout)
    return found


def share_first(found: dict[str, list[str]], wanted: dict[str, str]) -> float:
    return sum(bool(found[query]) and page_of(found[query][0]) == page_of(wanted[query]) for query in wanted) / len(
        wanted
    )


def without_words(index: dict[str, Any]) -> dict[str, Any]:
    """Return a search index as it was before the words came in."""
    docs = [
        {
            name: value
            for name, value in document.items()
            if name != "tags" and not ("tags" in document and name == "boost")
        }
        for document in index["docs"]
    ]
    return {**index, "docs": docs}


@pytest.mark.full("what the search of the built site finds")
@pytest.mark.slow
def test_the_search_finds_the_words_and_still_finds_the_titles(site: Path, tmp_path: Path) -> None:
    lead = words_that_lead()
    first = [word.strip() for word in FIRST.replace("\n", " ").split("·")]
    assert len(first) >= 60
    assert [word for word in first if word not in lead] == []
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = Counter(html.unescape(document["title"]) for document in index["docs"])
    own = {
        title: document["location"]
        for document in index["docs"]
        if titles[title := html.unescape(document["title"])] == 1
        and not document["location"].startswith(("api/", "project/", "decisions/"))
    }
    before = tmp_path / "site"
    (before / "search").mkdir(parents=True)
    shutil.copytree(site / "assets" / "javascripts" / "workers", before / "assets" / "javascripts" / "workers")
    (before / "search" / "search_index.json").write_text(json.dumps(without_words(index)), encoding="utf-8")

    pages = {title: location for title, location in own.items() if "#" not in location}
    now, then = asked(site, [*lead, *own]), asked(before, [*lead, *own])

    elsewhere = {word: now[word] for word in first if not now[word] or page_of(now[word][0]) != page_of(lead[word])}
    assert elsewhere == {}
    assert share_first(now, lead) > 0.93
    assert share_first(then, lead) < 0.5, "the words do nothing"
    assert share_first(now, pages) >= share_first(then, pages) - 0.02
    assert share_first(now, own) >= share_first(then, own) - 0.02, (
        "the words hide pages from those who search them by title"
    )

"""What a study says instead of texts of the interface: checked, kept with the study, and given to the browser."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from experiments.languages import LANGUAGES
from experiments.models import AuditEntry, Study
from experiments.procedure.texts import default_text
from experiments.rules.interface_texts import forms_in, interface_texts, written_texts
from experiments.rules.wording import read_language_file, read_wording
from experiments.study.lifecycle import FrozenStudy, copy_study, create_study, opening_warnings
from experiments.study.wording import WordingFaults, language_file, language_file_of, save_wording
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.description import StudyFileFaults
from experiments.study_files.toml import create_from_toml
from tests.participants.studies import Browser, open_study

HEAD = """slug = "worded"
title = "Worded"
paradigm = "magnitude-estimation"

[settings]
modulus_text = "The door was by the porter opened."

[materials]
file = "materials.csv"

"""
PARTS = """slug = "worded"
title = "Worded"

[[parts]]
name = "sentences"
paradigm = "magnitude-estimation"
materials = { file = "materials.csv" }

[parts.settings]
modulus_text = "The door was by the porter opened."

"""
WORDING = """[wording]
"pages.next" = "Go on"
"pages.uploadingText.one" = "One answer is on its way."
pages.pageOf = "{1} / {2}"
"""
KEPT = {"pages.next": "Go on", "pages.pageOf": "{1} / {2}", "pages.uploadingText.one": "One answer is on its way."}


def written(folder: Path, text: str) -> Path:
    (folder / "materials.csv").write_text("item,text\n1,One.\n2,Two.\n3,Three.\n4,Four.\n")
    path = folder / "study.toml"
    path.write_text(text)
    return path


def marked(texts: Any) -> Any:
    """Return texts in another language: every one with a word before it."""
    if isinstance(texts, str):
        return f"Neno: {texts}"
    return {key: marked(inner) for key, inner in texts.items()}


def swahili(**changes: Any) -> dict[str, Any]:
    return {"language": "sw", "direction": "ltr", **marked(written_texts("en")), **changes}


def file_faults(given: Any, language: str = "en") -> list[str]:
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    wording, faults = read_language_file(data, language)
    assert bool(wording) != bool(faults)
    return [str(fault) for fault in faults]


def faults_of(wording: Any, language: str = "en") -> list[str]:
    kept, faults = read_wording(wording, language)
    assert not (kept and faults)
    return [str(fault) for fault in faults]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_file_of_every_language_of_the_platform_is_right_and_changes_nothing(tag: str) -> None:
    assert list(interface_texts(tag)) == list(interface_texts("en"))
    assert read_language_file(json.dumps(language_file(tag)).encode(), tag) == ({}, [])


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("pages.nxt", "On", "There is no text with this key. Did you mean 'pages.next'?"),
        ("pages.next.one", "On", "There is no text with this key. Did you mean 'pages.next'?"),
        ("pages.next", "", "A text is missing here."),
        ("pages.next", 3, "A text is missing here."),
        ("pages.next", {"one": {}}, "There is no text with this key."),
        ("pages.next", "On\nand on", "Write one line of at most 600 characters."),
        ("pages.next", "<b>On</b>", "HTML is not possible, because participants would read its tags."),
        ("pages.next", "On {1}", "The text must contain no values, but it contains {1}."),
        ("pages.pageOf", "Page {1}", "The text must contain {1}, {2}, but it contains {1}."),
        ("pages.pageOf", "Page {page} of {2}", "The text must contain {1}, {2}, but it contains {2}, {page}."),
        ("pages.uploadingText.other", "some items", "The text must contain {1}, but it contains no values."),
        ("pages.uploadingText.few", "{1} items", "In en, counts have no form “few”. Possible forms: one, other."),
        ("language", "swahili!", "'swahili!' is not a language tag."),
        ("language", "de", "The texts are in German, a language that the platform already has."),
        ("direction", "rtl", "The direction must be ltr, not 'rtl'."),
    ],
)
def test_a_text_that_would_not_do_is_refused_with_a_sentence(place: str, text: Any, said: str) -> None:
    assert any(said in fault for fault in faults_of({place: text})), faults_of({place: text})


def test_a_form_of_a_count_may_leave_the_number_out_where_it_says_it() -> None:
    assert faults_of({"pages.uploadingText.one": "One item is left."}) == []
    assert faults_of({"pages": {"uploadingText": {"one": "One item is left."}}}) == []
    both = {"pages.uploadingText.one": "One item is left.", "pages.uploadingText": "{1} left"}
    assert "as a whole and in forms for counts" in faults_of(both)[0]


def test_a_language_file_tells_all_its_faults_at_once() -> None:
    texts = swahili(extra="?", language="pl")
    assert ", a language that the platform already has." in " ".join(file_faults(texts))
    texts = swahili(extra="?")
    del texts["maze"]["nextText"], texts["direction"]
    texts["pages"]["pageOf"] = "Ukurasa"
    del texts["pages"]["uploadingText"]["other"]
    found = file_faults(texts)
    assert [fault.partition(": ")[0] for fault in found] == [
        "Setting 'direction'", "Setting 'pages.pageOf'", "Setting 'extra'",
        "Setting 'pages.uploadingText.other'", "Setting 'maze.nextText'",
    ]  # fmt: skip


def test_a_language_that_counts_in_more_forms_needs_all_of_them() -> None:
    assert forms_in("sk") == ("one", "few", "other")
    found = file_faults(swahili(language="sk"))
    assert found
    assert all("This text is missing." in fault for fault in found)
    assert any("pages.uploadingText.few" in fault for fault in found)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not valid JSON"),
        (b'{"pages": ', "in line 1 at character 11"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[]", "must contain one object"),
        (b"{}", "does not say which language"),
        (b"[" * 100_000, "is not valid JSON"),
        (b'{"a":' * 900 + b"1" + b"}" * 900, "There is no text with this key."),
        (b" " * 400_000, "larger than 300 kB"),
    ],
)
def test_what_is_no_language_file_gets_a_sentence(data: bytes, said: str) -> None:
    assert said in " ".join(file_faults(data))


def test_of_a_file_in_the_language_of_the_study_only_what_differs_is_kept() -> None:
    given = language_file("en")
    given["pages"] = {**given["pages"], "next": "Go on"}
    assert read_language_file(json.dumps(given).encode(), "en") == ({"pages.next": "Go on"}, [])
    given["language"] = "en-GB"
    wording, faults = read_language_file(json.dumps(given).encode(), "en")
    assert faults == []
    assert wording == {"language": "en-GB", "direction": "ltr", "pages.next": "Go on"}


@pytest.mark.django_db
@pytest.mark.parametrize("head", [HEAD, PARTS], ids=["one task", "parts"])
def test_a_file_an_archive_and_a_copy_hold_the_same(tmp_path: Path, head: str) -> None:
    study = create_from_toml(written(tmp_path, head + WORDING))
    assert study.wording == KEPT
    again = create_from_archive(study_archive(study), slug="again")
    assert again.wording == copy_study(study, "copy", None).wording == KEPT


@pytest.mark.django_db
def test_a_study_without_a_wording_has_an_archive_and_pages_without_one(tmp_path: Path) -> None:
    study = create_from_toml(written(tmp_path, HEAD))
    assert study.wording == {}
    with zipfile.ZipFile(io.BytesIO(study_archive(study))) as archive:
        assert "wording" not in json.loads(archive.read("study.json"))
    browser = Browser(open_study())
    assert '"wording"' not in browser.client.get("/s/small-study/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("head", [HEAD, PARTS], ids=["one task", "parts"])
def test_faults_of_a_study_file_are_told_with_their_lines_and_nothing_is_stored(tmp_path: Path, head: str) -> None:
    text = head + WORDING.replace("{1} / {2}", "{1}").replace('"pages.next"', '"pages.nxt"')
    with pytest.raises(StudyFileFaults) as refused:
        create_from_toml(written(tmp_path, text))
    first = text[: text.index("[wording]")].count("\n") + 1
    assert [fault.line for fault in refused.value.faults] == [first + 1, first + 3]
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_a_wording_is_fixed_once_the_study_was_opened(researcher: Any) -> None:
    study = create_study(slug="mine", title="Mine", paradigm="rating", user=researcher, owner=researcher)
    save_wording(study, {"pages.next": "Go on"}, researcher)
    assert "'' → 'Go on'" in AuditEntry.objects.get(study=study, action="wording changed").detail
    with pytest.raises(WordingFaults):
        save_wording(study, {"pages.next": "{1}"}, researcher)
    Study.objects.filter(pk=study.pk).update(status="open")
    with pytest.raises(FrozenStudy):
        save_wording(study, {}, researcher)
    study.refresh_from_db()
    assert study.wording == {"pages.next": "Go on"}


@pytest.mark.django_db
def test_participants_get_what_the_study_says_and_nothing_else_of_the_interface() -> None:
    browser = Browser(open_study(wording=KEPT, questions=[{"name": "age", "label": "Age", "kind": "number"}]))
    sections = {"next": "Go on", "pageOf": "{1} / {2}", "uploadingText": {"one": "One answer is on its way."}}
    for address in ("/s/small-study/", "/s/small-study/run/"):
        page = browser.client.get(address).content.decode()
        config = json.loads(page.partition('type="application/json">')[2].partition("</script>")[0])
        assert config["wording"] == {"pages": sections}
        assert config["language"] == "en"
        assert page.index("assets/en-") < page.index("assets/wording-") < page.index("assets/" + (
            "runner-" if "run" in address.split("/") else "landing-"))  # fmt: skip
        browser.start()


@pytest.mark.django_db
def test_a_language_of_its_own_reaches_pages_sessions_and_the_heading_of_questions() -> None:
    wording, faults = read_language_file(json.dumps(swahili(language="ur", direction="rtl")).encode(), "en")
    assert faults == []
    asked = [{"name": "age", "label": "Age", "kind": "number"}]
    study = open_study(wording=wording, questions=asked)
    browser = Browser(study)
    landing = browser.client.get("/s/small-study/").content.decode()
    assert '<html lang="en" translate="no">' in landing
    assert '<div class="text" lang="ur" dir="rtl">' in landing
    browser.start()
    opened = browser.open().json()
    assert opened["language"] == "ur"
    assert opened["trials"][0]["params"]["title"] == "Neno: About you"
    assert '<html lang="ur" translate="no" dir="rtl">' in browser.client.get("/s/small-study/run/").content.decode()
    warnings = [str(fault) for fault in opening_warnings(Study.objects.get(pk=study.pk))]
    assert not [said for said in warnings if "still English" in said]
    study.texts.create(kind="debriefing", version=9, body=default_text(study, "debriefing"))
    warnings = [str(fault) for fault in opening_warnings(study)]
    assert any(
        "The pages are in Urdu, but these texts are still in English: the debriefing." in said for said in warnings
    )
    whole = language_file_of(study)
    assert (whole["language"], whole["pages"]["next"]) == ("ur", "Neno: Continue")
    assert read_language_file(json.dumps(whole).encode(), "en") == (wording, [])

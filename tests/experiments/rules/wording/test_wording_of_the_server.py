"""The server's texts for participants in a study's words: listed, checked, kept in files, and said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from experiments.languages import LANGUAGES
from experiments.models import Study
from experiments.rules.interface_texts import forms_in, interface_texts
from experiments.rules.server_texts import SECTIONS, SERVER_TEXTS, server_texts, values_of
from experiments.rules.wording import read_language_file, read_wording
from experiments.study.lifecycle import copy_study, create_study
from experiments.study.server_words import in_words_of
from experiments.study.wording import language_file, save_wording
from experiments.study_files import study_archive
from experiments.study_files.archive import create_from_archive
from experiments.study_files.toml import create_from_toml
from tests.experiments.rules.wording.test_wording import HEAD, swahili, written
from tests.participants.languages.test_texts_in_every_language import TEXTS
from tests.participants.studies import Browser, open_study

NOT_OF_A_STUDY = {"There is no study at this address. Please check the link."}
WORDING = {
    "start.continue": "Off we go",
    "start.minutes.other": "some {1} minutes, 100% of them useful",
    "start.contact": "{2} reaches {1} & friends",
    "consent.agree": "Yes, begin",
    "consent.version": "Text no. {1}",
    "withdrawal.heading": "Leave the study behind",
    "withdrawal.unknownCode": "Nobody here has this code.",
    "closed.closed": "Too late for this one.",
    "refusals.tickAll": "Tick every box, please.",
}


def test_every_text_that_the_server_has_for_participants_has_a_key_and_no_key_is_left_over() -> None:
    originals = [text if isinstance(text, str) else tuple(text) for text in SERVER_TEXTS.values()]
    assert len(originals) == len(set(originals))
    assert set(originals) == TEXTS - NOT_OF_A_STUDY
    assert not {key.partition(".")[0] for key in interface_texts("en")} & set(SECTIONS)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_originals_are_those_of_the_language_with_its_values_and_forms(tag: str) -> None:
    texts = server_texts(tag)
    assert list(texts) == list(SERVER_TEXTS)
    for key, forms in texts.items():
        values = {f"{{{number}}}" for number, _ in enumerate(values_of(SERVER_TEXTS[key]), start=1)}
        assert not any("%(" in text for text in forms.values())
        assert all(value in forms.get("other", forms.get("", "")) for value in values), key
        assert list(forms) == ([""] if isinstance(SERVER_TEXTS[key], str) else list(forms_in(tag)))
    with translation.override(tag):
        assert texts["consent.agree"][""] == translation.gettext("I agree and start")
    assert language_file(tag)["consent"]["agree"] == texts["consent.agree"][""]


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("consent.agre", "Yes", "There is no text with this key. Did you mean 'consent.agree'?"),
        ("consent.agree", "Yes {1}", "The text must contain no values, but it contains {1}."),
        ("consent.version", "This text", "The text must contain {1}, but it contains no values."),
        ("start.minutes.few", "{1} minutes", "In en, counts have no form “few”. Possible forms: one, other."),
        ("consent.agree", "<b>Yes</b>", "HTML is not possible, because participants would read its tags."),
    ],
)
def test_a_text_that_would_not_do_is_refused_with_a_sentence(place: str, text: str, said: str) -> None:
    kept, faults = read_wording({place: text}, "en")
    assert kept == {}
    assert any(said in str(fault) for fault in faults), faults


def test_a_whole_language_may_leave_the_server_s_texts_to_the_platform() -> None:
    assert read_language_file(json.dumps(swahili()).encode(), "en")[1] == []
    wording, faults = read_language_file(json.dumps(swahili(consent={"agree": "Nakubali"})).encode(), "en")
    assert (wording["consent.agree"], faults) == ("Nakubali", [])


@pytest.mark.django_db
def test_a_file_an_archive_and_a_copy_hold_the_same(tmp_path: Path) -> None:
    lines = "\n".join(f'"{place}" = "{text}"' for place, text in WORDING.items())
    study = create_from_toml(written(tmp_path, f"{HEAD}[wording]\n{lines}\n"))
    assert study.wording == WORDING
    again = create_from_archive(study_archive(study), slug="again")
    assert again.wording == copy_study(study, "copy", None).wording == WORDING


@pytest.mark.django_db
def test_the_page_of_texts_has_a_field_with_the_original_in_the_language_of_the_study(
    client: Client, researcher: Any
) -> None:
    create_study(slug="mine", title="Mine", paradigm="rating", user=researcher, owner=researcher, language="de")
    client.force_login(researcher)
    address = "/admin/studies/mine/wording/"
    page = client.get(address).content.decode()
    assert server_texts("de")["consent.agree"][""] in page
    assert 'name="consent.agree"' in page
    client.post(address, {"consent.agree": "Ja, los", "closed.full": ""})
    assert Study.objects.get().wording == {"consent.agree": "Ja, los"}
    assert 'value="Ja, los"' in client.get(address).content.decode()
    assert client.post(address, {"consent.version": "Fassung"}).status_code == 422
    client.post(address, {"consent.agree": "", "closed.full": ""})
    assert Study.objects.get().wording == {}


@pytest.mark.django_db
def test_participants_read_the_study_s_words_on_every_page_of_the_server() -> None:
    study = open_study(wording=WORDING)
    browser = Browser(study)
    landing = browser.client.get("/s/small-study/").content.decode()
    for said in (
        "Off we go",
        "some 12 minutes, 100% of them useful",
        "laboratory@example.org reaches Laboratory of Examples & friends",
        "Yes, begin",
        "Text no. 1",
        "I do not want to take part",
    ):
        assert said in landing, said
    assert "I agree and start" not in landing
    # The browser gets its own texts alone.
    assert '"wording"' not in landing
    refused = browser.start(consent={"version": 1, "required": [False, True], "optional": {}})
    assert refused.json()["message"] == "Tick every box, please."
    withdrawal = browser.client.get("/s/small-study/withdraw/").content.decode()
    assert "Leave the study behind" in withdrawal
    unknown = browser.client.post("/s/small-study/withdraw/", {"withdrawal_code": "AAAA"}).content.decode()
    assert "Nobody here has this code." in unknown
    Study.objects.update(status="closed")
    assert "Too late for this one." in Client().get("/s/small-study/").content.decode()


@pytest.mark.django_db
def test_another_study_and_the_platform_itself_say_what_they_always_do() -> None:
    open_study(wording=WORDING)
    open_study("other-study")
    client = Client()
    assert "Yes, begin" in client.get("/s/small-study/").content.decode()
    assert "I agree and start" in client.get("/s/other-study/").content.decode()
    client.post("/api/studies/small-study/sessions/", "{}", content_type="application/json")
    assert "I agree and start" in client.get("/s/other-study/").content.decode()
    assert translation.gettext("I agree and start") == "I agree and start"


@pytest.mark.django_db
def test_what_would_not_be_taken_today_is_not_said() -> None:
    study = open_study(wording={"consent.agree": "<script>alert(1)</script>", "consent.version": "Text"})
    page = Client().get("/s/small-study/").content.decode()
    assert "alert(1)" not in page
    assert "I agree and start" in page
    assert "Version 1 of this text." in page
    assert study.wording


@pytest.mark.django_db
@pytest.mark.parametrize(("number", "said"), [(1, "minuta, tylko"), (3, "około 3 minut"), (7, "całe 7 minut")])
def test_a_count_takes_the_study_s_form_and_else_the_language_s(number: int, said: str) -> None:
    wording = {"start.minutes.one": "minuta, tylko", "start.minutes.many": "całe {1} minut"}
    study = open_study(language="pl", wording=wording)
    with in_words_of(study, "pl"):
        text = translation.ngettext("about %(minutes)s minute", "about %(minutes)s minutes", number)
    assert said in text % {"minutes": number}


@pytest.mark.django_db
def test_who_judges_the_study_reads_its_words_on_the_page_that_becomes_a_pdf(client: Client, researcher: Any) -> None:
    study = create_study(slug="mine", title="Mine", paradigm="rating", user=researcher, owner=researcher)
    save_wording(study, {"consent.heading": "What you agree to", "start.responsible": "In charge"}, researcher)
    client.force_login(researcher)
    page = client.get("/s/mine/preview/texts/").content.decode()
    assert "What you agree to" in page
    assert "Your consent" not in page

"""The page with every text of the interface: what is typed there is checked, kept, told with its faults, and fixed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from experiments.models import Study
from experiments.rules.interface_texts import interface_texts, participants_texts, written_texts
from experiments.study.lifecycle import create_study
from experiments.study.wording import save_wording

PAGE = "/admin/studies/worded/wording/"


@pytest.fixture
def study(researcher: Any) -> Study:
    return create_study(slug="worded", title="Worded", paradigm="rating", user=researcher, owner=researcher)


def upload(client: Client, texts: Any) -> Any:
    file = SimpleUploadedFile("sw.json", json.dumps(texts).encode())
    return client.post(f"{PAGE}upload/", {"file": file}, follow=True)


@pytest.mark.django_db
def test_every_text_stands_beside_an_empty_field_and_what_is_typed_there_is_kept(study: Study, owner: Client) -> None:
    page = owner.get(PAGE).content.decode()
    names = re.findall(r'<(?:input|textarea) class="input" id="[\w-]+" name="([\w.-]+)"', page)
    forms = {f"{key}.{form}".rstrip(".") for key, texts in participants_texts("en").items() for form in texts}
    assert set(names) == forms
    assert "Please tick this box to go on." in page
    typed = {"pages.next": " Go on ", "pages.back": "Back", "pages.offline": "", "pages.thanksText": "All\r\n arrived."}
    answer = owner.post(PAGE, typed, follow=True)
    assert "Saved: 2 texts of the study’s own." in answer.content.decode()
    study.refresh_from_db()
    assert study.wording == {"pages.next": "Go on", "pages.thanksText": "All arrived."}
    assert "2 texts of the study’s own" in owner.get(f"{PAGE}remove/").content.decode()
    owner.post(f"{PAGE}remove/")
    study.refresh_from_db()
    assert study.wording == {}


@pytest.mark.django_db
def test_faults_stand_beside_their_fields_with_what_was_typed(study: Study, owner: Client) -> None:
    answer = owner.post(PAGE, {"pages.pageOf": "Page {1} <b>", "pages.next": "{1}", "pages.back": "Home"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Nothing was stored: 3 texts contain errors." in page
    assert 'id="fault-pages-pageOf"' in page
    assert 'value="Page {1} &lt;b&gt;"' in page
    assert 'value="Home"' in page
    study.refresh_from_db()
    assert study.wording == {}


@pytest.mark.django_db
def test_a_language_file_is_taken_whole_or_not_at_all(study: Study, owner: Client) -> None:
    texts = {"language": "xx", "direction": "rtl", **written_texts("en")}
    page = upload(owner, {**texts, "maze": {}, "other": {}}).content.decode()
    assert "Nothing was stored: there are" in page
    assert "<code>maze.nextText</code>: This text is missing." in page
    study.refresh_from_db()
    assert study.wording == {}
    # What depends on a count is one text in a language without forms.
    for key, forms in interface_texts("en").items():
        if "" not in forms:
            *path, last = key.split(".")
            section: Any = texts
            for name in path:
                section = section[name]
            section[last] = forms["other"]
    page = upload(owner, texts).content.decode()
    assert "The file was uploaded" in page
    assert "Participants read the study in the language <code>xx</code>" in page
    study.refresh_from_db()
    assert study.participants_language == "xx"
    assert study.participants_direction == "rtl"
    assert owner.post(PAGE, {"pages.next": "Go on"}).status_code == 422
    whole = owner.get(f"{PAGE}texts.json").json()
    assert (whole["language"], whole["direction"], whole["pages"]["uploadingText"]) == (
        "xx", "rtl", "{1} items are still to be sent. Please keep this page open.",
    )  # fmt: skip
    assert owner.get(f"{PAGE}template.json").json()["maze"] == written_texts("en")["maze"]
    assert owner.get(f"{PAGE}other.json").status_code == 404


@pytest.mark.django_db
def test_nothing_changes_once_the_study_was_opened_or_for_who_may_only_look(
    study: Study, owner: Client, client_of: Any, researcher: Any
) -> None:
    viewer = client_of("viewer", study)
    assert viewer.post(PAGE, {"pages.next": "Go on"}).status_code == 403
    save_wording(study, {"pages.next": "Go on"}, researcher)
    Study.objects.filter(pk=study.pk).update(status="open")
    page = owner.get(PAGE).content.decode()
    assert "Locked: the study has been opened." in page
    assert '<fieldset class="form form-section" disabled>' in page
    owner.post(f"{PAGE}remove/")
    for answer in (
        owner.post(PAGE, {"pages.next": "On"}, follow=True),
        upload(owner, {"language": "en", **written_texts("en")}),
    ):
        assert answer.status_code == 200
    study.refresh_from_db()
    assert study.wording == {"pages.next": "Go on"}


@pytest.mark.django_db
def test_another_language_of_the_study_keeps_its_own_words_and_opening_says_so(study: Study, owner: Client) -> None:
    owner.post(PAGE, {"pages.uploadingText.one": "One item is left."})
    form = owner.get("/admin/studies/worded/settings/").context["form"]
    given = {name: form[name].value() or "" for name in form.fields} | {"title": "Worded", "language": "zh"}
    answer = owner.post("/admin/studies/worded/settings/", given)
    assert answer.status_code == 302
    study.refresh_from_db()
    assert (study.language, study.wording) == ("zh", {"pages.uploadingText.one": "One item is left."})
    assert (
        "The study has 1 text of its own, which appears among texts in" in owner.get("/admin/studies/worded/open/").text
    )

"""New studies: from a paradigm, from the example, from a file, as a copy."""

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from experiments.materials import design_of, materials_csv
from experiments.models import Study
from experiments.paradigms import PARADIGMS, paradigm_named
from experiments.study.lifecycle import create_study
from experiments.study.opening import opening_faults
from experiments.study.parts import add_part
from experiments.study_files import study_archive
from experiments.study_files.examples import example_studies
from experiments.study_files.recruitment import TABLES
from experiments.study_files.toml import create_from_toml

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[3] / "experiments" / "examples" / "causal-sentences"
MATERIALS = "item,text,order\na,A one.,one\na,A two.,two\nb,B one.,one\nb,B two.,two\n"
STUDY = """
slug = "from-a-file"
title = "A study from a file"
paradigm = "magnitude-estimation"

[settings]
modulus_text = "The reference."

[materials]
file = "{file}"
"""


def start(client, way, **data):
    return client.post(reverse("study:start"), {"way": way, **data})


def test_a_german_study_asks_in_german_before_its_settings_are_confirmed(client_of):
    paradigm = "mouse-contingent-reading"
    start(client_of("owner"), "paradigm", title="Neu", slug="neu", language="de", paradigm=paradigm)
    study = Study.objects.get(slug="neu")
    add_part(study, name="second", kind="task", user=study.owner, paradigm=paradigm)
    for part in Study.objects.get(slug="neu").ordered_parts:
        settings = paradigm_named(paradigm).complete_settings(part.settings)
        texts = [question["text"] for question in settings["ratings"]]
        assert texts
        assert not any(re.search(r"\b(?:the|is|how)\b", text, re.IGNORECASE) for text in texts), texts


def toml(file="materials.csv", extra=""):
    return SimpleUploadedFile("study.toml", (extra + STUDY.replace("{file}", file)).encode())


def csv():
    return SimpleUploadedFile("materials.csv", MATERIALS.encode())


def test_every_way_to_begin_has_its_page(owner):
    for way in ("paradigm", "example", "file", "copy", "something-else"):
        assert owner.get(reverse("study:start"), {"way": way}).status_code == 200


def test_a_study_from_a_paradigm_belongs_to_who_made_it(owner, researcher):
    answer = start(
        owner, "paradigm", title="Word order", slug="word-order", paradigm="magnitude-estimation", language="de"
    )
    assert answer.url == "/admin/studies/word-order/materials/"
    study = Study.objects.get(slug="word-order")
    assert (study.owner, study.status, study.language) == (researcher, "draft", "de")


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("Word Order", "lower-case letters"),
        ("new", "The platform itself uses"),
        ("causal", "A study with this address already exists. Choose another one."),
        ("", "required"),
    ],
)
@pytest.mark.parametrize("way", ["paradigm", "example", "copy"])
def test_an_address_that_cannot_be_is_refused_with_the_reason(way, slug, sentence, draft, owner):
    before = Study.objects.count()
    answer = start(
        owner, way, title="x", slug=slug, paradigm="magnitude-estimation", language="en", source=str(draft.pk)
    )
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert Study.objects.count() == before


@pytest.mark.parametrize("example", example_studies(), ids=lambda example: example.slug)
def test_every_example_is_complete(owner, researcher, example):
    start(owner, "example", example=example.slug, slug="my-example")
    study = Study.objects.get(slug="my-example")
    assert study.owner == researcher
    assert (study.paradigm, study.title) == (example.paradigm, example.title)
    # All that an example lacks is what only its researcher can say.
    assert [str(fault) for fault in opening_faults(study) if fault.step != "settings"] == []
    assert study.items.filter(is_filler=False, is_practice=False).exists()


def test_the_page_offers_an_example_of_every_paradigm(owner):
    page = owner.get(reverse("study:start"), {"way": "example"}).content.decode()
    assert {example.paradigm for example in example_studies()} == {paradigm.slug for paradigm in PARADIGMS}
    assert all(f'value="{example.slug}"' in page for example in example_studies())
    assert start(owner, "example", example="nothing-like-it", slug="mine").status_code == 422


def test_a_study_file_comes_with_its_materials(owner):
    answer = start(owner, "file", file=toml(), materials=csv())
    assert answer.status_code == 302, answer.content
    study = Study.objects.get(slug="from-a-file")
    assert study.lists.count() == 2
    assert study.settings["modulus_text"] == "The reference."


def test_a_study_file_can_get_another_address(owner):
    start(owner, "file", file=toml(), materials=csv(), slug="elsewhere")
    assert Study.objects.filter(slug="elsewhere").exists()


def test_the_faults_of_a_study_file_are_listed_and_nothing_is_stored(owner):
    answer = start(owner, "file", file=toml(extra='colour = "red"\nseed = "seven"\n'), materials=csv())
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "The file contains 2 errors. Nothing was stored." in page
    assert "Line 1: There is no key" in page
    assert not Study.objects.exists()


def test_a_study_file_without_its_materials_says_which_are_missing(owner):
    answer = start(owner, "file", file=toml())
    assert answer.status_code == 422
    assert "materials.csv" in answer.content.decode()


@pytest.mark.parametrize("path", ["/etc/hostname", "../../etc/hostname", "folder/materials.csv", "..", "study.toml"])
def test_an_uploaded_study_file_reaches_no_file_of_the_server(path, owner):
    for materials in (csv(), None):
        answer = start(owner, "file", file=toml(file=path), **({"materials": materials} if materials else {}))
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "The study file names its materials with the path “" in page
        assert "columns" not in page.split("note-error")[1].split("</div>")[0]
    assert not Study.objects.exists()


def test_an_archive_of_another_platform_is_read(ready, owner):
    archive = SimpleUploadedFile("causal.zip", study_archive(ready))
    assert start(owner, "file", file=archive).status_code == 422
    archive.seek(0)
    assert start(owner, "file", file=archive, slug="replication").status_code == 302
    copy = Study.objects.get(slug="replication")
    assert materials_csv(design_of(copy)) == materials_csv(design_of(ready))


EVERY_TABLE = """
questions = [{ name = "age", label = "How old are you?", kind = "number", required = true }]

[settings]
modulus_text = "The reference."

[materials]
file = "materials.csv"

[translations.de]
title = "Alles"

[[sources]]
name = "prolific"
kind = "prolific"
outcomes = { completed = { code = "C1" } }

[[criteria]]
name = "under-30"
quota = 20
when = [{ question = "age", operator = "below", value = 30 }]

[look]
colour = "#1c4c5c"

[wording]
"pages.next" = "Go on"

[labels.order]
label = "Order of clauses"
levels = { one = "cause first" }
"""


def test_an_archive_with_every_optional_table_comes_back_on_the_page(tmp_path, owner):
    (tmp_path / "materials.csv").write_text(MATERIALS)
    path = tmp_path / "study.toml"
    path.write_text(
        'slug = "all-tables"\ntitle = "All"\nparadigm = "magnitude-estimation"\nlanguages = ["en", "de"]\n'
        + EVERY_TABLE
    )
    study = create_from_toml(path)
    assert all(getattr(study, name) for name in TABLES)
    answer = start(owner, "file", file=SimpleUploadedFile("all.zip", study_archive(study)), slug="again")
    assert answer.status_code == 302, answer.content.decode()
    again = Study.objects.get(slug="again")
    for name in TABLES:
        assert getattr(again, name) == getattr(study, name), name


def test_the_archive_of_an_unfinished_draft_comes_back_on_the_page(owner, researcher):
    draft = create_study(slug="begun", title="Begun", paradigm="magnitude-estimation", user=researcher)
    answer = start(owner, "file", file=SimpleUploadedFile("begun.zip", study_archive(draft)), slug="begun-again")
    assert answer.status_code == 302, answer.content.decode()
    assert Study.objects.get(slug="begun-again").status == "draft"


@pytest.mark.parametrize("data", [b"PK\x03\x04 but broken", b"\xff\xfe\x00 no text", b"", b"not = toml = at all"])
def test_a_file_that_is_no_study_is_refused_in_words(data, owner):
    answer = start(owner, "file", file=SimpleUploadedFile("study.bin", data))
    assert answer.status_code == 422
    assert "note-error" in answer.content.decode() or "errorlist" in answer.content.decode()


def test_the_archive_of_a_study_can_be_downloaded(ready, owner):
    answer = owner.get(reverse("study:archive", args=[ready.slug]))
    assert answer.content == study_archive(ready)
    assert answer["Content-Disposition"] == 'attachment; filename="causal-study.zip"'


def test_a_copy_takes_the_design_and_belongs_to_who_copied(ready, client_of):
    viewer = client_of("viewer", ready)
    answer = viewer.post(reverse("study:copy", args=[ready.slug]), {"slug": "causal-2"})
    assert answer.url == "/admin/studies/causal-2/"
    copy = Study.objects.get(slug="causal-2")
    assert copy.owner.username == "the-viewer"
    assert copy.lists.count() == ready.lists.count()


def test_only_studies_one_can_see_can_be_copied(ready, client_of):
    answer = start(client_of("stranger"), "copy", source=str(ready.pk), slug="stolen")
    assert answer.status_code == 422
    assert not Study.objects.filter(slug="stolen").exists()


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"kind": "address", "text": "Wörter & Sätze"}, "woerter-saetze"),
        ({"kind": "address", "text": "New"}, "new-2"),
        ({"kind": "address", "text": "Causal"}, "causal-2"),
        ({"kind": "column", "text": "What is your native language?", "taken": "native_language"}, "native_language_2"),
        ({"kind": "part", "text": "maze", "taken": "maze,maze-2"}, "maze-3"),
        ({"kind": "criterion", "text": "age is at least 18"}, "age-least-18"),
        ({"kind": "code", "text": "Word order changed"}, "wordorder"),
        ({"kind": "part", "text": "文"}, "part"),
    ],
)
def test_a_name_is_made_of_what_was_written_and_is_free(asked, name, ready, owner):
    assert ready.slug == "causal"
    assert owner.get(reverse("study:suggested_name"), asked).json() == {"name": name}


def test_names_are_made_for_researchers_alone_and_of_known_kinds(owner, client):
    address = reverse("study:suggested_name")
    assert owner.get(address, {"kind": "password", "text": "x"}).status_code == 400
    assert client.get(address, {"kind": "part", "text": "x"}).status_code == 302
    long = owner.get(address, {"kind": "address", "text": "word " * 5_000, "taken": "," * 5_000}).json()["name"]
    assert 0 < len(long) <= 60


def test_the_form_of_a_copy_comes_with_an_address_that_is_free(ready, owner):
    page = owner.get(reverse("study:copy", args=[ready.slug])).content.decode()
    assert 'value="causal-2"' in page

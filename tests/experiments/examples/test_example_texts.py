"""The study file and the texts of the examples can be read, are complete and keep to the markup."""

import csv
import re
import tomllib
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "experiments" / "examples"
STUDY_FILE = EXAMPLES / "causal-sentences" / "study.toml"
DEFAULTS = EXAMPLES / "defaults"

LANGUAGES = ("en", "de")
TEXTS = ("welcome", "consent", "instructions", "debriefing")
PLACEHOLDERS = {"title", "minutes", "responsible", "contact"}


def study():
    with STUDY_FILE.open("rb") as file:
        return tomllib.load(file)


def default_text(language, name):
    return (DEFAULTS / language / f"{name}.txt").read_text(encoding="utf-8")


def pages(body):
    return [page.strip() for page in re.split(r"^---$", body, flags=re.MULTILINE)]


def placeholders(body):
    return set(re.findall(r"\{(.*?)\}", body))


def shape(body):
    """The kinds of line in a text: what a translation has to share with its original."""
    return [line[:2].strip() if line[:2] in {"# ", "- ", "> "} else "text" for line in body.splitlines() if line != ""]


def every_body():
    bodies = {f"study.toml {name}": study()["texts"][name]["body"].strip("\n") for name in TEXTS}
    for language in LANGUAGES:
        bodies |= {f"{language}/{name}": default_text(language, name).strip("\n") for name in TEXTS}
    return bodies


def test_the_study_file_names_materials_that_exist():
    assert (STUDY_FILE.parent / study()["materials"]["file"]).is_file()


def test_the_study_file_holds_every_section_a_study_needs():
    assert set(study()) == {
        *("slug", "title", "paradigm", "language", "description", "responsible", "contact", "seed"),
        *(
            "estimated_minutes",
            "data_protection_note",
            "settings",
            "procedure",
            "modulus",
            "materials",
            "questions",
            "texts",
        ),
    }
    assert set(study()["texts"]) == set(TEXTS)


def test_questions_have_names_labels_and_choices_where_they_offer_a_choice():
    questions = study()["questions"]
    names = [question["name"] for question in questions]
    assert len(set(names)) == len(names) >= 1
    for question in questions:
        assert re.fullmatch(r"[a-z_]+", question["name"])
        assert question["label"].endswith("?")
        assert question["kind"] in {"choice", "text", "number"}
        assert isinstance(question["required"], bool)
        assert ("choices" in question) == (question["kind"] == "choice")
        choices = question.get("choices", [])
        assert len(set(choices)) == len(choices) != 1


def test_the_modulus_is_a_sentence_of_its_own():
    modulus = study()["modulus"]["text"]
    assert re.fullmatch(r"[A-Z][^.]*\.", modulus)
    assert modulus not in (STUDY_FILE.parent / "materials.csv").read_text(encoding="utf-8")


def test_consent_has_a_box_that_must_be_ticked_and_tells_how_to_withdraw_and_whom_to_ask():
    consent = study()["texts"]["consent"]
    assert consent["required"]
    assert not set(consent["required"]) & set(consent["optional"])
    assert "withdrawal code" in consent["body"]
    assert study()["contact"] in consent["body"]
    assert f"{study()['estimated_minutes']} minutes" in consent["body"]


def test_the_texts_of_the_study_give_no_example_that_is_shown_as_a_stimulus():
    examples = re.findall(r"^> (.*)$", study()["texts"]["instructions"]["body"], flags=re.MULTILINE)
    materials = (STUDY_FILE.parent / "materials.csv").read_text(encoding="utf-8")
    assert examples
    assert [example for example in examples if example in materials or example == study()["modulus"]["text"]] == []


def test_the_study_file_is_complete_without_placeholders():
    assert [name for name in TEXTS if placeholders(study()["texts"][name]["body"])] == []


@pytest.mark.parametrize("name", TEXTS)
def test_both_languages_of_a_default_text_have_the_same_shape_and_placeholders(name):
    english, german = (default_text(language, name) for language in LANGUAGES)
    assert shape(english) == shape(german)
    assert placeholders(english) == placeholders(german) <= PLACEHOLDERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_default_consent_says_who_is_responsible_and_how_long_it_takes(language):
    # The landing page shows these facts below the text, so its text does not repeat them.
    assert placeholders(default_text(language, "consent")) == PLACEHOLDERS
    assert placeholders(default_text(language, "welcome")) == {"title"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_german_addresses_the_reader_formally_and_english_spells_the_british_way(language):
    wrong = {"de": r"\b[Dd](?:u|ich|ir|ein|eine|einer|eines)\b", "en": r"\b\w{3,}(?:ize|izes|ized|izing)\b|\bcolor\b"}
    found = {name: re.findall(wrong[language], default_text(language, name)) for name in TEXTS}
    assert {name: words for name, words in found.items() if words} == {}


def test_every_page_of_the_instructions_is_short_and_shows_an_example():
    bodies = {name: body for name, body in every_body().items() if "instructions" in name}
    assert len(bodies) == 3
    for name, body in bodies.items():
        assert len(pages(body)) == 6, name
        for page in pages(body):
            assert page.startswith("# "), page
            assert re.search(r"^> \S", page, flags=re.MULTILINE), page
            assert len(page.split()) <= 130, page


def test_texts_keep_to_the_markup_and_to_quiet_punctuation():
    for name, body in every_body().items():
        assert "!" not in body, name
        assert not re.search(r"[ \t]+$|[^\n] {2}|\n{3}|\"|(?<=\w)'", body, flags=re.MULTILINE), name
        for block in body.split("\n\n"):
            lines = block.splitlines()
            # A heading, an example, a page break or a paragraph is one line; a list is nothing but list lines.
            assert len(lines) == 1 or all(line.startswith("- ") for line in lines), block


def test_numbers_in_the_texts_agree_with_the_materials():
    materials = (STUDY_FILE.parent / "materials.csv").read_text(encoding="utf-8")
    items = {line.split(",")[0] for line in materials.splitlines() if ",false,false," in line}
    fillers = [line for line in materials.splitlines() if line.endswith(",true,false,")]
    practice = [line for line in materials.splitlines() if line.endswith(",false,true,")]
    assert f"{len(items) + len(fillers)} sentences" in study()["texts"]["welcome"]["body"]
    assert len(practice) == 4
    assert "four practice sentences" in study()["texts"]["instructions"]["body"]


def test_the_guide_to_materials_quotes_rows_that_are_in_the_example():
    guide = (EXAMPLES.parents[1] / "docs" / "writing-materials.md").read_text(encoding="utf-8")
    with (STUDY_FILE.parent / "materials.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    quoted = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in guide.partition("## The example")[2].partition("\n## ")[0].splitlines()
        if line.startswith("| ")
    ]
    assert quoted[0] == header
    assert len(quoted) > 1
    assert [row for row in quoted[1:] if row not in rows] == []
    assert f"{len(rows)} rows" in guide

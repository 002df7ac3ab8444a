"""The study file and the texts of the examples can be read, are complete and keep to the markup."""

import csv
import re
import tomllib
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "experiments" / "examples"
STUDY_FILE = EXAMPLES / "causal-sentences" / "study.toml"

TEXTS = ("welcome", "consent", "instructions", "debriefing")


def study():
    with STUDY_FILE.open("rb") as file:
        return tomllib.load(file)


def pages(body):
    return [page.strip() for page in re.split(r"^---$", body, flags=re.MULTILINE)]


def placeholders(body):
    return set(re.findall(r"\{(.*?)\}", body))


def every_body():
    return {f"study.toml {name}": study()["texts"][name]["body"].strip("\n") for name in TEXTS}


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


def test_every_page_of_the_instructions_is_short_and_shows_an_example():
    bodies = {name: body for name, body in every_body().items() if "instructions" in name}
    assert len(bodies) == 1
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

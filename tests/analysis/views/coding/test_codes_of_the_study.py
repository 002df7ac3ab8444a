"""The page on which the codes of a study are edited."""

import pytest
from django.urls import reverse

from experiments.paradigms import paradigm_named
from experiments.study.schemes import scheme_of

pytestmark = pytest.mark.slow


def rows(codes, initial=7):
    """Return the fields of the form for (code, description, weight, stands alone) rows; a fifth cell removes one."""
    data = {"codes-TOTAL_FORMS": str(len(codes)), "codes-INITIAL_FORMS": str(initial)}
    for number, (code, description, weight, alone, *removed) in enumerate(codes):
        data |= {
            f"codes-{number}-code": code,
            f"codes-{number}-description": description,
            f"codes-{number}-weight": str(weight),
        }
        if alone:
            data[f"codes-{number}-is_exclusive"] = "on"
        if removed:
            data[f"codes-{number}-DELETE"] = "on"
    return data


def stored(study):
    return [(code.code, code.description, code.weight, code.is_exclusive) for code in scheme_of(study)]


@pytest.fixture
def address(study):
    return reverse("coding:scheme", args=[study.slug])


def test_codes_are_changed_removed_and_added(study, owner, address):
    changed = [
        ("ok", "All is there.", 1, True),
        *[(*code, "removed") for code in stored(study)[1:6]],
        ("x", "Lost.", -1, False),
    ]
    answer = owner.post(address, rows(changed))
    assert answer.status_code == 302, answer.content.decode()
    assert stored(study) == [("ok", "All is there.", 1.0, True), ("x", "Lost.", -1.0, False)]
    page = owner.get(address).content.decode()
    assert "Use the codes of Table 1" in page


def test_the_codes_of_the_paper_come_back_by_one_button(study, owner, address):
    owner.post(address, rows([("ok", "All is there.", 1, True)]))
    assert owner.post(address, {"default": "yes"}).status_code == 302
    default = paradigm_named(study.paradigm).default_error_codes
    assert stored(study) == [(code.code, code.description, code.weight, code.is_exclusive) for code in default]
    assert "Use the codes of Table 1" not in owner.get(address).content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("0", "", 0.5, True), "This field is required"),
        (("0!", "Right.", 0.5, True), "letters and digits"),
        (("1", "Right.", 0.5, True), "twice"),
        (("0", "Right.", "much", True), "Enter a number"),
        (("0", "Right.", 1e9, True), "between -1000 and 1000"),
    ],
)
def test_a_fault_is_shown_at_its_field_and_nothing_is_stored(study, owner, address, change, sentence):
    before = stored(study)
    answer = owner.post(address, rows([change, *before[1:]]))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert stored(study) == before


def test_once_something_is_coded_words_and_weights_change_and_codes_are_added_at_the_end(study, owner, address, anna):
    anna.save(anna.items()[0], ["3"])
    before = stored(study)
    more = [("0", "Right.", 1, True), *before[1:], ("7", "Something else.", 0, False)]
    assert owner.post(address, rows(more)).status_code == 302
    assert [code[0] for code in stored(study)] == list("01234567")
    assert stored(study)[0] == ("0", "Right.", 1.0, True)
    refused = owner.post(address, rows([before[1], before[0], *before[2:]]))
    assert refused.status_code == 422
    assert "Nothing was saved" in refused.content.decode()
    assert owner.post(address, {"default": "yes"}).status_code == 422
    assert len(stored(study)) == 8


def test_a_reader_sees_the_codes_and_cannot_change_them(study, client_named, address):
    page = client_named("viewer").get(address).content.decode()
    assert "Recalled accurately" in page
    assert "Save the codes" not in page


def test_codes_of_the_paper_are_said_in_the_language_of_the_page_and_own_ones_as_they_are(study, owner, address):
    owner.post(address, rows([*stored(study), ("x", "Lost in the woods.", -1, False)]))
    overview = reverse("coding:overview", args=[study.slug])
    german = owner.get(overview, headers={"accept-language": "de"}).content.decode()
    assert "Teilsatz B (Wirkung) ist entstellt." in german
    assert "Lost in the woods." in german
    assert "Clause B (effect) is garbled." in owner.get(overview).content.decode()
    assert "Clause B (effect) is garbled." in {description for _, description, *_ in stored(study)}

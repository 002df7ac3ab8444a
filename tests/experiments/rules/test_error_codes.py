"""The rule of the codes and the score, over all schemes and sets of codes; and the codes of a study in its files."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.paradigms.base import DefaultErrorCode
from experiments.paradigms.sentence_recall.paradigm import ERROR_CODES
from experiments.rules.error_codes import faults_of, normalised, scheme_faults, score
from experiments.study.lifecycle import copy_study, create_study, opening_warnings, save_details
from experiments.study.parts import add_part, copy_part
from experiments.study.schemes import plain_codes, scheme_of, store_scheme
from experiments.study_files import StudyFileFaults, create_from_archive, create_from_toml, study_archive

pytestmark = pytest.mark.slow

ALL = [entry.code for entry in ERROR_CODES]
TABLE_1 = {"0": 0.5, "1": 0.4, "2": -0.25, "3": -0.5, "4": -0.5, "5": 0.25, "6": 0.25}

codes = st.lists(st.sampled_from([*ALL, "7", "", "00", " 3"]), max_size=9)
schemes = st.lists(
    st.builds(
        DefaultErrorCode,
        st.text("abcdefgh0123456789", min_size=1, max_size=3),
        st.just("meaning"),
        st.floats(-10, 10, allow_nan=False).map(lambda weight: round(weight, 3)),
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda entry: entry.code,
)


def test_the_default_is_table_1():
    assert {entry.code: entry.weight for entry in ERROR_CODES} == TABLE_1
    assert {entry.code for entry in ERROR_CODES if entry.is_exclusive} == {"0", "1", "5", "6"}
    assert scheme_faults(ERROR_CODES) == []


def test_with_table_1_eleven_of_all_sets_are_codings():
    subsets = itertools.chain.from_iterable(itertools.combinations(ALL, n) for n in range(8))
    allowed = {"".join(subset) for subset in subsets if not faults_of(subset, ERROR_CODES)}
    assert allowed == {"0", "1", "5", "6", "2", "3", "4", "23", "24", "34", "234"}


@given(codes)
def test_a_set_is_a_coding_if_it_is_one_exclusive_code_or_only_others(given_codes):
    distinct = set(given_codes)
    alone = distinct & set("0156")
    sound = bool(distinct) and distinct <= set(ALL) and (not alone or len(distinct) == 1)
    assert (faults_of(given_codes, ERROR_CODES) == []) is sound


@given(codes)
def test_a_score_is_the_sum_of_the_weights_and_only_codings_have_one(given_codes):
    if faults_of(given_codes, ERROR_CODES):
        with pytest.raises(ValueError):
            score(given_codes, ERROR_CODES)
    else:
        assert score(given_codes, ERROR_CODES) == pytest.approx(sum(TABLE_1[code] for code in set(given_codes)))


@given(schemes, st.data())
def test_order_and_repetition_say_nothing(scheme, data):
    some = data.draw(st.lists(st.sampled_from([entry.code for entry in scheme] or ["x"]), max_size=6))
    again = data.draw(st.permutations(some + some))
    assert faults_of(some, scheme) == [] or faults_of(again, scheme) != []
    assert normalised(some, scheme) == normalised(again, scheme)
    if not faults_of(some, scheme):
        assert score(some, scheme) == score(again, scheme)


@given(schemes)
def test_no_scheme_lets_an_exclusive_code_stand_beside_another(scheme):
    for first, second in itertools.permutations(scheme, 2):
        together = faults_of([first.code, second.code], scheme)
        assert bool(together) is (first.is_exclusive or second.is_exclusive)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (("3;4", "x", 0.0, False), "code"),
        (("", "x", 0.0, False), "code"),
        ((3, "x", 0.0, False), "code"),
        (("none", "x", 0.0, False), "code"),
        (("a", " ", 0.0, False), "description"),
        (("a", "x\x00", 0.0, False), "description"),
        (("a", "x", float("nan"), False), "weight"),
        (("a", "x", "0.5", False), "weight"),
        (("a", "x", True, False), "weight"),
        (("a", "x", 0.5, "no"), "is_exclusive"),
        (("B", "the same key", 0.5, False), "code"),
    ],
)
def test_a_faulty_code_is_named_by_number_and_field(entry, field):
    (fault,) = scheme_faults([DefaultErrorCode("b", "fine", 0.0, False), DefaultErrorCode(*entry)])
    assert fault.setting == f"error_codes.2.{field}"


TOML = """\
slug = "recalls"
title = "What is remembered"
paradigm = "sentence-recall"

[materials]
file = "materials.csv"

[[error_codes]]
code = 0
description = "Right."
weight = 1
is_exclusive = true

[[error_codes]]
code = "x"
description = "Something is lost, “of course”."
weight = -0.125
"""
MATERIALS = "item,text,marker\n" + "".join(
    f"i{i},Sentence {i} {marker} it rained.,{marker}\n" for i in range(4) for marker in ("because", "since")
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "materials.csv").write_text(MATERIALS)
    (tmp_path / "study.toml").write_text(TOML)
    return tmp_path


def codes_of(study):
    return plain_codes(scheme_of(study))


@pytest.mark.django_db
def test_a_new_study_of_a_coded_paradigm_begins_with_its_codes():
    study = create_study(slug="fresh", title="New", paradigm="sentence-recall", user=None)
    assert codes_of(study) == plain_codes(ERROR_CODES)
    assert codes_of(create_study(slug="plain", title="Plain", paradigm="magnitude-estimation", user=None)) == []


@pytest.mark.django_db
def test_a_draft_that_changes_its_paradigm_gets_the_codes_of_the_other():
    study = create_study(slug="fresh", title="New", paradigm="magnitude-estimation", user=None)
    save_details(study, {"paradigm": "sentence-recall"}, None)
    assert codes_of(study) == plain_codes(ERROR_CODES)


@pytest.mark.django_db
def test_a_coded_task_that_is_added_or_copied_brings_codes_where_the_study_has_none():
    study = create_study(slug="fresh", title="New", paradigm="magnitude-estimation", user=None)
    add_part(study, name="plain", kind="task", paradigm="rating", user=None)
    assert codes_of(study) == []
    add_part(study, name="recall", kind="task", paradigm="sentence-recall", user=None)
    assert codes_of(study) == plain_codes(ERROR_CODES)
    own = [DefaultErrorCode("x", "Something is lost.", -1.0, False)]
    store_scheme(study, own)
    target = create_study(slug="target", title="Target", paradigm="magnitude-estimation", user=None)
    copy_part(target, study.parts.get(name="plain"), "plain", None)
    assert codes_of(target) == []
    copy_part(target, study.parts.get(name="recall"), "recall", None)
    assert codes_of(target) == plain_codes(own)
    store_scheme(study, [])
    copy_part(target, study.parts.get(name="recall"), "again", None)
    add_part(target, name="third", kind="task", paradigm="sentence-recall", user=None)
    assert codes_of(target) == plain_codes(own)


@pytest.mark.django_db
def test_a_file_says_which_codes_a_study_has(folder):
    study = create_from_toml(folder / "study.toml")
    assert codes_of(study) == [
        {"code": "0", "description": "Right.", "weight": 1.0, "is_exclusive": True},
        {"code": "x", "description": "Something is lost, “of course”.", "weight": -0.125, "is_exclusive": False},
    ]


@pytest.mark.django_db
def test_a_file_without_codes_means_those_of_the_paradigm(folder):
    (folder / "study.toml").write_text(TOML.partition("[[error_codes]]")[0])
    assert codes_of(create_from_toml(folder / "study.toml")) == plain_codes(ERROR_CODES)


@pytest.mark.django_db
def test_archive_and_copy_carry_the_codes_without_loss(folder):
    study = create_from_toml(folder / "study.toml")
    assert codes_of(create_from_archive(study_archive(study), slug="second")) == codes_of(study)
    assert codes_of(copy_study(study, "third", None)) == codes_of(study)
    store_scheme(study, [])
    assert codes_of(create_from_archive(study_archive(study), slug="fourth")) == []


@pytest.mark.django_db
def test_faults_of_codes_stand_with_their_lines(folder):
    broken = TOML.replace('code = "x"', 'code = "x!"').replace("weight = 1\n", 'weight = "1"\nwait = 2\n')
    (folder / "study.toml").write_text(broken)
    with pytest.raises(StudyFileFaults) as refused:
        create_from_toml(folder / "study.toml")
    assert [(fault.line, fault.setting) for fault in refused.value.faults if fault.setting] == [
        (11, "error_codes.1.weight"),
        (16, "error_codes.2.code"),
    ]
    assert any(fault.line == 12 and "error_codes.1.wait" in fault.message for fault in refused.value.faults)


@pytest.mark.django_db
def test_codes_of_a_paradigm_without_coding_are_refused(folder):
    broken = TOML.replace("sentence-recall", "magnitude-estimation")
    (folder / "study.toml").write_text(broken)
    with pytest.raises(StudyFileFaults, match="nothing to code"):
        create_from_toml(folder / "study.toml")


@pytest.mark.django_db
def test_a_coded_study_without_codes_is_warned_of_before_it_opens(folder):
    study = create_from_toml(folder / "study.toml")
    assert "code" not in {warning.step for warning in opening_warnings(study)}
    store_scheme(study, [])
    assert "no codes yet" in next(warning for warning in opening_warnings(study) if warning.step == "code").message

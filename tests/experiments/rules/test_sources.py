"""What a study may say of its sources: every fault with its place and what to do, and what follows from a kind."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.rules.sources import KINDS, PARAMETERS, is_lacking, source_faults, sources_of

DONE = {"code": "C1"}


def source(**changes: Any) -> dict[str, Any]:
    return {"name": "pool", "kind": "sona", **changes}


def returning(**given: Any) -> dict[str, Any]:
    return source(outcomes={"completed": given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (source(kind="sonna"), "there is no kind 'sonna'. Did you mean 'sona'?"),
        ({"name": "pool"}, "the kind is missing."),
        (source(kind=["sona"]), "there is no kind"),
        (source(name="Pool A"), "a name needs lower-case letters"),
        (source(paramters=[]), "there is no key 'paramters'. Did you mean 'parameters'?"),
        (source(parameters=["a b"]), "'a b' cannot be the name of a link parameter."),
        (source(parameters="id"), "the parameters must be a list of names."),
        (
            source(parameters=[]),
            "the platform cannot recognise anybody without a parameter. Name the parameter that contains the id.",
        ),
        (source(parameters=["id", "id"]), "each once."),
        (source(outcomes={"complete": DONE}), "there is no outcome 'complete'. Did you mean 'completed'?"),
        (source(outcomes={"completed": "C1"}), "'completed' must be a table"),
        (source(outcomes=[]), "the outcomes must be tables"),
        (returning(cod="C1"), "'completed': there is no key 'cod'. Did you mean 'code'?"),
        (returning(code="C" * 101), "the code must be a text of at most 100 characters."),
        (returning(text=5), "the text must be a text"),
        (returning(link="http://pool.example/"), "the link must begin with https://"),
        (returning(link="javascript:alert(1)"), "the link must begin with https://"),
        (
            returning(link="https://{survey_code}.example/"),
            "the link must begin with https:// and contain the name of a server.",
        ),
        (returning(link="https://pool.example/a b"), "' is not the address of a page."),
        (returning(link="https://pool.example/?id={survey_cod}"), "Did you mean 'survey_code'?"),
        (returning(link="https://pool.example/?id=XXXX"), "the platform does not fill in 'XXXX'. Write {survey_code}"),
        (returning(link="https://pool.example/?id=%SURVEY_CODE%"), "the platform does not fill in '%SURVEY_CODE%'."),
        (
            {"name": "mail", "kind": "link", "outcomes": {"completed": {"link": "https://a.example/{id}"}}},
            "The source has no parameters.",
        ),
    ],
)
def test_every_fault_says_what_is_wrong_and_what_to_do(given: dict[str, Any], said: str) -> None:
    [fault, *_others] = source_faults([given])
    assert said in str(fault)


def test_sources_that_nobody_could_tell_apart_are_refused() -> None:
    two = [source(), source(name="other")]
    assert "the parameter 'survey_code' also identifies the source 'pool'." in str(source_faults(two)[0])
    mail = [{"name": name, "kind": "link"} for name in ("mail", "poster")]
    assert "a link without parameters also identifies the source '" in str(source_faults(mail)[0])
    assert "another source has the same name" in str(source_faults([source(), source(parameters=["id"])])[0])


def test_every_kind_is_sound_as_it_is_added() -> None:
    added = [{"name": kind, "kind": kind, "parameters": list(PARAMETERS[kind]), "outcomes": {}} for kind in KINDS]
    assert source_faults(added) == []
    assert source_faults([returning(link="https://pool.example/done?id={survey_code}&who={participant_id}")]) == []


def test_the_link_of_prolific_follows_from_its_code_and_a_stated_one_stays() -> None:
    outcomes = {"completed": DONE, "screened-out": {"code": "C2", "link": "https://a.example/"}, "declined": {}}
    [prolific] = sources_of([{"name": "p", "kind": "prolific", "outcomes": outcomes}])
    assert {outcome: given.link for outcome, given in prolific.outcomes.items()} == {
        "completed": "https://app.prolific.com/submissions/complete?cc=C1",
        "screened-out": "https://a.example/",
        "declined": "",
    }
    assert sources_of([source(outcomes={"completed": DONE})])[0].outcomes["completed"].link == ""


def test_each_service_is_given_the_placeholders_that_it_fills_in() -> None:
    queries = {one.kind: one.query for one in sources_of([{"name": kind, "kind": kind} for kind in KINDS])}
    assert queries["prolific"].startswith("PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}")
    assert queries["sona"] == "survey_code=%SURVEY_CODE%"
    assert queries["mturk"] == "workerId=${workerId}&assignmentId=${assignmentId}&hitId=${hitId}"
    assert queries["link"] == ""
    for query in queries.values():
        assert all(is_lacking(pair.partition("=")[2]) for pair in query.split("&")), "unreplaced ones are recognised"


@pytest.mark.parametrize("value", ["undefined", "null", "NaN", "XXXX", "PROLIFIC_PID", "${e://Field/PROLIFIC_PID}"])
def test_what_everybody_would_share_names_nobody(value: str) -> None:
    assert is_lacking(value)


@pytest.mark.parametrize("value", ["5f3c2a9be1d04c0011223344", "XX12", "nullify", "A-12_b", "71%", "{half", "x{{%y%}}"])
def test_what_may_be_an_id_is_taken_for_one(value: str) -> None:
    assert not is_lacking(value)


def test_id_only_is_a_choice_of_sources_that_know_people_by_an_id() -> None:
    assert [one.id_only for one in sources_of([source(), source(id_only=True)])] == [False, True]
    assert source_faults([source(id_only=True)]) == []
    for wrong in ("yes", 1, None):
        [fault] = source_faults([source(id_only=wrong)])
        assert (fault.setting, "true or false" in fault.message) == ("1.id_only", True)
    [fault] = source_faults([{"name": "mailing", "kind": "link", "id_only": True}])
    assert "without a parameter, no id can open a session." in fault.message

"""Forms accept what a browser sends, and plain values of a file with the right types."""

import pytest

from experiments.rules.procedure import DEFAULT_PROCEDURE, ProcedureForm, checked, initial_values


def test_the_defaults_of_the_form_are_those_of_the_procedure():
    values, faults = checked(ProcedureForm, {})
    assert faults == []
    assert values == dict(DEFAULT_PROCEDURE)


def test_every_setting_has_a_label_and_help():
    for field in ProcedureForm.base_fields.values():
        assert field.label
        assert field.help_text


def test_a_browser_leaves_out_boxes_that_are_not_ticked():
    sent = {name: value for name, value in initial_values(ProcedureForm, {}).items() if not isinstance(value, bool)}
    form = ProcedureForm(data={**sent, "recruitment_parameters": "group, wave group"})
    assert form.is_valid()
    assert form.cleaned_data["practice_first"] is False
    assert form.cleaned_data["recruitment_parameters"] == ["group", "wave"]
    assert 'value="group, wave"' in str(ProcedureForm(initial=form.cleaned_data)["recruitment_parameters"])


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"leading_fillers": -1}, "greater than or equal to 0"),
        ({"leading_fillers": "2"}, "'2' is not a whole number"),
        ({"leading_fillers": True}, "True is not a whole number"),
        ({"practice_first": 1}, "1 is not true or false"),
        ({"item_sets": "appart"}, "not one of the available choices"),
        ({"resume": 3}, "3 is not a text"),
        ({"stale_after_minutes": 1}, "greater than or equal to 5"),
        ({"redirect_url": "javascript:alert(1)"}, "valid URL"),
        ({"redirect_url": "app.example.org"}, "valid URL"),
        ({"recruitment_parameters": "PID"}, "not a list of names"),
        ({"recruitment_parameters": ["a b"]}, "cannot be the name of a parameter"),
        ({"recruitment_parameters": [f"p{i}" for i in range(11)]}, "A study can have at most ten parameters."),
        ({"blocked": True, "max_same_condition_run": 2}, "Remove one of the two rules"),
        ({"completion_code": "a\x00"}, "Null characters"),
        ({"leading_filers": 1}, "Did you mean 'leading_fillers'?"),
    ],
)
def test_a_procedure_that_cannot_be_is_refused(given, part):
    _values, faults = checked(ProcedureForm, given)
    assert len(faults) == 1
    assert part in str(faults[0])
    assert faults[0].setting


@pytest.mark.parametrize(
    "address", ["https://app.prolific.com/submissions/complete?cc=AB12&pid={PROLIFIC_PID}", "http://localhost:8000/x"]
)
def test_return_links_may_hold_placeholders(address):
    values, faults = checked(ProcedureForm, {"redirect_url": address})
    assert (values["redirect_url"], faults) == (address, [])

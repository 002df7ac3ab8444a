"""What a procedure says of the order of trials is planned in every paradigm, asked before opening, kept in files."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from experiments.models import Study
from experiments.paradigms import PARADIGMS
from experiments.procedure.arranging import ARRANGED
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.rules.procedure import ProcedureForm, checked
from experiments.study.lifecycle import save_procedure
from experiments.study.opening import design_faults
from experiments.study_files import create_from_archive, create_from_toml, study_archive
from tests.conformance.paradigm_sessions import snapshot_of

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "primed-pairs" / "study.toml"
IN_BLOCKS = {
    "block_by": "topic",
    "block_order": "latin-square",
    "chain_by": "pair",
    "leading_fillers": 0,
    "max_same_condition_run": 0,
    "max_target_run": 0,
    "block_instructions": {"A": "Now A.", "B": "Now B."},
}


@pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)
@pytest.mark.parametrize("seed", [6, 7, 8, 9])
def test_blocks_and_chains_are_kept_in_every_paradigm_with_breaks_and_instructions_between(paradigm, seed):
    snapshot = snapshot_of(paradigm)
    items = list(dict.fromkeys(stimulus.item for stimulus in snapshot.stimuli if not stimulus.is_practice))
    # Items in pairs that lie in one of two blocks, in turn.
    of_item = {item: {"topic": "AB"[place // 2 % 2], "pair": f"c{place // 2}"} for place, item in enumerate(items)}
    stimuli = [replace(one, attributes=of_item.get(one.item, {})) for one in snapshot.stimuli]
    item_of = {one.stimulus_id: one.item for one in stimuli if not one.is_practice}
    arranged = replace(
        snapshot, stimuli=stimuli, blocks=("A", "B"), procedure={**snapshot.procedure, **IN_BLOCKS},
        settings={**snapshot.settings, "break_every": 3},
    )  # fmt: skip
    trials = plan_session(arranged, seed=seed)
    shown = [trial for trial in trials if trial.stimulus_id in item_of]
    assert {item_of[trial.stimulus_id or 0] for trial in shown} == set(items)
    blocks = [of_item[item_of[trial.stimulus_id or 0]]["topic"] for trial in shown]
    order = [block for block, _own in groupby(blocks)]
    assert sorted(order) == ["A", "B"]
    assert order == (["A", "B"] if seed // paradigm.variants_of(arranged.settings) % 2 == 0 else ["B", "A"])
    assert [trial.private[ARRANGED]["block"] for trial in shown] == blocks
    pairs = [pair for pair, _own in groupby(of_item[item_of[trial.stimulus_id or 0]]["pair"] for trial in shown)]
    assert len(pairs) == len(set(pairs))
    # What comes between: a break and the instructions of the block where it begins, and no break inside a pair.
    at = {id(trial): place for place, trial in enumerate(trials)}
    second = next(trial for trial, block in zip(shown, blocks, strict=True) if block == order[1])
    told = [trial.phase for trial in trials[at[id(second)] - 2 : at[id(second)]]]
    assert told == ["break", "instructions"]
    own = trials[at[id(second)] - 1].params["pages"]
    assert f"Now {order[1]}." in str(own)
    for one, other in pairwise(shown):
        between = [trial.phase for trial in trials[at[id(one)] + 1 : at[id(other)]]]
        is_one_pair = of_item[item_of[one.stimulus_id or 0]]["pair"] == of_item[item_of[other.stimulus_id or 0]]["pair"]
        assert not (is_one_pair and between)


@pytest.fixture
def draft(db: Any, django_user_model: Any) -> Study:
    owner = django_user_model.objects.create_user("researcher")
    return create_from_toml(EXAMPLE, user=owner, owner=owner)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"block_by": "thema"}, "names the column 'thema', which the materials do not have. Did you mean 'theme'?"),
        ({"fixed_by": "relation", "chain_by": ""}, "Write first, last or nothing."),
        ({"repetitions_by": "correct"}, "Write a whole number from 1 to 50, or nothing."),
        ({"block_instructions": {"garden": "Now the garden."}}, "blocks that do not exist: 'garden'"),
        ({"repetitions": 2, "min_distance": 40}, "needs 73 trials, and a session has 64. Allow a distance of 31"),
        ({"max_same_condition_run": 1}, "chains of up to 2 trials"),
    ],
)  # fmt: skip
def test_what_the_materials_do_not_allow_is_said_before_opening(draft, rules, said):
    save_procedure(draft, {**draft.procedure, **rules}, draft.owner)
    told = " ".join(str(fault) for fault in design_faults(Study.objects.get(pk=draft.pk)))
    assert said in told, told


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"block_by": "topic", "blocked": True}, "You cannot combine this with blocks by a column, chains, fixed "
                                                 "trials, repetitions, distances or the order of the materials. "
                                                 "Enter the factor as “Column with the blocks” instead."),
        ({"sequence": "as-given", "leading_fillers": 2}, "In the order of the materials, this rule has no "
                                                         "effect. Remove one of the two."),
        ({"block_instructions": {"A": "Now A."}}, "Enter “Column with the blocks” first."),
        ({"block_by": "topic", "block_instructions": ["A"]}, "is not a table of texts by block"),
        ({"block_by": "topic", "chain_by": "topic"}, "A column can have only one of these uses. Name another "
                                                     "column."),
    ],
)  # fmt: skip
def test_rules_that_exclude_each_other_are_refused(rules, said):
    _values, faults = checked(ProcedureForm, rules)
    assert any(said in str(fault) for fault in faults), faults


def test_an_archive_keeps_the_arrangement(draft):
    again = create_from_archive(study_archive(draft), user=draft.owner, slug="again")
    assert again.procedure == draft.procedure
    assert again.procedure["block_instructions"]["kitchen"] == "Now come words about the **kitchen**."
    planned = [
        [(trial.plugin, trial.params) for trial in plan_session(study_snapshot(one, one.lists.first()), seed=3)]
        for one in (draft, again)
    ]
    assert planned[0] == planned[1]


def test_a_form_says_the_instructions_of_blocks_as_a_file_does():
    field = ProcedureForm.base_fields["block_instructions"]
    texts = {"A": "Now *A*.\n\n- one", "B 2": "Now B."}
    assert field.clean(field.prepare_value(texts)) == texts == field.clean(texts)

"""Settling: where coders differ, what is decided, what holds in the end, and that frozen is frozen."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.coding import queues, sheets
from analysis.coding.adjudicating import decide, disagreement, disagreements, undo_decision
from analysis.coding.agreeing import agreement_of_coders, agreement_of_suggestions
from analysis.coding.final import counts, final_of, finals
from analysis.coding.freezing import freeze, freeze_warnings, unfreeze
from analysis.coding.refusals import CodingRefusal
from analysis.coding.saving import save, undo
from analysis.coding.scheme import save_scheme, scheme_of
from analysis.exports.rows.codings import coding_rows
from analysis.models import Adjudication, Coding
from experiments.models import AuditEntry
from participants.erasure.withdrawal import withdraw
from participants.models import Participant
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study

pytestmark = [pytest.mark.both, pytest.mark.django_db]

codings = st.lists(st.sampled_from([["0"], ["3"], ["3", "4"], ["4", "3"]]), max_size=4)


@given(codings)
def test_final_codes_are_those_on_which_all_agree(given_codes):
    final = final_of(given_codes)
    distinct = {frozenset(codes) for codes in given_codes}
    if final is None:
        assert not distinct
    elif len(distinct) > 1:
        assert (final.codes, final.source) == (None, "unresolved")
    else:
        assert {frozenset(final.codes or ())} == distinct
        assert final.source == ("single" if len(given_codes) == 1 else "agreed")


@given(codings)
def test_what_was_decided_holds_whatever_coders_gave(given_codes):
    final = final_of(given_codes, adjudicated=["2"])
    assert (final.codes, final.source) == (("2",), "adjudicated")


@pytest.fixture
def study():
    study = make_recall_study()
    add_recalls(study, 3)
    return study


@pytest.fixture
def coded(study):
    """Two coders who agree on all but two recalls; the second coded half."""
    anna, ben = make_coder(study, "anna"), make_coder(study, "ben", share=0.5, is_second=True)
    for view in queues.items(anna, count=99):
        save(anna, view.recall_id, ["0"])
    views = queues.items(ben, count=99)
    for number, view in enumerate(views):
        save(ben, view.recall_id, ["3", "4"] if number < 2 else ["0"], note="lost" if number < 2 else "")
    return study


def test_disagreements_show_both_codings_and_no_names(coded):
    shown = disagreements(coded)
    assert len(shown) == 2
    for entry in shown:
        assert [(o.coder, o.codes, o.note) for o in entry.opinions] == [
            ("coder-1", ("0",), ""),
            ("coder-2", ("3", "4"), "lost"),
        ]
        assert "anna" not in str(asdict(entry))
    assert [entry.recall_id for entry in disagreements(coded)] == [entry.recall_id for entry in shown]
    assert disagreements(coded, start=1) == shown[1:]


def test_a_decision_settles_and_its_undo_opens_again(coded):
    first, second = disagreements(coded, which="open")
    decide(coded, first.recall_id, ["4"], user=coded.owner, note="B is fine")
    assert [entry.recall_id for entry in disagreements(coded, which="open")] == [second.recall_id]
    (decided,) = disagreements(coded, which="decided")
    assert (decided.decided, decided.note, decided.is_outdated) == (("4",), "B is fine", False)
    assert counts(coded).adjudicated == 1
    decide(coded, first.recall_id, ["3"], user=coded.owner, revision=decided.revision)
    assert undo_decision(coded, first.recall_id, user=coded.owner).codes == ["4"]
    assert undo_decision(coded, first.recall_id, user=coded.owner) is None
    assert len(disagreements(coded, which="open")) == 2
    assert AuditEntry.objects.filter(action="decision undone").count() == 2


def test_a_decision_keeps_the_rule_and_needs_a_coding(coded, study):
    entry = disagreements(coded)[0]
    for codes in (["0", "3"], [], ["9"], "3"):
        with pytest.raises(CodingRefusal):
            decide(coded, entry.recall_id, codes, user=coded.owner)
    assert not Adjudication.objects.exists()
    with pytest.raises(CodingRefusal) as refused:
        decide(coded, entry.recall_id, ["3"], user=coded.owner, revision=3)
    assert refused.value.code == "changed"


def test_a_decision_whose_codings_change_is_marked(coded):
    entry = disagreements(coded)[0]
    decide(coded, entry.recall_id, ["4"], user=coded.owner)
    anna = coded.coding_queues.get(number=1)
    save(anna, entry.recall_id, ["2"])
    assert disagreement(coded, entry.recall_id).is_outdated


def test_a_decision_that_is_brought_back_rests_on_the_codings_it_was_made_from(coded):
    entry = disagreements(coded)[0]
    first = decide(coded, entry.recall_id, ["4"], user=coded.owner)
    save(coded.coding_queues.get(number=1), entry.recall_id, ["2"])
    ben = coded.coding_queues.get(number=2).coder
    decide(coded, entry.recall_id, ["2"], user=ben)
    assert not disagreement(coded, entry.recall_id).is_outdated
    restored = undo_decision(coded, entry.recall_id, user=ben)
    assert (restored.codes, restored.basis, restored.by) == (["4"], first.basis, coded.owner)
    assert disagreement(coded, entry.recall_id).is_outdated


def test_who_was_removed_while_saving_saves_nothing(coded):
    ben = coded.coding_queues.get(number=2)
    open_in_a_window = coded.coding_queues.get(number=2)
    name = disagreements(coded)[0].recall_id
    queues.remove_queue(ben, user=coded.owner)
    with pytest.raises(CodingRefusal, match="removed from the study"):
        save(open_in_a_window, name, ["2"])
    assert not Coding.objects.filter(coder=open_in_a_window.coder_id).exists()


def test_a_coding_that_a_removed_queue_left_behind_breaks_and_counts_nothing(coded):
    name = disagreements(coded)[0].recall_id
    # As data from before may have it: the queue is gone, its codings are there.
    coded.coding_queues.get(number=2).delete()
    assert [opinion.coder for opinion in disagreement(coded, name).opinions] == ["coder-1"]
    assert disagreements(coded) == []
    assert (counts(coded).unresolved, agreement_of_coders(coded).rows) == (0, ())
    coded.coding_queues.get(number=1).delete()
    assert counts(coded).uncoded == 12
    assert list(coding_rows(coded)) == []


def test_counts_say_how_far_coding_is(coded):
    now = counts(coded)
    assert (now.total, now.uncoded, now.unresolved, now.agreed, now.single) == (12, 0, 2, 4, 6)


def test_agreement_is_that_of_the_method(coded):
    agreement = agreement_of_coders(coded)
    by_code = {row.code: row for row in agreement.rows}
    assert (agreement.n, agreement.coders) == (6, ("coder-1", "coder-2"))
    assert by_code["all"].raw == pytest.approx(4 / 6)
    assert by_code["3"].raw == pytest.approx(4 / 6)
    assert by_code["3"].kappa == pytest.approx(0.0)
    assert by_code["1"].kappa is None


def test_agreement_waits_for_two_coders(study):
    assert agreement_of_coders(study).rows == ()
    assert "two coders" in agreement_of_coders(study).reason
    assert "final codes" in agreement_of_suggestions(study).reason


def test_suggestions_are_measured_against_the_final_codes(coded):
    agreement = agreement_of_suggestions(coded)
    assert agreement.coders == ("final", "suggestion")
    assert 0 < agreement.n <= 10


def test_freezing_refuses_every_further_change(coded):
    entry = disagreements(coded)[0]
    assert len(freeze_warnings(coded)) == 1
    freeze(coded, user=coded.owner)
    anna = coded.coding_queues.get(number=1)
    sheet = sheets.export_sheet(anna)
    before = list(Coding.objects.order_by("pk").values_list("pk", "codes", "revision"))
    for change in (
        lambda: save(anna, entry.recall_id, ["3"]),
        lambda: undo(anna, entry.recall_id),
        lambda: decide(coded, entry.recall_id, ["3"], user=coded.owner),
        lambda: undo_decision(coded, entry.recall_id, user=coded.owner),
        lambda: sheets.import_sheet(anna, sheet, user=coded.owner),
        lambda: queues.remove_queue(anna, user=coded.owner),
        lambda: queues.change_share(anna, share=0.5, user=coded.owner),
        lambda: queues.set_fillers(coded, with_fillers=True, user=coded.owner),
        lambda: make_coder(coded, "cem"),
        lambda: save_scheme(coded, scheme_of(coded)[:2], user=coded.owner),
        lambda: freeze(coded, user=coded.owner),
    ):
        with pytest.raises(CodingRefusal) as refused:
            change()
        assert refused.value.code == "frozen"
    assert list(Coding.objects.order_by("pk").values_list("pk", "codes", "revision")) == before


def test_unfreezing_is_an_act_with_a_reason(coded):
    freeze(coded, user=coded.owner)
    with pytest.raises(CodingRefusal, match="why"):
        unfreeze(coded, user=coded.owner, reason=" ")
    unfreeze(coded, user=coded.owner, reason="one recall was read wrongly")
    entry = AuditEntry.objects.get(action="codings unfrozen")
    assert (entry.user, entry.detail) == (coded.owner, "one recall was read wrongly")
    save(coded.coding_queues.get(number=1), disagreements(coded)[0].recall_id, ["3"])


def test_nothing_coded_cannot_be_frozen(study):
    with pytest.raises(CodingRefusal, match="nothing to freeze"):
        freeze(study, user=study.owner)


def test_a_withdrawal_takes_codings_and_decisions_along(coded):
    for entry in disagreements(coded):
        decide(coded, entry.recall_id, ["4"], user=coded.owner)
    for participant in list(Participant.objects.filter(study=coded)):
        left = Coding.objects.exclude(response__trial__session__participant=participant).count()
        withdraw(participant, by_participant=True)
        assert Coding.objects.count() == left
    assert not Coding.objects.exists()
    assert not Adjudication.objects.exists()
    assert finals(coded) == {}


def test_a_copy_has_the_codes_and_no_codings(coded):
    from experiments.study.lifecycle import copy_study

    copy = copy_study(coded, "again", coded.owner)
    assert len(scheme_of(copy)) == 7
    assert not copy.coding_queues.exists()
    assert counts(copy).total == 0

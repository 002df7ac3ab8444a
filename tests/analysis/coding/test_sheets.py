"""Sheets: what comes back from a spreadsheet is taken over as a whole or not at all, with every fault and its line."""

import csv
import io

import openpyxl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from analysis.coding import queues, sheets
from analysis.coding.refusals import SheetFaults
from analysis.coding.saving import save
from analysis.coding.scheme import scheme_of
from analysis.models import Coding
from experiments.rules.error_codes import faults_of
from participants.models import Response
from tests.analysis.recalls import add_recalls, make_coder, make_recall_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def queue():
    study = make_recall_study()
    add_recalls(study, 2)
    return make_coder(study)


def rows_of(queue, **options):
    text = sheets.export_sheet(queue, **options).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def sheet_of(rows, columns=None):
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, columns or list(rows[0]), extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def bring(queue, content, **options):
    return sheets.import_sheet(queue, content, user=queue.study.owner, **options)


def state():
    return list(Coding.objects.order_by("pk").values_list("response_id", "codes", "note", "revision", "seconds"))


def faults(queue, content):
    before = state()
    with pytest.raises(SheetFaults) as refused:
        bring(queue, content)
    assert state() == before
    return [(fault.line, fault.column) for fault in refused.value.faults], str(refused.value)


def test_a_sheet_has_the_texts_in_the_queues_order_and_nothing_else(queue):
    rows = rows_of(queue)
    views = queues.items(queue, count=99)
    assert [(row["recall_id"], row["stimulus"], row["recall"]) for row in rows] == [
        (view.recall_id, view.stimulus, view.recall) for view in views
    ]
    assert list(rows[0]) == [
        "recall_id",
        "stimulus",
        "recall",
        "codes",
        *(f"code_{n}" for n in range(7)),
        "note",
        "revision",
    ]


def test_codes_can_be_written_into_one_column_or_ticked(queue):
    rows = rows_of(queue)
    rows[0]["codes"] = "3; 4"
    rows[1]["code_2"] = "1"
    rows[1]["code_3"] = "x"
    rows[2] |= {"codes": "0", "note": "spelling"}
    outcome = bring(queue, sheet_of(rows))
    assert (outcome.added, outcome.changed, outcome.unchanged, outcome.blank) == (3, 0, 0, 5)
    views = queues.items(queue, count=3)
    assert [view.codes for view in views] == [("3", "4"), ("2", "3"), ("0",)]
    assert views[2].note == "spelling"


@pytest.mark.parametrize("columns", [("recall_id", "codes"), ("recall_id", *(f"code_{n}" for n in range(7)))])
def test_either_form_suffices(queue, columns):
    rows = rows_of(queue)
    rows[0] |= {"codes": "3;4", "code_3": "1", "code_4": "1"}
    bring(queue, sheet_of(rows, columns))
    assert queues.items(queue, count=1)[0].codes == ("3", "4")


@hypothesis_settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.booleans())
def test_the_import_of_an_export_changes_nothing(queue, data, excel):
    allowed = [["0"], ["1"], ["2"], ["3", "4"], ["2", "3", "4"], ["6"]]
    notes = st.text("=+-@'\"a, ;\n\tü", max_size=6)
    for view in queues.items(queue, count=99):
        if data.draw(st.booleans()):
            save(queue, view.recall_id, data.draw(st.sampled_from(allowed)), note=data.draw(notes))
    before = state()
    outcome = bring(queue, sheets.export_sheet(queue, excel=excel))
    assert state() == before
    assert (outcome.added, outcome.changed) == (0, 0)
    assert outcome.unchanged == len(before)


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text("0123456;7x, ", max_size=5), min_size=1, max_size=8))
def test_no_sheet_brings_codes_that_break_the_rule(queue, cells):
    rows = [{"recall_id": row["recall_id"], "codes": cell} for row, cell in zip(rows_of(queue), cells, strict=False)]
    scheme = scheme_of(queue.study)
    before = state()
    try:
        bring(queue, sheet_of(rows))
    except SheetFaults:
        assert state() == before
    for coding in Coding.objects.all():
        assert faults_of(coding.codes, scheme) == []


def test_all_faults_come_at_once_with_their_lines_and_nothing_is_stored(queue):
    rows = rows_of(queue)
    rows[0]["codes"] = "0;3"
    rows[1]["codes"] = "9"
    rows[2]["code_1"] = "perhaps"
    rows[3]["recall_id"] = rows[4]["recall_id"]
    rows[5]["recall_id"] = "R0000000000"
    rows[6] |= {"codes": "3", "code_4": "1"}
    rows[7]["codes"] = "0"
    places, text = faults(queue, sheet_of(rows))
    assert places == [
        (2, "codes"),
        (3, "codes"),
        (4, "code_1"),
        (6, "recall_id"),
        (7, "recall_id"),
        (8, "codes"),
    ]
    for words in ("exclusive", "no code '9'", "perhaps", "twice", "R0000000000", "columns of the codes"):
        assert words in text


def test_ticked_zeros_without_a_one_are_no_coding(queue):
    rows = rows_of(queue)
    rows[0] |= {f"code_{n}": "0" for n in range(7)}
    assert "at least one code" in faults(queue, sheet_of(rows))[1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"recall,codes\nR1,0\n", "Did you mean 'recall'"),
        (b"recall_id,code\nR1,0\n", "The sheet needs a column"),
        (b"recall_id,code_9\nR1,0\n", "no such code"),
        (b"recall_id,codes\nR1\n,3\n", "does not say which"),
        (b'recall_id,codes\n"R1,0\n', "never closes"),
    ],
)
def test_a_table_that_is_no_sheet_says_why(queue, content, words):
    assert words in faults(queue, content)[1]


def test_a_recall_of_another_queue_is_named_as_such(queue):
    small = make_coder(queue.study, "ben", share=0.25)
    mine = {view.recall_id for view in queues.items(small, count=99)}
    foreign = next(row for row in rows_of(queue) if row["recall_id"] not in mine)
    assert "not in this coder's queue" in faults(small, sheet_of([{**foreign, "codes": "0"}]))[1]


def test_semicolons_windows_letters_and_workbooks_are_read(queue):
    first, second, third = (view.recall_id for view in queues.items(queue, count=3))
    bring(queue, f"recall_id;codes;note\r\n{first.lower()};3,4;größer\r\n".encode("cp1252"))
    workbook = openpyxl.Workbook()
    workbook.active.append(["recall_id", "codes"])
    workbook.active.append([second, 3])
    workbook.active.append([third, "2;3"])
    buffer = io.BytesIO()
    workbook.save(buffer)
    bring(queue, buffer.getvalue(), name="codes.xlsx")
    assert [view.codes for view in queues.items(queue, count=3)] == [("3", "4"), ("3",), ("2", "3")]
    assert queues.item(queue, first).note == "größer"


def test_a_recall_with_characters_that_no_table_holds_still_comes_back(queue):
    response = Response.objects.get(pk=queues.ordered(queue)[0])
    response.payload["recall"] = "=1+1 \x0b line"
    response.save(update_fields=["payload"])
    rows = rows_of(queue, excel=True)
    assert rows[0]["recall"] == "'=1+1   line"
    rows[0]["codes"] = "3"
    assert bring(queue, sheet_of(rows)).added == 1


def test_a_withdrawn_recall_makes_the_sheet_say_so(queue):
    from participants.erasure.withdrawal import withdraw
    from participants.models import Participant

    content = sheets.export_sheet(queue)
    withdraw(Participant.objects.all()[0], by_participant=True)
    assert "withdrawn" in faults(queue, content)[1]


def test_an_old_sheet_leaves_what_was_changed_after_its_export_alone(queue):
    first, second, third, *_ = queues.items(queue, count=8)
    for view in (first, second):
        save(queue, view.recall_id, ["3"], note="=old")
    rows = rows_of(queue)
    save(queue, first.recall_id, ["4"], note="heard again")
    rows[1]["codes"], rows[1]["code_3"], rows[1]["code_5"] = "5", "0", "1"
    outcome = bring(queue, sheet_of(rows))
    assert (outcome.added, outcome.changed, outcome.unchanged) == (0, 1, 1)
    views = queues.items(queue, count=2)
    assert [(view.codes, view.note) for view in views] == [(("4",), "heard again"), (("5",), "=old")]

    rows[0]["note"] = "from the sheet"
    save(queue, third.recall_id, ["0"])
    rows[2]["codes"] = "6"
    wrong, said = faults(queue, sheet_of(rows))
    assert wrong == [(2, "codes"), (4, "codes")]
    assert "it now has 4." in said
    # A sheet that does not say what it showed is taken over as it stands.
    bring(queue, sheet_of(rows, [name for name in rows[0] if name != "revision"]))
    assert [view.codes for view in queues.items(queue, count=3)] == [("3",), ("5",), ("6",)]

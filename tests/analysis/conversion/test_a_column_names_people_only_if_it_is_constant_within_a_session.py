"""Who took part: by a column that has one value within a session, whatever it is called and wherever it stands."""

import csv
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.conversion.people import NAMES
from analysis.conversion.recognise import convert_file, convert_text
from analysis.conversion.table import NotRecognised, identifier
from tests import needs

CASES = needs.SHARED / "cases" / "results"
# Names that people and items are called by, in the spellings of the services and tools.
SURE = ["participant", "participant_id", "ParticipantID", "prolific_id", "PROLIFIC_PID", "subject_id", "workerId"]
WORDS = ["the baker", "the gardener", "the miller"]


@st.composite
def sessions(draw):
    """Sessions of three trials: a column that names people, another that names what the trials are about."""
    people = draw(st.lists(st.text("abcdefgh", min_size=3, max_size=6), min_size=2, max_size=4, unique=True))
    own = draw(st.sampled_from(SURE))
    decoy = draw(st.sampled_from(["subject", "id", "subj", "participant"]))
    if identifier(own) == decoy:
        decoy = "subject"
    order = draw(st.permutations([own, decoy, "item"]))
    rows = [
        {own: who, decoy: draw(st.permutations(WORDS))[trial], "item": trial + 1, "trial": trial}
        for who in people
        for trial in range(3)
    ]
    for at in range(0, len(rows), 3):
        words = draw(st.permutations(WORDS))
        for row, word in zip(rows[at : at + 3], words, strict=True):
            row[decoy] = word
    return people, own, decoy, order, rows


def jspsych(columns, rows):
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["trial_type", "trial_index", "rt", *columns])
    for row in rows:
        writer.writerow(["key", row["trial"], 500, *(row[name] for name in columns)])
    return buffer.getvalue()


def pcibex(columns, rows):
    names = ["Results reception time", "MD5 hash of participant's IP address", "Controller name"]
    names += [
        "Order number of item",
        "Inner element number",
        "Label",
        "Latin Square Group",
        "PennElementType",
        *columns,
    ]
    lines = [f"# {at}. {name}." for at, name in enumerate(names, start=1)]
    session = 0
    for row in rows:
        session += row["trial"] == 0
        # Everybody sits in one laboratory, behind one address.
        lines.append(f"{session},hash,PennController,{row['trial']},0,x,A,Key,{','.join(str(row[n]) for n in columns)}")
    return "\n".join(lines)


@given(sessions(), st.sampled_from([jspsych, pcibex]))
def test_people_are_found_behind_columns_of_any_order_and_what_varies_keeps_its_words(given_sessions, write):
    people, _own, decoy, order, rows = given_sessions
    found = convert_text(write(order, rows))
    assert [row["participant"] for row in found.rows] == [who for who in people for _trial in range(3)]
    kept = "participant_logged" if decoy == "participant" else decoy
    assert [row[kept] for row in found.rows] == [row[decoy] for row in rows]


@given(sessions())
def test_without_a_column_that_names_people_every_session_is_one_of_them(given_sessions):
    people, _own, decoy, _order, rows = given_sessions
    found = convert_text(jspsych([decoy, "item"], rows))
    assert [row["participant"] for row in found.rows] == [str(n) for n in range(1, len(people) + 1) for _t in range(3)]
    found = convert_text(pcibex([decoy, "item"], rows))
    assert [row["participant"] for row in found.rows] == [
        f"hash-{n}" for n in range(1, len(people) + 1) for _t in range(3)
    ]
    assert any("does not say who took part" in note for note in found.notes)


@given(sessions(), st.randoms(use_true_random=False))
def test_a_table_that_was_sorted_anew_still_has_its_people(given_sessions, random):
    """The counter begins anew everywhere and says nothing about sessions: a sure name is believed."""
    _people, own, _decoy, _order, rows = given_sessions
    random.shuffle(rows)
    starts = {row["trial"] for row in rows}
    assert len(starts) == 3
    found = convert_text(jspsych([own, "item"], sorted(rows, key=lambda row: (-row["trial"], str(row[own])))))
    assert {row["participant"] for row in found.rows} == {row[own] for row in rows}


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"subject", "subj", "id", "user", "user_id"}))
def test_an_id_that_only_the_last_trial_of_a_session_has_names_all_of_them(name):
    rows = [{name: "", "trial": trial} for trial in range(3)] * 2
    rows = [dict(row) for row in rows]
    rows[2][name], rows[5][name] = "p1", "p2"
    found = convert_text(jspsych([name], rows))
    assert [row["participant"] for row in found.rows] == ["p1"] * 3 + ["p2"] * 3


def test_a_doubtful_name_with_one_value_for_everybody_names_nobody():
    rows = [{"subject": "linguistics", "run_id": who, "trial": trial} for who in ("a1", "a2") for trial in range(2)]
    found = convert_text(jspsych(["subject", "run_id"], rows))
    assert [row["participant"] for row in found.rows] == ["a1", "a1", "a2", "a2"]
    assert {row["subject"] for row in found.rows} == {"linguistics"}


def test_a_number_of_the_visit_is_no_run():
    """session_id 1 of everybody must not make everybody one person."""
    rows = [{"session_id": 1, "subject_id": who, "trial": trial} for who in ("p1", "p2") for trial in range(2)]
    found = convert_text(jspsych(["session_id", "subject_id"], rows))
    assert [row["participant"] for row in found.rows] == ["p1", "p1", "p2", "p2"]


def test_the_column_of_people_can_be_named(tmp_path):
    path = tmp_path / "results.csv"
    rows = [{"nickname": who, "participant_id": "lab", "trial": trial} for who in ("ann", "bob") for trial in range(2)]
    path.write_text(jspsych(["nickname", "participant_id"], rows), encoding="utf-8")
    assert {row["participant"] for row in convert_file(path).rows} == {"lab"}
    found = convert_file(path, participant="nickname")
    assert [row["participant"] for row in found.rows] == ["ann", "ann", "bob", "bob"]
    assert {row["participant_id"] for row in found.rows} == {"lab"}
    with pytest.raises(NotRecognised, match="There is no column 'nick'"):
        convert_file(path, participant="nick")


def test_components_of_a_result_of_jatos_are_of_one_person():
    one, other = ({"trial_type": "x", "trial_index": 0, "subject_id": "p1"}, {"trial_type": "y", "trial_index": 0})
    found = convert_text(f"{json.dumps([one])}{json.dumps([other])}\n{json.dumps([other])}\n")
    assert [row["participant"] for row in found.rows] == ["p1", "p1", "2"]


def test_people_who_are_named_stay_apart_on_one_line_and_in_one_file_of_an_archive(tmp_path):
    both = [{"trial_type": "x", "trial_index": 0, "subject_id": who} for who in ("p1", "p2")]
    found = convert_text("".join(json.dumps([row]) for row in both))
    assert [row["participant"] for row in found.rows] == ["p1", "p2"]
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/all.json", json.dumps(both))
    found = convert_file(path)
    assert (found.tool, [row["participant"] for row in found.rows]) == ("jsPsych", ["p1", "p2"])


@needs.shared("cases/results")
@pytest.mark.parametrize(
    ("file", "people"), [("pcibex_subject.txt", ["aaaa", "bbbb"]), ("jspsych_subject.csv", ["p01", "p02"])]
)
def test_published_shapes_in_which_a_subject_is_no_person(file, people):
    found = convert_file(CASES / file)
    assert list(dict.fromkeys(row["participant"] for row in found.rows)) == people
    assert {row["subject"] for row in found.rows} == {"the baker", "the gardener"}

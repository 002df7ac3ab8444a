"""The endpoints behind the workspace: what is saved is stored as it was meant, or refused with a sentence."""

import json

import pytest
from django.test import Client

from analysis.coding.freezing import freeze
from analysis.models import Coding
from tests.analysis.recalls import user_named
from tests.analysis.views.coding.coder import Coder, text_of

pytestmark = pytest.mark.slow


def test_the_page_holds_the_codes_and_where_to_begin(anna):
    config = json.loads(anna.page.partition('id="coding-config" type="application/json">')[2].partition("</script>")[0])
    assert (config["total"], config["coded"], config["start"], config["frozen"]) == (16, 0, 1, False)
    assert [code["code"] for code in config["scheme"]] == list("0123456")
    assert set(config["scheme"][0]) == {"code", "description", "is_exclusive"}
    assert all(sentence for sentence in config["texts"].values())


def test_a_window_of_the_queue_comes_in_its_order(anna):
    everything = anna.items()
    assert [item["number"] for item in everything] == list(range(1, 17))
    assert anna.items(first=5, count=3) == everything[4:7]
    assert anna.items(first=99, count=3) == []


def test_nonsense_in_the_address_gets_a_window_all_the_same(anna):
    for query in ("from=x&count=y", "from=-1&count=0", "from=99999999999999", "count=1e9", ""):
        assert anna.get(f"items/?{query}").status_code == 200


def test_a_saved_coding_is_stored_with_its_note_and_time(anna):
    item = anna.items()[0]
    answer = anna.save(item, ["4", "3"], note=" unclear ", seconds=12.25)
    assert answer.status_code == 200
    assert answer.json() == {"revision": 1, "coded": 1, "total": 16}
    coding = Coding.objects.get()
    assert (coding.codes, coding.note, coding.seconds) == (["3", "4"], "unclear", 12.25)
    assert anna.items()[0]["coding"] == {"codes": ["3", "4"], "note": "unclear"}


def test_the_next_one_is_the_first_that_nobody_coded(anna):
    items = anna.items()
    assert anna.get("next/").json() == {"number": 1}
    for item in items[:3]:
        anna.save(item, ["0"])
    assert anna.get("next/").json() == {"number": 4}
    for item in items[3:]:
        anna.save(item, ["0"])
    assert anna.get("next/").json() == {"number": None}


def test_undo_takes_changes_back_one_by_one(anna):
    item = anna.items()[0]
    anna.save(item, ["0"])
    anna.save({**item, "revision": 1}, ["3"])
    back = anna.undo(item["key"]).json()
    assert (back["item"]["coding"], back["coded"]) == ({"codes": ["0"], "note": ""}, 1)
    back = anna.undo(item["key"]).json()
    assert (back["item"]["coding"], back["item"]["number"], back["coded"]) == (None, 1, 0)
    refused = anna.undo(item["key"])
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing")


def test_undo_without_a_name_takes_back_what_was_saved_last(anna):
    first, second = anna.items()[:2]
    anna.save(first, ["0"])
    anna.save(second, ["3"])
    assert anna.undo().json()["item"]["key"] == second["key"]
    assert anna.undo().json()["item"]["key"] == first["key"]
    assert anna.undo().status_code == 409


def test_what_another_tab_changed_is_not_overwritten_and_is_told(anna):
    item = anna.items()[0]
    anna.save(item, ["0"])
    refused = anna.save(item, ["3"], note="from the other tab")
    assert refused.status_code == 409
    assert refused.json()["code"] == "changed"
    # The page compares these with what it sent: an answer that was lost on its way is no conflict.
    assert (refused.json()["codes"], refused.json()["note"], refused.json()["revision"]) == (["0"], "", 1)
    assert Coding.objects.get().codes == ["0"]


@pytest.mark.parametrize("codes", [["0", "1"], ["0", "3"], ["3", "6"], ["5", "2", "4"], ["9"], [], ["0", "0", "4"]])
def test_codes_that_cannot_stand_together_are_refused_with_a_sentence(anna, codes):
    refused = anna.save(anna.items()[0], codes)
    assert (refused.status_code, refused.json()["code"]) == (400, "rule")
    assert refused.json()["message"].endswith(".") or "Nothing was changed" in refused.json()["message"]
    assert not Coding.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"key": None},
        {"key": ""},
        {"key": 7},
        {"key": "R1\x00"},
        {"key": "R" * 500},
        {"codes": "0"},
        {"codes": [0]},
        {"codes": [["0"]]},
        {"codes": ["0"] * 100},
        {"codes": {"0": True}},
        {"codes": None},
        {"note": 7},
        {"note": "\x00"},
        {"note": "x" * 2001},
        {"note": "x" * 70_000},
        {"seconds": "long"},
        {"seconds": -1},
        {"seconds": True},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"revision": "1"},
        {"revision": -1},
        {"revision": 1.5},
    ],
)
def test_what_the_page_would_never_send_is_refused_and_stores_nothing(anna, changes):
    body = {"key": anna.items()[0]["key"], "codes": ["0"], "note": "", "seconds": 1, "revision": 0}
    answer = anna.post("save/", {**body, **changes})
    assert answer.status_code == 400
    assert answer.json()["message"].endswith(".")
    assert not Coding.objects.exists()


@pytest.mark.parametrize("body", ["", "{broken", "[]", "null", '"text"', "1"])
def test_what_is_no_object_is_refused(anna, body):
    for path in ("save/", "undo/"):
        answer = anna.post(path, body)
        assert (answer.status_code, answer.json()["code"]) == (400, "unreadable")


def test_a_recall_of_another_study_or_queue_does_not_exist_here(anna, coder_named):
    ben = coder_named("ben", share=0.25, is_second=True)
    hers, his = {item["key"] for item in anna.items()}, {item["key"] for item in ben.items()}
    elsewhere = sorted(hers - his)[0]
    for key in (elsewhere, "R0000000000", "' OR 1=1 --", "../../"):
        refused = ben.save({"key": key, "revision": 0}, ["0"])
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown")
    assert not Coding.objects.exists()


def test_frozen_codings_stay(anna, study):
    first, second = anna.items()[:2]
    anna.save(first, ["0"])
    freeze(study, user=study.owner)
    for refused in (anna.save(second, ["0"]), anna.save({**first, "revision": 1}, ["3"]), anna.undo(first["key"])):
        assert (refused.status_code, refused.json()["code"]) == (409, "frozen")
    assert Coding.objects.get().codes == ["0"]
    assert "The codings are frozen" in Coder(study, "anna").page


def test_a_request_from_elsewhere_has_no_token_and_is_refused(anna):
    item = anna.items()[0]
    for path, body in (("save/", {"key": item["key"], "codes": ["0"]}), ("undo/", {"key": item["key"]})):
        assert anna.post(path, body, **{"X-CSRFToken": "another"}).status_code == 403
    assert not Coding.objects.exists()


@pytest.mark.parametrize(
    ("path", "method"), [("items/", "post"), ("next/", "delete"), ("save/", "get"), ("undo/", "put")]
)
def test_other_methods_are_answered_as_json(study, anna, path, method):
    client = Client()
    client.force_login(user_named("anna"))
    answer = getattr(client, method)(anna.base + path)
    assert answer.status_code == 405
    assert set(answer.json()) == {"code", "message"}


def test_a_coder_without_a_queue_is_told_so(study, client_named):
    coder = client_named("coder")
    page = coder.get(f"/admin/studies/{study.slug}/code/work/")
    assert page.status_code == 200
    assert "You have no recalls to code yet" in page.content.decode()
    assert coder.get(f"/admin/studies/{study.slug}/code/work/items/").status_code == 404


def test_marks_joined_are_the_texts(anna):
    for item in anna.items():
        assert text_of(item["stimulus"]).endswith(".")
        assert {piece["kind"] for piece in item["stimulus"] + item["recall"]} <= {"same", "near", "only"}

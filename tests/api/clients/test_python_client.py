"""The Python client against a server that refuses, breaks and is busy: what is sent again, and what is said."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.packaging.lectern.client import Lectern, Problem, tables
from config.packaging.lectern.client.sending import TRIES, base_of, path_of
from config.packaging.lectern.client.tables import table_of_csv, tables_of_report
from tests.api.clients.conftest import TOKEN, Scripted

RUN = {"id": 7, "status": "done", "progress": 1, "progress_note": "", "error": ""}
BUSY = {"code": "busy", "detail": "All places are taken."}
LATER = (503, {"Retry-After": "2", "Content-Type": "application/problem+json"}, BUSY)
NONE: tuple[int, dict[str, str], Any] = (0, {}, b"")


@pytest.fixture
def lab(scripted: Scripted) -> Lectern:
    made = Lectern(scripted.url, TOKEN)
    made.slept = []  # type: ignore[attr-defined]
    made._connection.sleep = made.slept.append  # type: ignore[attr-defined]
    return made


def refused(ask: Callable[[], Any]) -> Problem:
    with pytest.raises(Problem) as found:
        ask()
    assert TOKEN not in str(found.value)
    # One sentence after the other, each of which ends.
    assert str(found.value)[-1] in ".”`)", str(found.value)
    return found.value


def test_reading_is_tried_again_as_long_as_the_platform_says(scripted: Scripted, lab: Any) -> None:
    scripted.give(LATER, NONE, (429, {"Retry-After": "7"}, {"code": "too-many-requests", "detail": "Too many."}),
                  (200, {"X-Broken": "1"}, RUN), (200, {}, RUN))  # fmt: skip
    assert lab.get_run("s", 7)["id"] == 7
    assert [asked[0] for asked in scripted.asked] == ["GET"] * 5
    assert lab.slept == [2.0, 1.0, 7.0, 4.0]


def test_nothing_is_tried_for_ever(scripted: Scripted, lab: Any) -> None:
    scripted.give(LATER)
    problem = refused(lambda: lab.get_run("s", 7))
    assert (problem.code, problem.status, problem.retry_after) == ("busy", 503, 2.0)
    assert len(scripted.asked) == TRIES
    scripted.give((429, {"Retry-After": "3600"}, {"code": "too-many-requests", "detail": "Too many."}))
    assert refused(lambda: lab.get_run("s", 7)).retry_after == 3600
    assert len(scripted.asked) == 1


def test_what_creates_is_sent_again_with_the_same_key_and_the_same_body(scripted: Scripted, lab: Any) -> None:
    waits = (409, {"Retry-After": "2"}, {"code": "in-progress", "detail": "The first request is not finished."})
    scripted.give(NONE, waits, LATER, (201, {}, RUN))
    assert lab.create_run("s", method="rm-anova")["id"] == 7
    keys = {asked[2]["Idempotency-Key"] for asked in scripted.asked}
    assert (len(scripted.asked), len(keys)) == (4, 1)
    assert {asked[3] for asked in scripted.asked} == {b'{"method": "rm-anova"}'}
    scripted.give((201, {}, RUN))
    lab.create_run("s", method="rm-anova")
    assert scripted.asked[0][2]["Idempotency-Key"] not in keys
    lab.create_run("s", method="rm-anova", idempotency_key="mine")
    assert scripted.asked[1][2]["Idempotency-Key"] == "mine"


@pytest.mark.parametrize("answer", [NONE, LATER, (429, {}, {"code": "too-many-requests", "detail": "Too many."})])
@pytest.mark.parametrize(
    "ask",
    [
        lambda lab: lab.open_study("s"),
        lambda lab: lab.put_quota("s", quota=3, if_match="*"),
        lambda lab: lab.delete_run("s", 7),
        lambda lab: lab.erase_participant("s", "P1"),
    ],
)
def test_any_other_change_is_sent_once(scripted: Scripted, lab: Any, answer: Any, ask: Any) -> None:
    scripted.give(answer)
    refused(lambda: ask(lab))
    assert len(scripted.asked) == 1


def test_what_is_changed_has_the_etag_that_was_read(scripted: Scripted, lab: Any) -> None:
    scripted.give((200, {"ETag": '"one"'}, {"quota": 1}), (200, {"ETag": '"two"'}, {"quota": 2}))
    lab.get_quota("s")
    lab.put_quota("s", quota=None)
    assert scripted.asked[1][2]["If-Match"] == '"one"'
    assert scripted.asked[1][3] == b'{"quota": null}'
    lab.put_quota("s", quota=3)
    assert scripted.asked[2][2]["If-Match"] == '"two"'
    # Opening it changes the state of the study, so what was read before is no longer known.
    lab.open_study("s")
    lab.put_quota("s", quota=4)
    assert [asked[0] for asked in scripted.asked[3:]] == ["POST", "GET", "PUT"]
    # Of another study, and of another task, nothing was read.
    lab.put_quota("t", quota=4)
    assert [asked[0] for asked in scripted.asked[6:]] == ["GET", "PUT"]
    lab.put_text("s", "instructions", body="Read.", part="second")
    assert [asked[1] for asked in scripted.asked[8:]] == ["/api/v1/studies/s/texts/instructions/?part=second"] * 2
    lab.put_quota("s", quota=5, if_match='W/"mine"')
    assert scripted.asked[-1][2]["If-Match"] == 'W/"mine"'


def test_only_so_many_etags_are_remembered(scripted: Scripted, lab: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("config.packaging.lectern.client.asking.MOST_ETAGS", 3)
    scripted.give((200, {"ETag": '"one"'}, {"quota": 1}))
    for number in range(9):
        lab.get_quota(f"s{number}")
    assert len(lab._etags) == 3


def test_rows_come_page_by_page(scripted: Scripted, lab: Any) -> None:
    pages = [{"items": [{"id": n, "deep": {"a": n}}], "next_cursor": str(n) if n < 3 else None} for n in (1, 2, 3)]
    scripted.give(*[(200, {}, page) for page in pages])
    rows = lab.list_runs("s", limit=1, status="done")
    assert len(scripted.asked) == 1
    assert [row["id"] for row in rows] == [1, 2, 3]
    assert [asked[1].partition("?")[2] for asked in scripted.asked] == [
        "limit=1&status=done", "limit=1&status=done&cursor=1", "limit=1&status=done&cursor=2",
    ]  # fmt: skip
    scripted.give((200, {}, pages[1]), (200, {}, pages[2]))
    assert list(rows.table()["id"]) == [1, 2, 3]
    scripted.give((200, {}, pages[0]))
    assert refused(lambda: list(lab.list_runs("s"))).code == "unexpected-answer"


def test_files_are_saved_whole_or_not_at_all(scripted: Scripted, lab: Any, tmp_path: Path) -> None:
    content = os.urandom(300_000)
    kind = {"Content-Type": "text/csv; charset=utf-8", "Lectern-Cursor": "abc",
            "Content-Disposition": 'attachment; filename="../../s-trials.csv"'}  # fmt: skip
    broken = (200, {**kind, "X-Broken": "1"}, content)
    scripted.give(broken, broken, (200, kind, content))
    download = lab.get_export("s", "trials.csv", since="")
    assert (download.cursor, download.name) == ("abc", "s-trials.csv")
    saved = download.save(tmp_path)
    assert saved == tmp_path / "s-trials.csv"
    assert saved.read_bytes() == content
    assert saved.stat().st_mode & 0o044 or os.name == "nt"
    scripted.give(broken)
    assert refused(lambda: lab.get_export("s", "trials.csv").save(tmp_path / "other.csv")).code == "no-connection"
    assert refused(lambda: list(lab.get_export("s", "trials.csv"))).code == "no-connection"
    scripted.give((200, kind, content))
    nowhere = refused(lambda: lab.get_export("s", "trials.csv").save(tmp_path / "none" / "trials.csv"))
    assert "No such file or directory" in str(nowhere)
    assert [path.name for path in tmp_path.iterdir()] == ["s-trials.csv"]
    scripted.give((200, {"Content-Type": "application/zip"}, content))
    assert "not a table" in str(refused(lambda: lab.get_everything("s").table()))
    assert "not JSON" in str(refused(lambda: lab.get_everything("s").json()))
    assert lab.get_everything("s").read() == content


def test_waiting_shows_how_far_it_is_and_ends(scripted: Scripted, lab: Any) -> None:
    def state(status: str, progress: float, error: str = "") -> tuple[int, dict[str, str], Any]:
        return 200, {}, {**RUN, "status": status, "progress": progress, "error": error}

    shown: list[str] = []
    scripted.give(state("queued", 0), state("running", 0.5), state("running", 0.5), state("done", 1))
    assert lab.wait_for_run("s", 7, progress=shown.append)["status"] == "done"
    assert shown == ["The analysis: queued, 0%", "The analysis: running, 50%", "The analysis: done, 100%"]
    assert lab.slept == sorted(lab.slept)
    scripted.give(state("failed", 0.2, "The rating has one value alone."))
    problem = refused(lambda: lab.wait_for_run("s", 7))
    assert (problem.code, str(problem)) == ("failed", "The analysis failed. The rating has one value alone.")
    scripted.give(state("cancelled", 0.2))
    assert refused(lambda: lab.wait_for_archive("s", 7)).code == "cancelled"
    scripted.give((200, {}, {"status": "running", "done": 2, "participants": 5}))
    late = refused(lambda: lab.wait_for_simulation("s", seconds=0))
    assert (late.code, "2 of 5" in str(late)) == ("not-finished", True)


HTML = (502, {"Content-Type": "text/html"}, b"<html>Bad gateway</html>")
FAULTS = {"code": "invalid", "detail": "Nothing was stored.", "faults": [
    {"place": "tables/materials.csv", "line": 3, "column": "item", "message": "It is empty.",
     "suggestion": "Write one.", "step": ""},
    *({"place": f"/{n}", "line": None, "column": "", "message": "Unknown.", "suggestion": ""} for n in range(6)),
]}  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (HTML, "unexpected-answer", "status 502"),
        ((200, {"Content-Type": "text/html"}, b"<html>"), "unexpected-answer", "not Lectern"),
        ((500, {}, {"detail": ["no"], "code": 5}), "unexpected-answer", "status 500"),
        ((500, {}, []), "unexpected-answer", "status 500"),
        ((308, {"Location": "https://elsewhere.example.org/x?token"}, b""), "moved", "https://elsewhere.example.org."),
        ((301, {"Location": "/there"}, b""), "moved", "another address"),
        ((302, {"Location": "http://[no"}, b""), "moved", "http://[no."),
        (
            (422, {}, FAULTS),
            "invalid",
            "tables/materials.csv, line 3, column item: It is empty. Write one. /0: Unknown.",
        ),
        ((401, {}, {"code": "not-authenticated", "detail": "The token was revoked."}), "not-authenticated", "revoked"),
    ],
)
def test_every_answer_that_is_none_is_a_sentence(
    scripted: Scripted, lab: Any, answer: Any, code: str, said: str
) -> None:
    scripted.give(answer)
    problem = refused(lambda: lab.get_study("s"))
    assert (problem.code, problem.status) == (code, answer[0])
    assert said in str(problem)
    # The token went to one address, once.
    assert [asked[2]["Authorization"] for asked in scripted.asked] == [f"Bearer {TOKEN}"]
    if code == "invalid":
        assert len(problem.faults) == 7
        assert str(problem).endswith("2 more are in `faults`.")


def test_a_platform_that_is_not_there(lab: Any) -> None:
    gone = Lectern("http://127.0.0.1:9", TOKEN, timeout=2)
    gone._connection.sleep = lambda seconds: None
    assert refused(lambda: gone.get_token()).code == "no-connection"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Lectern("", TOKEN),
        lambda: Lectern("lectern.example.org", TOKEN),
        lambda: Lectern("ftp://lectern.example.org", TOKEN),
        lambda: Lectern("https://ada:secret@lectern.example.org", TOKEN),
        lambda: Lectern("https://lectern.example.org/?a=b", TOKEN),
        lambda: Lectern("https://lectern.example.org:port", TOKEN),
        lambda: Lectern("https://lectern.example.org/a b", TOKEN),
        lambda: Lectern("http://lectern.example.org", TOKEN),
        lambda: Lectern("https://läctern.example.org", TOKEN),
        lambda: Lectern("https://lectern.example.org", ""),
        lambda: Lectern("https://lectern.example.org", "two words"),
        lambda: Lectern("https://lectern.example.org", "a\r\nHost: b"),
        lambda: Lectern("https://lectern.example.org", "ä"),
    ],
)
def test_an_address_or_a_token_that_cannot_be_one(make: Any) -> None:
    assert refused(make).code == "not-usable"


@pytest.mark.parametrize(
    "ask",
    [
        lambda lab: lab.get_study(""),
        lambda lab: lab.get_study("a/b"),
        lambda lab: lab.get_study(".."),
        lambda lab: lab.put_text("s", "consent", body={1, 2}, if_match="*"),
        lambda lab: lab.put_plan("s", analyses=[{"alpha": float("nan")}], if_match="*"),
        lambda lab: lab.put_quota("s", quota=1, if_match="a\nb"),
        lambda lab: lab.create_run("s", method="m", idempotency_key="ä"),
        lambda lab: lab.create_study(file="there-is-no-such-file.zip"),
        lambda lab: lab.create_study(file=b"slug = 'a'", title="A"),
        lambda lab: lab.create_study(study={"slug": "a"}, materials=b"item,text"),
        lambda lab: lab.put_materials("s", "there-is-no-such-file.csv", if_match="*"),
        lambda lab: lab.put_materials("s", __file__, if_match="*"),
    ],
)
def test_what_cannot_be_sent_is_said_and_nothing_is_sent(scripted: Scripted, lab: Any, ask: Any) -> None:
    scripted.give((200, {}, {}))
    problem = refused(lambda: ask(lab))
    assert problem.code == "not-usable"
    assert str(problem).endswith("Nothing was sent.")
    assert scripted.asked == []


def test_the_environment_has_the_address_and_the_token(scripted: Scripted, monkeypatch: Any) -> None:
    monkeypatch.setenv("LECTERN_URL", f"{scripted.url}/")
    monkeypatch.setenv("LECTERN_TOKEN", f"{TOKEN}\n")
    scripted.give((200, {}, {"name": "mine"}))
    assert Lectern().get_token()["name"] == "mine"
    assert scripted.asked[0][1] == "/api/v1/tokens/self/"
    assert TOKEN not in repr(Lectern())


@given(st.text(min_size=1).filter(lambda text: "/" not in text and text not in (".", "..")))
def test_a_step_of_an_address_stays_one_step(text: str) -> None:
    try:
        path = path_of("studies/{slug}/", {"slug": text})
    except UnicodeEncodeError:
        return
    assert path.count("/") == 2
    assert path.isascii()
    assert not set(path) & set(' ?#\r\n"')


def test_an_address_may_end_in_any_way() -> None:
    for end in ("", "/", "/api/v1", "/api/v1/"):
        assert base_of(f"https://lectern.example.org/lab{end}", allow_http=False) == (
            "https://lectern.example.org/lab/api/v1/"
        )
    assert base_of("http://lectern.intern", allow_http=True) == "http://lectern.intern/api/v1/"


def test_tables_without_pandas(monkeypatch: Any) -> None:
    monkeypatch.setattr(tables, "_pandas", lambda: None)
    content = '\ufeffword,n\n"a, b",1\n,2\nNA,3\n'.encode()
    assert table_of_csv(io.BytesIO(content)) == [
        {"word": "a, b", "n": "1"}, {"word": None, "n": "2"}, {"word": "NA", "n": "3"},
    ]  # fmt: skip
    told = {"name": "means", "columns": [{"name": "order"}, {"name": "mean"}], "rows": [["a", 1.5], ["b", None]]}
    assert tables_of_report({"tables": [told]}) == {
        "means": [{"order": "a", "mean": 1.5}, {"order": "b", "mean": None}]
    }


def test_words_that_look_like_no_value_stay_words() -> None:
    frame = table_of_csv(io.BytesIO(b"word,is_practice\nnull,true\nNA,false\nnan,true\n,false\n"))
    assert list(frame["word"][:3]) == ["null", "NA", "nan"]
    assert frame["word"].isna().tolist() == [False, False, False, True]
    assert frame["is_practice"].dtype == bool


def test_a_file_is_sent_as_what_it_is(scripted: Scripted, lab: Any, tmp_path: Path) -> None:
    table, archive = tmp_path / "materials.csv", tmp_path / "study.zip"
    table.write_bytes(b"item,text\n")
    archive.write_bytes(b"PK\x03\x04rest")
    scripted.give((200, {"ETag": '"a"'}, {}))
    lab.put_materials("s", table, repair=True, if_match="*")
    lab.create_study(file=archive, slug="another")
    lab.create_study(file=b"slug = 'a'", materials=table, repair=True)
    lab.put_media("s", "dot.png", b"\x89PNG", licence="CC0")
    said = [
        (path.partition("/api/v1/")[2], headers["Content-Type"], body) for _m, path, headers, body in scripted.asked
    ]
    assert said[0] == ("studies/s/materials/?repair=true", "text/csv", b"item,text\n")
    assert said[1] == ("studies/?slug=another", "application/zip", b"PK\x03\x04rest")
    assert said[2][:1] == ("studies/",)
    assert said[2][1].startswith("multipart/form-data; boundary=")
    assert said[3] == ("studies/s/media/dot.png?licence=CC0", "application/octet-stream", b"\x89PNG")
    json.dumps(said[0][0])

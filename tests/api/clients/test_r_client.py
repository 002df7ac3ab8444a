"""The R client against a server that refuses, breaks and is busy, in one process of R."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.api.clients.conftest import R_FILE, TOKEN, Scripted

pytestmark = pytest.mark.slow
Answer = tuple[int, dict[str, str], Any]
LATER: Answer = (503, {"Retry-After": "2"}, {"code": "busy", "detail": "All places are taken."})
NONE: Answer = (0, {}, b"")
RUN = {"id": 7, "status": "done", "progress": 1, "progress_note": "", "error": ""}
HTML: Answer = (502, {"Content-Type": "text/html"}, b"<html>")
INVALID: Answer = (422, {}, {"code": "invalid", "detail": "Nothing was stored.", "faults": [
    {"place": "materials.csv", "line": 3, "column": "item", "message": "It is empty.", "suggestion": "Write one."},
    *({"place": f"/{n}", "line": None, "column": "", "message": "Unknown.", "suggestion": ""} for n in range(6)),
]})  # fmt: skip
CSV = {"Content-Type": "text/csv; charset=utf-8", "Lectern-Cursor": "abc"}
CONTENT = 'word,n,is_practice\n"a, ä",0.1,true\nNA,2,false\n,3,true\n'.encode()
REPORT = {"tables": [{"name": "means", "title": "Means", "columns": [{"name": "order"}, {"name": "mean"}],
                      "rows": [["a", 1.5], ["b", None]]}], "sentences": ["It is so."]}  # fmt: skip
BEGIN = """
source(FILE)
slept <- c(); Sys.sleep <- function(time) slept <<- c(slept, time)
lab <- lectern(URL, TOKEN)
told <- list()
note <- function(name, value) told[[name]] <<- value
said <- function(name, asked) note(name, tryCatch({asked; "nothing"}, lectern_problem = function(p) {
  list(code = p$code, status = p$status, text = conditionMessage(p), faults = length(p$faults))
}))
"""
SCRIPT = r"""
set.seed(5); before <- .Random.seed
note("busy", list(id = lab$get_run("busy", 7)$id, slept = slept))
said("always", lab$get_run("always", 7))
note("created", lab$create_run("created", method = "rm-anova", params = list(dv = "rating", levels = I("a")))$id)
lab$create_hook("listed", address = "https://a.example.org", events = "run.finished")
lab$create_run("listed", method = "m", params = list(), idempotency_key = "mine")
said("opened", lab$open_study("opened")); said("unknown", lab$delete_run("unknown", 7))
lab$get_quota("etags"); lab$put_quota("etags", quota = NULL); lab$put_quota("etags", quota = 3)
lab$open_study("etags"); lab$put_quota("etags", quota = 4); lab$put_quota("etags", quota = 5, if_match = "*")
rows <- lab$list_runs("paged", limit = 1, status = "done")
note("rows", list(ids = rows$id, deep = rows$deep.a, texts = rows$text, empty = nrow(lab$list_runs("empty"))))
table <- lab$get_export("file", "trials.csv", since = "")
note("table", list(names = names(table), words = table$word, lost = is.na(table$word), n = table$n,
                   practice = class(table$is_practice), cursor = attr(table, "cursor")))
note("marked", names(lab$get_export("marked", "trials.csv", excel = TRUE)))
saved <- lab$get_export("file", "trials.csv", to = file.path(FOLDER, "saved.csv"))
note("saved", list(path = as.character(saved), cursor = attr(saved, "cursor")))
lab$get_export("file", "trials.csv", excel = TRUE, to = FOLDER)
said("broken", lab$get_export("broken", "trials.csv", to = file.path(FOLDER, "broken.csv")))
said("folder", lab$get_export("file", "trials.csv", to = file.path(FOLDER, "none", "a.csv")))
note("report", list(sentence = lab$report("report", 7)$sentences[[1]],
                    means = lab$report_tables("report", 7)$means$mean,
                    lines = nrow(lab$report_tables("report", 7)$means)))
note("shown", capture.output(lab$wait_for_run("waited", 7, progress = TRUE), type = "message"))
said("failed", lab$wait_for_run("failed", 7)); said("late", lab$wait_for_simulation("late", seconds = 0))
said("html", lab$get_study("html")); said("not_lectern", lab$get_study("not-lectern"))
said("moved", lab$get_study("moved")); said("invalid", lab$get_study("invalid"))
said("refused", lectern("http://127.0.0.1:9", TOKEN)$get_token())
asked <- list(
  function() lectern("", TOKEN), function() lectern("lectern.example.org", TOKEN), function() lectern(NA, TOKEN),
  function() lectern("https://ada:secret@lectern.example.org", TOKEN),
  function() lectern("https://lectern.example.org/?a=b", TOKEN),
  function() lectern("http://lectern.example.org", TOKEN),
  function() lectern(URL, ""), function() lectern(URL, "two words"), function() lectern(URL, "a\r\nHost: b"),
  function() lab$get_study(""), function() lab$get_study("a/b"), function() lab$get_study(".."),
  function() lab$get_study(), function() lab$get_study(c("a", "b")),
  function() lab$put_quota("s", quota = 1, if_match = "a\nb"),
  function() lab$create_run("s", method = "m", idempotency_key = "ä"),
  function() lab$create_study(file = "there-is-no-such-file.zip"),
  function() lab$create_study(file = FILE, title = "A"),
  function() lab$create_study(study = list(slug = "a"), materials = FILE),
  function() lab$put_text("s", "consent", body = globalenv(), if_match = "*"),
  function() lab$put_materials("s", if_match = "*"), function() lab$put_materials("s", FOLDER, if_match = "*"),
  function() lab$put_materials("s", FILE, if_match = "*")
)
note("unusable", vapply(asked, function(ask) tryCatch({ask(); "nothing"}, lectern_problem = conditionMessage), ""))
writeLines("item,text", file.path(FOLDER, "materials.csv")); writeBin(charToRaw("PK12"), file.path(FOLDER, "study.zip"))
lab$put_materials("sent", file.path(FOLDER, "materials.csv"), repair = TRUE, if_match = "*")
lab$create_study(file = file.path(FOLDER, "study.zip"), slug = "another")
lab$create_study(file = FILE, materials = file.path(FOLDER, "materials.csv"), repair = TRUE)
lab$get_study("ä b?#"); lab$get_run("many", 1e6)
note("seed", identical(before, .Random.seed)); note("printed", capture.output(print(lab)))
note("visible", withVisible(lab$open_study("etags"))$visible)
cat(jsonlite::toJSON(told, auto_unbox = TRUE, digits = NA, null = "null", na = "string"))
"""


def state(status: str, progress: float, error: str = "") -> Answer:
    return 200, {}, {**RUN, "status": status, "progress": progress, "error": error}


def page(number: int, *, last: bool = False) -> Answer:
    text = None if number == 1 else "a text"
    rows = [{"id": number, "deep": {"a": number}, "text": text}]
    return 200, {}, {"items": rows, "next_cursor": None if last else str(number), "next": None}


@pytest.fixture
def told(scripted: Scripted, rscript: str, tmp_path: Path) -> dict[str, Any]:
    """Run the script and return what it noted."""
    scripted.give((200, {}, {"slug": "s"}))
    waits: Answer = (409, {"Retry-After": "2"}, {"code": "in-progress", "detail": "It is not finished."})
    scripted.of_study = {
        "busy": [LATER, NONE, (200, {"X-Broken": "1"}, RUN), (200, {}, RUN)],
        "always": [LATER],
        "created": [NONE, waits, LATER, (201, {}, RUN)],
        "listed": [(201, {}, RUN)],
        "opened": [LATER],
        "unknown": [NONE],
        "etags": [(200, {"ETag": '"one"'}, {}), (200, {"ETag": '"two"'}, {})],
        "paged": [page(1), page(2), page(3, last=True)],
        "empty": [(200, {}, {"items": [], "next_cursor": None, "next": None})],
        "file": [(200, CSV, CONTENT)],
        "marked": [(200, CSV, b"\xef\xbb\xbfw\xc3\xb6rd,n\na,1\n")],
        "broken": [(200, {**CSV, "X-Broken": "1"}, CONTENT)],
        "report": [(200, {}, REPORT)],
        "waited": [state("queued", 0), state("running", 0.5), state("running", 0.5), state("done", 1)],
        "failed": [state("failed", 0.2, "The rating has one value alone.")],
        "late": [(200, {}, {"status": "running", "done": 2, "participants": 5})],
        "html": [HTML],
        "not-lectern": [(200, {"Content-Type": "text/html"}, b"<html>")],
        "moved": [(308, {"Location": "https://elsewhere.example.org/x?token"}, b"")],
        "invalid": [INVALID],
    }
    values = {"FILE": str(R_FILE), "URL": scripted.url, "TOKEN": TOKEN, "FOLDER": str(tmp_path)}
    script = "".join(f"{name} <- {json.dumps(value)}\n" for name, value in values.items()) + BEGIN + SCRIPT
    (tmp_path / "script.R").write_text(script, encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    asked = [rscript, "--vanilla", str(tmp_path / "script.R")]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "arning" not in done.stderr, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def asked_of(scripted: Scripted, study: str) -> list[tuple[str, str, dict[str, str], bytes]]:
    return [one for one in scripted.asked if one[1].split("/")[4:5] == [study]]


def test_the_client_of_r(told: dict[str, Any], scripted: Scripted, tmp_path: Path) -> None:
    # Reading and creating are sent again, everything else once.
    assert told["busy"] == {"id": 7, "slept": [2, 1, 2]}
    assert (told["always"]["code"], told["always"]["status"]) == ("busy", 503)
    assert len(asked_of(scripted, "always")) == 5
    created = asked_of(scripted, "created")
    assert (told["created"], len(created), len({one[2]["Idempotency-Key"] for one in created})) == (7, 4, 1)
    assert {one[3] for one in created} == {b'{"method":"rm-anova","params":{"dv":"rating","levels":["a"]}}'}
    hook, run = asked_of(scripted, "listed")
    assert json.loads(hook[3]) == {"address": "https://a.example.org", "events": ["run.finished"]}
    assert (run[3], run[2]["Idempotency-Key"]) == (b'{"method":"m","params":{}}', "mine")
    assert hook[2]["Idempotency-Key"] not in {"mine", created[0][2]["Idempotency-Key"]}
    assert [told["opened"]["code"], told["unknown"]["code"]] == ["busy", "no-connection"]
    assert (len(asked_of(scripted, "opened")), len(asked_of(scripted, "unknown"))) == (1, 1)

    # The ETag that was read goes with what changes.
    etags = asked_of(scripted, "etags")[:8]
    assert [(one[0], one[2].get("If-Match")) for one in etags] == [
        ("GET", None), ("PUT", '"one"'), ("PUT", '"two"'), ("POST", None), ("GET", None), ("PUT", '"two"'),
        ("PUT", "*"), ("POST", None),
    ]  # fmt: skip
    assert [one[3] for one in etags[1:3]] == [b'{"quota":null}', b'{"quota":3}']

    assert told["rows"] == {"ids": [1, 2, 3], "deep": [1, 2, 3], "texts": ["NA", "a text", "a text"], "empty": 0}
    assert [one[1].partition("?")[2] for one in asked_of(scripted, "paged")] == [
        "limit=1&status=done", "limit=1&status=done&cursor=1", "limit=1&status=done&cursor=2",
    ]  # fmt: skip

    assert told["table"] == {
        "names": ["word", "n", "is_practice"], "words": ["a, ä", "NA", "NA"], "lost": [False, False, True],
        "n": [0.1, 2, 3], "practice": "logical", "cursor": "abc",
    }  # fmt: skip
    assert told["marked"] == ["wörd", "n"]
    assert told["saved"] == {"path": str(tmp_path / "saved.csv"), "cursor": "abc"}
    assert (tmp_path / "saved.csv").read_bytes() == (tmp_path / "trials.csv").read_bytes() == CONTENT
    assert {path.name for path in tmp_path.iterdir()} == {
        "saved.csv", "trials.csv", "script.R", "materials.csv", "study.zip",
    }  # fmt: skip
    assert (told["broken"]["code"], told["folder"]["code"]) == ("no-connection", "not-usable")
    assert told["report"] == {"sentence": "It is so.", "means": [1.5, "NA"], "lines": 2}

    assert told["shown"] == ["The analysis: queued, 0%", "The analysis: running, 50%", "The analysis: done, 100%"]
    assert told["failed"]["text"] == "The analysis failed. The rating has one value alone."
    assert (told["late"]["code"], "2 of 5" in told["late"]["text"]) == ("not-finished", True)


def test_what_it_says_and_what_it_keeps_to_itself(told: dict[str, Any], scripted: Scripted) -> None:
    assert (told["html"]["code"], told["not_lectern"]["code"]) == ("unexpected-answer", "unexpected-answer")
    assert (
        told["moved"]["text"] == "The platform is at https://elsewhere.example.org. Use that address; nothing was done."
    )
    assert told["invalid"]["text"].startswith(
        "Nothing was stored. materials.csv, line 3, column item: It is empty. Write one. /0: Unknown."
    )
    assert (told["invalid"]["faults"], told["invalid"]["text"][-22:]) == (7, "2 more are in $faults.")
    assert told["refused"]["code"] == "no-connection"
    assert len(told["unusable"]) == 23
    for number, text in enumerate(told["unusable"]):
        assert text.endswith("Nothing was sent."), (number, text)
    assert {one[2]["Authorization"] for one in scripted.asked} == {f"Bearer {TOKEN}"}
    assert TOKEN not in json.dumps(told)
    assert told["printed"] == f"<Lectern at {scripted.url.removeprefix('http://')}>"
    # The generator of random numbers belongs to the analysis.
    assert (told["seed"], told["visible"]) == (True, False)

    [materials] = asked_of(scripted, "sent")
    assert materials[1].endswith("/materials/?repair=true")
    assert (materials[2]["Content-Type"], materials[3]) == ("text/csv", b"item,text\n")
    archive, form = [
        one for one in scripted.asked if one[1].partition("?")[0] == "/api/v1/studies/" and one[0] == "POST"
    ]
    assert (archive[1], archive[3]) == ("/api/v1/studies/?slug=another", b"PK12")
    assert form[2]["Content-Type"].startswith("multipart/form-data; boundary=")
    assert all(f'name="{name}"'.encode() in form[3] for name in ("file", "materials", "repair"))
    paths = [one[1] for one in scripted.asked]
    assert "/api/v1/studies/%C3%A4%20b%3F%23/" in paths
    assert "/api/v1/studies/many/runs/1000000/" in paths

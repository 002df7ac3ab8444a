"""Minimal endpoint for experiment data: one table, one row per POST; only for `benchmarks.loss`.

Like the script that the documentation of most libraries shows, with one kindness: a row is committed before the answer.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

DATABASE = Path(os.environ.get("VAR_DIR", ".")) / "peer.sqlite3"


MODULES = Path(__file__).resolve().parent.parent / "frontend" / "node_modules"
SCRIPTS = {
    "/jspsych.js": MODULES / "jspsych" / "dist" / "index.browser.min.js",
    "/keyboard.js": MODULES / "@jspsych" / "plugin-html-keyboard-response" / "dist" / "index.browser.min.js",
}
# As tutorials have it: data in memory, sent once, nobody looks at the answer.
PAGE = b"""<!doctype html><meta charset="utf-8"><title>jsPsych</title><link rel="icon" href="data:,">
<script src="/jspsych.js"></script><script src="/keyboard.js"></script><body><script>
const query = new URLSearchParams(location.search);
const save = (rows) => fetch("/save", { method: "POST", body: JSON.stringify(rows) }).catch(() => {});
const each = query.get("each") === "1";
const jsPsych = initJsPsych({
  on_trial_finish: (row) => { if (each) save([row]); },
  on_finish: () => {
    if (!each) save(jsPsych.data.get().values());
    document.body.innerHTML = '<p id="over">Thank you.</p>';
  },
});
jsPsych.run(Array.from({ length: Number(query.get("trials")) }, (_, position) => ({
  type: jsPsychHtmlKeyboardResponse,
  stimulus: `<p id="trial-${position}">Sentence ${position}</p>`,
  choices: ["f", "j"],
  data: { id: `${query.get("person")} ${query.get("visit")} ${position}` },
})));
</script>"""


def connect() -> sqlite3.Connection:
    """Return a connection to the table."""
    connection = sqlite3.connect(DATABASE, timeout=30, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS answers (body TEXT NOT NULL)")
    return connection


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Store what is posted; give the page and its scripts to anybody else."""
    status = "200 OK"
    if environ["REQUEST_METHOD"] == "GET":
        script = SCRIPTS.get(environ["PATH_INFO"])
        given = script.read_bytes() if script else PAGE
        kind = "text/javascript" if script else "text/html; charset=utf-8"
        start_response(status, [("Content-Type", kind), ("Content-Length", str(len(given)))])
        return [given]
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
        connection = connect()
        try:
            connection.execute("INSERT INTO answers VALUES (?)", [body])
        except sqlite3.Error:
            status = "500 Internal Server Error"
        finally:
            connection.close()
    content = json.dumps({"ok": status.startswith("200")}).encode()
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(content)))])
    return [content]


def stored() -> list[str]:
    """Return the names of all answers that are stored, as often as they are."""
    connection = connect()
    rows = [json.loads(body) for (body,) in connection.execute("SELECT body FROM answers")]
    connection.close()
    return [answer["id"] for row in rows for answer in row]

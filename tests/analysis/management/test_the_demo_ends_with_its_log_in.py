"""What `demo` prints last is where to look and how to log in; what fills itself is said above."""

from __future__ import annotations

import io
import signal

import pytest

from analysis.management.commands import demo
from experiments import started_by


class Study:
    def __init__(self, slug: str) -> None:
        self.slug = slug


@pytest.fixture
def printed(monkeypatch) -> io.StringIO:
    """The output of a demo whose server, participants and analyses are there at once."""
    monkeypatch.setenv(started_by.PROGRAM, "lectern")
    monkeypatch.setenv(started_by.DATA, "/srv/data")
    out = io.StringIO()
    command = demo.Command(stdout=out, stderr=out)

    class Server:
        def wait(self, timeout=None) -> None: ...

        def poll(self) -> int:
            return 0

    monkeypatch.setattr(demo, "refuse_a_taken_port", lambda url: None)
    monkeypatch.setattr(demo, "call_command", lambda *_, **__: None)
    monkeypatch.setattr(demo, "ensure_administrator", lambda: None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(demo, "is_coded", lambda study: False)
    monkeypatch.setattr(demo, "report_path", lambda run: f"/admin/runs/{run}/")
    monkeypatch.setattr(demo, "first_password", lambda: "correct-horse")
    monkeypatch.setattr(command, "start_server", lambda port: Server())
    monkeypatch.setattr(command, "wait_until_ready", lambda server: None)
    monkeypatch.setattr(command, "ensure_study", lambda example: Study(example.slug))
    monkeypatch.setattr(command, "ensure_participants", lambda study: command.say(f"filling {study.slug}"))
    monkeypatch.setattr(command, "wait_for_participants", lambda study: None)
    monkeypatch.setattr(command, "ensure_queue", lambda study: None)
    monkeypatch.setattr(command, "request_analyses", lambda study: [])
    monkeypatch.setattr(command, "finished_analyses", lambda runs: {demo.FIRST: 7})
    command.handle(port=8123, once=False)
    return out


def test_the_log_in_is_in_the_last_lines(printed: io.StringIO) -> None:
    said = printed.getvalue()
    assert [line.strip() for line in said.splitlines() if line.strip()][-3:] == [
        "Researchers  http://127.0.0.1:8123/admin/",
        "Log in as 'admin' with the password correct-horse",
        "To set another password: lectern --data /srv/data changepassword admin",
    ]
    assert said.rindex("http://127.0.0.1:8123/s/") < said.rindex("Log in as")


def test_one_can_log_in_while_the_examples_fill_themselves(printed: io.StringIO) -> None:
    said = printed.getvalue()
    assert said.count("correct-horse") == 2
    assert said.index("Log in as") < said.index(f"/s/{demo.FIRST}/")


def test_a_later_start_says_which_password_it_is(capsys) -> None:
    command = demo.Command()
    command.base_url, command.password = "http://127.0.0.1:8123", None
    command.announce_entrance()
    assert "with the password that the first start printed" in capsys.readouterr().out

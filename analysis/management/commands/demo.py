"""`manage.py demo`: the platform with its example studies, simulated participants and finished analyses."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

import requests
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from analysis.coding import queues
from analysis.coding.recalls import is_coded
from analysis.management.waiting import wait_for
from analysis.models import AnalysisRun, CodingQueue
from analysis.studies.asking import request_run
from analysis.views.asking import suggestions
from experiments.management.arguments import port
from experiments.models import Study
from experiments.started_by import command_on_the_data, is_installed
from experiments.study.lifecycle import open_study
from experiments.study_files import read_toml, store_description
from experiments.study_files.examples import ExampleStudyFile, example_studies
from participants.watching.simulations import latest, request_simulation, unfinished

# How many take part in each example: as many as in the papers behind them, or a few per list.
PARTICIPANTS = {
    "causal-sentences": 48,
    "sentence-recall": 32,
    "mouse-reading": 33,
    "system-ratings": 12,
    "relative-clauses": 16,
    "lexical-decision": 16,
    "cloze-sentences": 40,
    "maze-agents": 24,
}
# Further examples of a paradigm are there to be made under "New study"; the demo would take longer with them.
LEFT_OUT = frozenset(
    {
        "masked-priming", "speeded-acceptability", "picture-sentences", "tone-ratings", "words-and-sentences",
        "shapes-and-tones", "stroop", "picture-priming", "moving-shapes", "go-no-go", "reading-in-parts",
    }
)  # fmt: skip
FIRST = "causal-sentences"
FIRST_METHODS = ("rm-anova", "logistic")
SEED = 2012
# To be started in the application folder, with HOST and PORT in the environment.
SERVER = [sys.executable, "-m", "config.server"]


class Command(BaseCommand):
    help = "Set up the example studies with simulated participants and finished analyses, and serve the platform."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=port, default=8000)
        parser.add_argument("--once", action="store_true", help="check that the pages answer, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), leave)
        self.base_url = f"http://127.0.0.1:{options['port']}"
        refuse_a_taken_port(self.base_url)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        ensure_administrator()
        server = self.start_server(options["port"])
        try:
            # The first example is there with the first page; the others come while one looks.
            offered = [example for example in example_studies() if example.slug not in LEFT_OUT]
            first, *others = sorted(offered, key=lambda example: example.slug != FIRST)
            studies = [self.ensure_study(first)]
            self.ensure_participants(studies[0])
            self.say("Simulated participants fill the examples and analyses follow; this takes some minutes.")
            self.wait_until_ready(server)
            self.password = first_password()
            self.announce_entrance("   (the examples fill themselves while you look)")
            for example in others:
                studies.append(self.ensure_study(example))
                self.ensure_participants(studies[-1])
            requested: list[AnalysisRun] = []
            for study in studies:
                self.wait_for_participants(study)
                self.ensure_queue(study)
                requested += self.request_analyses(study)
            runs = self.finished_analyses(requested)
            self.announce(studies, runs)
            if options["once"]:
                self.check_pages(studies, runs)
                return
            server.wait()
        except KeyboardInterrupt:
            self.stdout.write(
                f"Stopped. The data are kept in {settings.VAR_DIR}; the next demo goes on where this ended."
            )
        finally:
            stop(server)

    def start_server(self, port: int) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1"}
        environment.setdefault("LOG_LEVEL", "WARNING")
        return subprocess.Popen(SERVER, cwd=settings.BASE_DIR, env=environment)  # noqa: S603 - our own command

    def wait_until_ready(self, server: subprocess.Popen[bytes]) -> None:
        """Wait until the server answers. Raises CommandError where it stops or takes more than a minute."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if server.poll() is not None:
                raise CommandError("The web server stopped while it was starting; its message stands above.")
            try:
                if requests.get(f"{self.base_url}/readyz", timeout=2).ok:
                    return
            except requests.RequestException:
                pass  # not listening yet
            time.sleep(0.2)
        raise CommandError(f"The web server did not become ready at {self.base_url} within a minute.")

    def ensure_study(self, example: ExampleStudyFile) -> Study:
        administrator = get_user_model().objects.get(username="admin")
        study = Study.objects.filter(slug=example.slug).first()
        if study is None:
            # Without what the command `create_study` says about the texts: their measures take longer than all else.
            described = read_toml(example.path)
            study = store_description(described, user=administrator, origin=f"example {example.slug}")
        if study.status == Study.Status.DRAFT:
            study = open_study(study, administrator)
        return study

    def ensure_participants(self, study: Study) -> None:
        """Ask for the simulated participants that are missing; the worker lets them take part."""
        if unfinished(study) is not None:
            return  # an earlier demo asked for them
        missing = PARTICIPANTS.get(study.slug, 8) - study.sessions.filter(is_simulated=True).count()
        if missing > 0:
            administrator = get_user_model().objects.get(username="admin")
            request_simulation(study, participants=missing, seed=SEED, dropout=0.0, user=administrator)

    def wait_for_participants(self, study: Study) -> None:
        """Wait for them. Raises CommandError where they fail, or stand still for five minutes."""
        done, deadline = -1, time.monotonic() + 300
        while (simulation := latest(study)) is not None and simulation.is_unfinished:
            if simulation.done != done:
                done, deadline = simulation.done, time.monotonic() + 300
            if time.monotonic() > deadline:
                raise CommandError(f"Nobody takes part in {study.slug} any more; is the worker running?")
            time.sleep(0.5)
        if simulation is not None and simulation.error:
            raise CommandError(f"The simulation of {study.slug} failed: {simulation.error}")

    def ensure_queue(self, study: Study) -> None:
        """Give `admin` the recalls of a study that is coded, so that there is something to code."""
        if is_coded(study) and not CodingQueue.objects.filter(study=study).exists():
            administrator = get_user_model().objects.get(username="admin")
            queues.create_queue(study, coder=administrator, user=administrator)

    def request_analyses(self, study: Study) -> list[AnalysisRun]:
        """Ask for what suggests itself and can be computed."""
        if is_coded(study):
            return []  # what is analysed there are codes, which people give
        administrator = get_user_model().objects.get(username="admin")
        return [
            request_run(
                study,
                method=suggestion.method,
                params=dict(suggestion.params),
                user=administrator,
                table=suggestion.table,
            )
            for suggestion in suggestions(study)
        ]

    def finished_analyses(self, runs: Sequence[AnalysisRun]) -> dict[str, AnalysisRun]:
        """Wait for the analyses and return for each study the report to look at first.

        Raises CommandError where an analysis fails or takes more than fifteen minutes.
        """
        try:
            wait_for([run for run in runs if run.is_unfinished], tell=self.say, seconds=900)
        except TimeoutError as late:
            message = "The analyses did not finish within fifteen minutes; is the worker running?"
            raise CommandError(message) from late
        for run in runs:
            if run.status != AnalysisRun.Status.DONE:
                raise CommandError(f"The analysis {run.method} of {run.study.slug} failed: {run.error}")
        first: dict[str, AnalysisRun] = {}
        for run in sorted(runs, key=lambda run: run.method not in FIRST_METHODS):
            first.setdefault(run.study.slug, run)
        return first

    def say(self, line: str) -> None:
        """Print a line at once, into a pipe too."""
        self.stdout.write(line)
        self.stdout.flush()

    def announce(self, studies: Sequence[Study], runs: Mapping[str, AnalysisRun]) -> None:
        lines = [
            "",
            f"  Results      {self.base_url}{report_path(runs[FIRST])}   (simulated data, marked as such)",
            *(f"  Participants {self.base_url}/s/{study.slug}/" for study in studies),
        ]
        self.say("\n".join(lines))
        self.announce_entrance()

    def announce_entrance(self, while_what: str = "") -> None:
        """Say where to look and how to log in: what is printed last is what people see first."""
        another = command_on_the_data("changepassword", "admin")
        password = f"the password {self.password}" if self.password else "the password that the first start printed"
        lines = [
            "",
            f"  Researchers  {self.base_url}/admin/{while_what}",
            f"  Log in as 'admin' with {password}",
            f"  To set another password: {another}",
            "",
        ]
        self.say("\n".join(lines))

    def check_pages(self, studies: Sequence[Study], runs: Mapping[str, AnalysisRun]) -> None:
        """Ask for every page that was announced, the researcher's ones logged in. Raises CommandError if one fails."""
        visitor = requests.Session()
        landings = [f"/s/{study.slug}/" for study in studies]
        for path in ("/", *landings, "/healthz", "/readyz", "/api/schema/"):
            self.expect_page(visitor, path)
        with logged_in() as researcher:
            analyses = [reverse("analysis:analyse", args=[study.slug]) for study in studies]
            coded = [study for study in studies if is_coded(study)]
            coding = [reverse("coding:overview", args=[study.slug]) for study in coded]
            for path in ("/admin/", *analyses, *coding, *map(report_path, runs.values())):
                self.expect_page(researcher, path)
        self.stdout.write("Every page answers.")

    def expect_page(self, visitor: requests.Session, path: str) -> None:
        answer = visitor.get(f"{self.base_url}{path}", timeout=30, allow_redirects=False)
        if answer.status_code != 200:
            raise CommandError(f"{path} answered {answer.status_code} instead of 200.")
        self.stdout.write(f"  200 {path}")


def ensure_administrator() -> None:
    """Make the user `admin` where there is none, without a password: it is set when it can be shown."""
    users = get_user_model().objects
    if not users.filter(username="admin").exists():
        users.create_superuser("admin", "admin@example.org")


def first_password() -> str | None:
    """Give `admin` a password and return it; None where there is one already.

    Call it where it is printed at once: a demo that is interrupted must not take an unseen password along.
    """
    administrator = get_user_model().objects.get(username="admin")
    if administrator.has_usable_password():
        return None
    password = secrets.token_urlsafe(12)
    administrator.set_password(password)
    administrator.save(update_fields=["password"])
    return password


def logged_in() -> requests.Session:
    """Return a client with an administrator's session, made without knowing the password."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    administrator = get_user_model().objects.get(username="admin")
    store = SessionStore()
    store[SESSION_KEY] = str(administrator.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = administrator.get_session_auth_hash()
    store.create()
    client = requests.Session()
    client.cookies.set(settings.SESSION_COOKIE_NAME, str(store.session_key), domain="127.0.0.1")
    return client


def report_path(run: AnalysisRun) -> str:
    return reverse("analysis:run", args=[run.study.slug, run.pk])


def refuse_a_taken_port(base_url: str) -> None:
    try:
        requests.get(base_url, timeout=2)
    except requests.RequestException:
        return
    another = command_on_the_data("demo", "--port", "8001") if is_installed() else "make demo PORT=8001"
    raise CommandError(f"Something answers at {base_url} already. Stop it, or choose another port: {another}")


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the server, which takes its worker along."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()


def leave(number: int, frame: object) -> None:
    """Leave in good order when asked to end, so that no server stays behind."""
    raise SystemExit(128 + number)

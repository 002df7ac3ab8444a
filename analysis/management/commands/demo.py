"""`manage.py demo`: the platform with an example study, simulated participants and finished analyses."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from typing import Any

import requests
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from analysis.models import AnalysisRun
from analysis.runs import request_run
from analysis.views.analyse import suggestions
from experiments.lifecycle import open_study
from experiments.models import Study

EXAMPLE = settings.BASE_DIR / "experiments" / "examples" / "causal-sentences" / "study.toml"
PARTICIPANTS = 48
SEED = 2012


class Command(BaseCommand):
    help = "Set up an example study with simulated participants and finished analyses, and serve the platform."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--once", action="store_true", help="check that the pages answer, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, leave)
        self.base_url = f"http://127.0.0.1:{options['port']}"
        refuse_a_taken_port(self.base_url)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        ensure_administrator()
        server = self.start_server(options["port"])
        try:
            self.wait_until_ready(server)
            study = self.ensure_study()
            self.ensure_participants(study)
            run = self.ensure_analyses(study)
            self.announce(study, run)
            if options["once"]:
                self.check_pages(study, run)
                return
            server.wait()
        except KeyboardInterrupt:
            self.stdout.write("Stopped. The data are kept; `make demo` goes on where this ended.")
        finally:
            stop(server)

    def start_server(self, port: int) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1"}
        environment.setdefault("LOG_LEVEL", "WARNING")
        return subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"],
            cwd=settings.BASE_DIR,
            env=environment,
        )

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

    def ensure_study(self) -> Study:
        administrator = get_user_model().objects.get(username="admin")
        study = Study.objects.filter(slug="causal-sentences").first()
        if study is None:
            self.stdout.write("Creating the example study …")
            call_command("create_study", str(EXAMPLE), owner="admin", verbosity=0)
            study = Study.objects.get(slug="causal-sentences")
        if study.status == Study.Status.DRAFT:
            study = open_study(study, administrator)
        return study

    def ensure_participants(self, study: Study) -> None:
        missing = PARTICIPANTS - study.sessions.filter(is_simulated=True).count()
        if missing > 0:
            self.stdout.write(f"{missing} simulated participants are taking part …")
            call_command("simulate", study.slug, participants=missing, seed=SEED, base_url=self.base_url)

    def ensure_analyses(self, study: Study) -> AnalysisRun:
        """Run every suggested analysis and return the one to look at first."""
        self.stdout.write("Analysing …")
        administrator = get_user_model().objects.get(username="admin")
        runs = [
            request_run(
                study,
                method=suggestion.method,
                params=dict(suggestion.params),
                user=administrator,
                table=suggestion.table,
            )
            for suggestion in suggestions(study)
        ]
        deadline = time.monotonic() + 300
        while True:
            waiting = [run for run in runs if run.status in {AnalysisRun.Status.QUEUED, AnalysisRun.Status.RUNNING}]
            if not waiting:
                break
            if time.monotonic() > deadline:
                raise CommandError("The analyses did not finish within five minutes; is the worker running?")
            time.sleep(0.3)
            for run in waiting:
                run.refresh_from_db()
        failed = [run for run in runs if run.status != AnalysisRun.Status.DONE]
        if failed:
            raise CommandError(f"The analysis {failed[0].method} failed: {failed[0].error}")
        return next((run for run in runs if run.method == "rm-anova"), runs[0])

    def announce(self, study: Study, run: AnalysisRun) -> None:
        password = first_password()
        lines = [
            "",
            f"  Results      {self.base_url}{report_path(run)}   (simulated data, marked as such)",
            f"  Researchers  {self.base_url}/admin/",
            f"  Participants {self.base_url}/s/{study.slug}/",
            "",
            f"  Log in as 'admin' with the password {password}"
            if password
            else "  Log in as 'admin' with the password that was printed at the first start.",
            "  It is printed this once; `manage.py changepassword admin` sets another." if password else "",
            "",
        ]
        self.stdout.write("\n".join(lines))

    def check_pages(self, study: Study, run: AnalysisRun) -> None:
        """Ask for every page that was announced, the researcher's ones logged in. Raises CommandError if one fails."""
        visitor = requests.Session()
        for path in ("/", f"/s/{study.slug}/", "/healthz", "/readyz", "/api/schema/"):
            self.expect_page(visitor, path)
        with logged_in(self.base_url) as researcher:
            for path in ("/admin/", f"/admin/studies/{study.slug}/analyse/", report_path(run)):
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

    Not before the end, so that a demo that is interrupted half-way does not take an unseen password along.
    """
    administrator = get_user_model().objects.get(username="admin")
    if administrator.has_usable_password():
        return None
    password = secrets.token_urlsafe(12)
    administrator.set_password(password)
    administrator.save(update_fields=["password"])
    return password


def logged_in(base_url: str) -> requests.Session:
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
    raise CommandError(f"Something answers at {base_url} already. Stop it, or choose another port: make demo PORT=8001")


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

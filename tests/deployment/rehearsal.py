"""The steps of Dockerfile and docker-compose.yml, as they stand there, without a container engine.

Builds the front end and the image's folder, starts a PostgreSQL with a password of awkward characters, migrates, and
starts web processes and worker with the commands and the environment of the compose file. Asks their health
checks, takes part over HTTP, replaces everything by a second image while a session runs, and stops it all in the time
that the compose file gives. `python -m tests.deployment.rehearsal`; it ends by itself after ten minutes, or after
REHEARSAL_SECONDS.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django
import requests
import yaml

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

django.setup()

from tests.browser.platform import free_port  # noqa: E402 - the settings have to be there first
from tests.faults.postgres import Cluster  # noqa: E402
from tests.faults.remote import RemoteBrowser  # noqa: E402
from tests.prepared import SET_UP  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SECONDS = int(os.environ.get("REHEARSAL_SECONDS", "600"))
PASSWORD = "p@ss:w/rd #?&=%24'\"\\ $HOME {ü}"
SITE = "lab.example.org"
SLUG = "small-study"
STUDY = f"from tests.participants.studies import open_study; open_study({SLUG!r}, items=8)"


def copy(source: Path, target: Path) -> None:
    """Copy as the Dockerfile says: the content of a folder, or one file into the folder `target`."""
    if source.is_dir():
        left = shutil.ignore_patterns("__pycache__", "node_modules", "dist")
        shutil.copytree(source, target, ignore=left, dirs_exist_ok=True)
    else:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


class Image:
    """What the Dockerfile makes: a folder with the program, and the environment and commands that it names."""

    def __init__(self, folder: Path) -> None:
        self.text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
        self.program, self.home = folder / "srv", folder / "home"
        self.program.mkdir(parents=True)
        self.home.mkdir()
        pairs = re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.+)$", self.text, re.MULTILINE)))
        self.environment = {name: self.here(value) for name, value in pairs}

    def here(self, text: str) -> str:
        """Return a path or command of the image as one of this machine."""
        for there, path in (
            ("/srv/lectern", self.program),
            ("/var/lib/lectern", self.home),
            ("/tmp/build", self.home / "b"),
        ):
            text = text.replace(there, str(path))
        return text

    def build_frontend(self) -> Path:
        """Carry out the first stage and return its result."""
        build = self.program.parent / "build"
        frontend = build / "frontend"
        first_stage = self.text.split("\nFROM ")[1]
        for line in re.findall(r"^COPY (?!--from)(.+)$", first_stage, re.MULTILINE):
            *sources, target = line.split()
            for source in sources:
                copy(ROOT / source, build / "frontend" / target.replace("/build/", "../", 1))
        (frontend / "node_modules").symlink_to((ROOT / "frontend" / "node_modules").resolve())
        say("build stage: npm run build")
        run(["npm", "run", "build"], cwd=frontend, env=dict(os.environ))
        return frontend / "dist"

    def build(self, dist: Path) -> None:
        """Carry out what fills the folder; packages are those of this environment."""
        last_stage = self.text[self.text.rindex("\nFROM ") :]
        for line in re.findall(r"^COPY (?!--from)(.+)$", last_stage, re.MULTILINE):
            *sources, target = line.split()
            for source in sources:
                copy(ROOT / source, self.program / target)
        shutil.copytree(dist, self.program / "frontend" / "dist")
        built = [line for line in re.findall(r"^RUN (.+)$", self.text, re.MULTILINE) if "collectstatic" in line]
        say("build stage: translations and static files")
        run(["sh", "-ec", self.here(built[0])], cwd=self.program, env=self.with_environment({}))

    def with_environment(self, more: dict[str, str]) -> dict[str, str]:
        """Return the environment of a container, with the interpreter of this one on the path."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        return {**kept, "PATH": path, "HOME": str(self.home), **self.environment, **more}

    def command(self, name: str) -> list[str]:
        """Return the command of the instruction CMD or HEALTHCHECK."""
        found = re.findall(rf"^{name}\b[^\[\n]*(\[.+\])\s*$", self.text, re.MULTILINE)[-1]
        return [str(part) for part in yaml.safe_load(found)]


class Deployment:
    """The services of the compose file, started from an image one after the other."""

    def __init__(self, image: Image, values: dict[str, str], ports: dict[str, str]) -> None:
        self.image, self.ports = image, ports
        self.file = interpolated(yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8")), values)
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, service: str) -> dict[str, str]:
        """Return what a container of the service finds in its environment; the other services are on this machine."""
        found = {name: str(value) for name, value in self.file["services"][service]["environment"].items()}
        for there, here in self.ports.items():
            found = {name: value.replace(there, here) for name, value in found.items()}
        address = {
            "HOST": "127.0.0.1",
            "PORT": self.ports["port"],
            "C_FORCE_ROOT": "true",
            "HOSTNAME": os.uname().nodename,
        }
        return self.image.with_environment({**found, **address})

    def once(self, service: str) -> None:
        """Run a service that ends by itself."""
        run(self.file["services"][service]["command"], cwd=self.image.program, env=self.environment(service))

    def ask(self, code: str) -> str:
        """Run code with the models of the deployment; the tests' own helpers are within reach."""
        environment = {**self.environment("web"), "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
        return run([sys.executable, "-c", SET_UP + code], cwd=self.image.program, env=environment)

    def start(self, service: str) -> None:
        """Start a service with its command, or with that of the image."""
        command = self.file["services"][service].get("command") or self.image.command("CMD")
        with (self.image.home / f"{service}.log").open("ab") as log:
            self.running[service] = subprocess.Popen(
                [str(part).replace("/tmp/celerybeat", str(self.image.home / "celerybeat")) for part in command],
                cwd=self.image.program, env=self.environment(service), stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def wait_until_healthy(self, service: str) -> None:
        """Ask the health check of the service until it says yes."""
        own = self.file["services"][service].get("healthcheck", {}).get("test")
        command = ["sh", "-c", own[1].replace("$$", "$")] if own else self.image.command("HEALTHCHECK")
        command = [part.replace(":8000/", f":{self.ports['port']}/") for part in command]
        while subprocess.run(
            command, cwd=self.image.program, env=self.environment(service), capture_output=True, check=False
        ).returncode:
            assert self.running[service].poll() is None, self.log(service)
            time.sleep(0.3)
        say(f"{service}: healthy")

    def log(self, service: str) -> str:
        return (self.image.home / f"{service}.log").read_text(encoding="utf-8")[-4000:]

    def stop(self, service: str) -> None:
        """Stop a service as the engine does: SIGTERM, and SIGKILL after the grace, which must not be needed."""
        process = self.running.pop(service)
        process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        status = process.wait(timeout=int(self.file["services"][service]["stop_grace_period"].removesuffix("s")))
        assert status == 0, f"{service} ended with {status}: {self.log(service)}"
        say(f"{service}: stopped after {time.monotonic() - began:.1f} s")

    def kill(self) -> None:
        for process in self.running.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(timeout=10)


def interpolated(value: Any, values: dict[str, str]) -> Any:
    """Fill in ${NAME:-default} and ${NAME:?message} as compose does."""

    def fill(found: re.Match[str]) -> str:
        name, kind, rest = found[1], found[2], found[3]
        if kind == ":?":
            assert values.get(name), f"{name}: {rest}"
        return values.get(name) or (rest if kind == ":-" else "")

    if isinstance(value, dict):
        return {name: interpolated(inner, values) for name, inner in value.items()}
    if isinstance(value, list):
        return [interpolated(inner, values) for inner in value]
    if isinstance(value, str):
        return re.sub(r"(?<!\$)\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", fill, value)
    return value


def run(command: list[str], *, cwd: Path, env: dict[str, str]) -> str:
    finished = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{shlex.join(command)}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout


def say(line: str) -> None:
    sys.stdout.write(f"[{time.monotonic() - BEGAN:5.1f} s] {line}\n")
    sys.stdout.flush()


def headers(sender: str) -> dict[str, str]:
    """Return what the proxy in front sends along."""
    return {"Host": SITE, "X-Forwarded-Proto": "https", "X-Forwarded-For": f"198.51.100.9, {sender}"}


def rehearse(folder: Path) -> None:
    """Build, start, take part, upgrade, take part further, stop."""
    cluster = Cluster(folder_of(folder, "postgres"))
    first: Deployment | None = None
    second: Deployment | None = None
    redis: subprocess.Popen[bytes] | None = None
    try:
        cluster.start()
        set_password(cluster)
        redis_port = free_port()
        redis = subprocess.Popen(
            ["redis-server", "--bind", "127.0.0.1", "--port", str(redis_port), "--dir", str(folder), "--save", ""],
            stdout=subprocess.DEVNULL,
        )
        values = {
            "SECRET_KEY": "$ecret", "CODES_KEY": "c0des", "POSTGRES_PASSWORD": PASSWORD, "ALLOWED_HOSTS": SITE,
            "WEB_CONCURRENCY": "2",
        }  # fmt: skip
        ports = {
            "@postgres:5432/lectern": f"@127.0.0.1:{cluster.port}/postgres", "redis://redis:6379": f"redis://127.0.0.1:{redis_port}",
            "port": str(free_port()),
        }  # fmt: skip
        image = Image(folder_of(folder, "first"))
        dist = image.build_frontend()
        image.build(dist)
        first = Deployment(image, values, ports)
        address = f"http://127.0.0.1:{ports['port']}"
        up(first)
        first.ask(STUDY)
        browser = RemoteBrowser(SLUG, address, unanswered=lambda: None)
        browser.headers = headers("203.0.113.7")
        browser.begin()
        browser.answer(browser.trials[0])
        limits_are_shared(address)
        answers_are_stored_without_a_broker(address, redis)
        say("upgrade: everything is replaced while a session runs")
        first.stop("web")
        first.stop("worker")
        image = Image(folder_of(folder, "second"))
        image.build(dist)
        second = Deployment(image, values, ports)
        up(second)
        for trial in browser.trials[1:]:
            browser.answer(trial)
        browser.complete()
        say(f"the session that ran is complete: {len(browser.acknowledged)} answers")
        assert int(second.ask("from participants.models import Response; print(Response.objects.count())")) == len(
            browser.acknowledged
        )
        second.stop("web")
        second.stop("worker")
        cluster.stop()
        say("down")
    finally:
        for deployment in (first, second):
            if deployment is not None:
                deployment.kill()
        if redis is not None:
            redis.terminate()
            redis.wait(timeout=10)
        cluster.remove()


def folder_of(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def set_password(cluster: Cluster) -> None:
    """Let nobody in without the password."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(cluster.url, autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER ROLE lectern PASSWORD {}").format(sql.Literal(PASSWORD)))
        rules = cluster.data / "pg_hba.conf"
        rules.write_text("host all all 127.0.0.1/32 scram-sha-256\n", encoding="ascii")
        connection.execute("SELECT pg_reload_conf()")


def up(deployment: Deployment) -> None:
    """Do what `docker compose up` does, in the order of its dependencies."""
    deployment.once("migrate")
    say("migrate: done")
    deployment.start("worker")
    deployment.start("web")
    deployment.wait_until_healthy("web")
    deployment.wait_until_healthy("worker")
    address = f"http://127.0.0.1:{deployment.ports['port']}"
    ready: Any = requests.get(f"{address}/readyz", timeout=10)
    assert ready.status_code == 200, ready.text
    assert "warnings" not in ready.json(), ready.text
    for path in ("/", "/static/studies/icon.svg", "/docs/", "/healthz", "/readyz"):
        assert requests.get(address + path, headers={"Host": "somewhere.else"}, timeout=10).status_code == 400, path
    page = requests.get(f"{address}/", headers=headers("203.0.113.7"), timeout=10)
    assert page.status_code == 200, page.text
    for style in re.findall(r'href="(/static/[^"]+)"', page.text):
        assert requests.get(address + style, headers=headers("203.0.113.7"), timeout=10).status_code == 200, style
    say("pages, static files and readiness: fine")


def answers_are_stored_without_a_broker(address: str, redis: subprocess.Popen[bytes]) -> None:
    """Take the broker away for a moment: the platform stays ready, with a warning."""
    redis.send_signal(signal.SIGSTOP)
    try:
        ready: Any = requests.get(f"{address}/readyz", timeout=30)
        assert ready.status_code == 200, ready.text
        assert ready.json()["broker"] == "unreachable", ready.text
        assert len(ready.json()["warnings"]) == 1, ready.text
    finally:
        redis.send_signal(signal.SIGCONT)
    say("a broker that does not answer: ready, with a warning")


def limits_are_shared(address: str) -> None:
    """Try withdrawal codes from one sender until both processes refuse; another sender is still let through."""
    url = f"{address}/api/studies/{SLUG}/withdraw/"
    statuses = [
        requests.post(url, json={"withdrawal_code": "GUESS"}, headers=headers("192.0.2.1"), timeout=10).status_code
        for _ in range(130)
    ]
    # At most sixty in a minute; the minute may change meanwhile.
    assert 60 <= statuses.count(404) <= 120, statuses
    assert 429 in statuses, statuses
    other = requests.post(url, json={"withdrawal_code": "GUESS"}, headers=headers("192.0.2.2"), timeout=10)
    assert other.status_code == 404
    say(f"limits: {statuses.count(429)} of 130 refused, another sender let through")


BEGAN = time.monotonic()

if __name__ == "__main__":
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"The rehearsal takes more than {SECONDS} s."))
    signal.alarm(SECONDS)
    # Not below a folder of root's alone: PostgreSQL runs as another account.
    with tempfile.TemporaryDirectory(prefix="lectern-rehearsal-") as place:
        rehearse(Path(place))

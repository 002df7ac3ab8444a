"""What Dockerfile, compose file and settings promise to somebody who follows the documents."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from config.databases import database
from tests.prepared import SET_UP

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
PASSWORDS = ["simple", "p@ss:w/rd", "#?&=%", "50%25", "$HOME", "{a}|\\'\"`", "Grüße 漢字", " spaces "]


def ask(code: str, **environment: str) -> str:
    """Run code with the platform's settings in this environment and return what it printed."""
    finished = subprocess.run(
        [sys.executable, "-c", f"{SET_UP}from django.conf import settings\n{code}"],
        cwd=ROOT,
        env={
            **{name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CELERY_BROKER_URL"}},
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONIOENCODING": "utf-8",
            **environment,
        },
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr.decode()
    return finished.stdout.decode()


@pytest.mark.parametrize("password", PASSWORDS)
def test_a_password_of_any_characters_reaches_the_database(password: str, tmp_path: Path) -> None:
    shown = ask(
        "print(ascii((settings.DATABASES['default']['PASSWORD'], settings.DATABASES['default']['HOST'])))",
        VAR_DIR=str(tmp_path), DATABASE_URL=COMPOSE["x-lectern"]["environment"]["DATABASE_URL"],
        DATABASE_PASSWORD=password,
    )  # fmt: skip
    assert shown.strip() == ascii((password, "postgres"))


@pytest.mark.parametrize("password", [one for one in PASSWORDS if one != "50%25"])
def test_a_password_within_the_address_may_have_any_characters(password: str) -> None:
    found = database(f"postgres://lectern:{password}@host:5432/data")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["NAME"]) == ("lectern", password, "host", "data")


@pytest.mark.parametrize("key", ["$HOME", "$UNSET", "a b"])
def test_keys_are_taken_as_they_stand(key: str, tmp_path: Path) -> None:
    assert ask(
        "print(settings.SECRET_KEY, settings.CODES_KEY)", VAR_DIR=str(tmp_path), SECRET_KEY=key, CODES_KEY=key
    ) == (f"{key} {key}\n")


def test_containers_are_given_longer_to_stop_than_the_server_takes() -> None:
    config = (ROOT / "config" / "gunicorn.py").read_text(encoding="utf-8")
    patience = int(re.search(r"^graceful_timeout = (\d+)", config, re.MULTILINE)[1])  # type: ignore[index]
    for name in ("web", "worker", "postgres"):
        grace = COMPOSE["services"][name]["stop_grace_period"]
        # The embedded worker may take ten seconds more.
        assert int(grace.removesuffix("s")) > patience + 10, name


def test_what_has_to_be_kept_is_asked_for_before_anything_starts() -> None:
    asked = re.findall(r"\$\{(\w+):\?", (ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert set(asked) == {"SECRET_KEY", "CODES_KEY", "ALLOWED_HOSTS", "POSTGRES_PASSWORD"}


def megabytes(written: str) -> int:
    """Return what a compose file says of memory where no variable says something else, such as ${WEB_MEMORY:-1000m}."""
    number = re.fullmatch(r"(?:\$\{\w+:-)?(\d+)m\}?", written)
    assert number, written
    return int(number[1])


def test_what_the_containers_may_take_fits_the_machine_that_the_documents_name(tmp_path: Path) -> None:
    installing = (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
    machine = re.search(r"A machine with (\w+) cores and (\d+) GB is enough", installing)
    assert machine
    cores, memory = {"two": 2, "four": 4}[machine[1]], int(machine[2]) * 1000
    services = {name: one for name, one in COMPOSE["services"].items() if name != "migrate"}
    # Something is left to the system and to the proxy in front.
    assert sum(megabytes(one["mem_limit"]) for one in services.values()) <= memory - 500
    processes = re.fullmatch(r"\$\{WEB_CONCURRENCY:-(\d+)\}", services["web"]["environment"]["WEB_CONCURRENCY"])
    assert processes
    assert int(processes[1]) <= cores
    command = services["worker"]["command"]
    at_once = int(command[command.index("--concurrency") + 1])
    limit = re.fullmatch(
        r"\$\{ANALYSIS_MEMORY_LIMIT:-(\d+)\}", services["worker"]["environment"]["ANALYSIS_MEMORY_LIMIT"]
    )
    assert limit
    assert at_once * int(limit[1]) + 300 <= megabytes(services["worker"]["mem_limit"])
    # Without containers the embedded worker computes one analysis at a time, beside web server and database.
    alone = int(ask("print(settings.ANALYSIS_MEMORY_LIMIT)", VAR_DIR=str(tmp_path)))
    assert alone <= memory / 2 + 100
    documented = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert f"| 1800, {alone} |" in documented


@pytest.mark.parametrize("asked", ["false", "true"])
def test_browsers_remember_https_for_sub_domains_only_where_asked(asked: str, tmp_path: Path) -> None:
    shown = ask(
        "from django.test import Client\n"
        "print(Client().get('/', secure=True).headers['Strict-Transport-Security'])",
        VAR_DIR=str(tmp_path), HTTPS="true", ALLOWED_HOSTS="testserver", SECURE_HSTS_INCLUDE_SUBDOMAINS=asked,
        SECURE_HSTS_PRELOAD=asked,
    )  # fmt: skip
    assert shown.strip() == "max-age=31536000" + ("; includeSubDomains; preload" if asked == "true" else "")


def test_the_check_of_a_deployment_finds_nothing(tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "HTTPS": "true", "VAR_DIR": str(tmp_path),
            "ALLOWED_HOSTS": "lab.example.org",
        },
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr


def test_nobody_but_their_owner_can_read_the_folder_and_the_database(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "var", tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.mkdir(mode=0o755)
    data = elsewhere / "data.sqlite3"
    code = (
        "from django.core.management import call_command\ncall_command('migrate', verbosity=0)\n"
        "from django.contrib.auth.models import User\nUser.objects.create(username='a')\n"
        f"import pathlib\nfor path in pathlib.Path({str(elsewhere)!r}).iterdir():\n"
        "    print(path.name, oct(path.stat().st_mode))"
    )
    shown = ask(code, VAR_DIR=str(folder), DATABASE_URL=f"sqlite:///{data}").splitlines()
    assert len(shown) == 3, "the log was not there"
    assert {line.split()[1] for line in shown} == {"0o100600"}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()} == {
        (False, 0o600),
        (True, 0o700),
    }


def test_the_image_builds_the_browser_code_with_every_file_that_it_reaches() -> None:
    stage = (ROOT / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")[1]
    given = [ROOT / source for line in re.findall(r"^COPY (.+)$", stage, re.MULTILINE) for source in line.split()[:-1]]
    reached = {
        (file.parent / named).resolve()
        for file in (ROOT / "frontend" / "src").rglob("*.*s")
        if not file.name.endswith(".spec.ts")
        for named in re.findall(r"""(?:import|from)\s+["'](\.\./[^"']+)["']""", file.read_text(encoding="utf-8"))
    }
    outside = {path for path in reached if ROOT / "frontend" not in path.parents}
    assert outside
    assert {path for path in outside if not any(path == one or one in path.parents for one in given)} == set()

"""Write a small database of the present version as SQL: `python -m tests.upgrade.write_database FILE.sql`.

It is run when a version is released, and its file is kept: `version_0_1.sql` is the version before, from which the
upgrade is rehearsed. It holds what an upgrade meets in a laboratory: sessions that are half done, complete, excluded
and withdrawn, recruitment ids, a report, members, an account, and a draft.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from pathlib import Path

RECRUITED = "prolific-person-1"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            VAR_DIR=folder,
            DATABASE_URL=f"sqlite:///{folder}/before.sqlite3",
            SECRET_KEY="the-secret-key-of-a-laboratory",
        )
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("migrate", verbosity=0)
        fill()
        from django.db import connections

        connections.close_all()
        with sqlite3.connect(Path(folder) / "before.sqlite3") as database:
            Path(sys.argv[1]).write_text("\n".join(database.iterdump()) + "\n", encoding="utf-8")


def fill() -> None:
    """Let people take part in a study of the version that is installed."""
    from django.contrib.auth.models import User

    from analysis.models import AnalysisRun
    from experiments.models import Membership, Study
    from participants.erasure.withdrawal import withdraw
    from participants.models import Participant, Session
    from participants.watching.exclusion import exclude
    from tests.participants.studies import Browser, open_study

    owner = User.objects.create_superuser("owner", "owner@example.org", "a-password-of-the-version-before")
    viewer = User.objects.create_user("viewer", "viewer@example.org", "another-password", is_staff=True)
    study = open_study("acceptability", owner=owner, retention_until="2031-12-31")
    Membership.objects.create(study=study, user=viewer, role="viewer")
    half = Browser(study, seed=1, recruitment={"PROLIFIC_PID": RECRUITED})
    half.start()
    half.open()
    half.send(
        *[half.result(position) for position in range(3)],
        {"kind": "events", "sequence": 2, "batch": 0, "events": [{"x": 1}]},
    )
    half.send(half.result(1, number=99))  # contradicts what is stored
    half.post("session/errors/", {"message": "TypeError", "detail": "somewhere"})
    for seed in (2, 3, 4):
        Browser(study, seed=seed).answer_all()
    sessions = list(Session.objects.filter(status="complete").order_by("pk"))
    exclude(sessions[0], reason="Too fast", user=owner)
    withdraw(sessions[1].participant, by_participant=True)
    started = Browser(study, seed=5)
    started.start()
    AnalysisRun.objects.create(study=study, method="normalise", params={}, status="done", report="{}", created_by=owner)
    Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug="a-draft", title="A draft", paradigm="rating", owner=owner
    )
    assert Participant.objects.count() == 4


if __name__ == "__main__":
    main()

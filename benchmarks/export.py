"""Measure speed (rows per second) and memory of writing `trials.csv`.

    python -m benchmarks.export [--participants 1000]

A magnitude estimation study of 144 items is filled with participants in a SQLite database in a temporary folder (eight
are made, the others are copies of them) and exported three times, in a process that does nothing else; the best
processor time counts. Memory is the peak of that process after a tenth of the participants and after all of them: it
does not grow with the rows. Writes benchmarks/results/export.json.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ITEMS, MADE = 144, 8
sys.path.insert(0, str(ROOT))


def set_up(folder: str) -> None:
    """Start Django on a database in `folder`."""
    os.environ.update(VAR_DIR=folder, LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="config.settings")
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()


def fill(folder: str, participants: int) -> None:
    """Make the study and its participants."""
    set_up(folder)
    from django.core.management import call_command

    from participants.models import Participant, Response, Session, Trial
    from tests.analysis.studies import add_participants, make_study

    call_command("migrate", verbosity=0)
    study = make_study("export", n_items=ITEMS, n_fillers=0)
    made = min(MADE, participants)
    for session in add_participants(study, made):
        trials = list(Trial.objects.filter(session=session).order_by("position"))
        responses = {response.trial_id: response for response in Response.objects.filter(trial__session=session)}
        for copy in range(1, participants // made):
            name = f"{session.pk}-{copy}"
            person = Participant.objects.create(  # type: ignore[misc]  # the code is a property, which seals it
                study=study, pseudonym=f"P{name}", withdrawal_code=f"W{name}"
            )
            session.pk, session.participant, session.token, session.start_key = None, person, f"t{name}", f"s{name}"
            session.save()
            of_response = [responses[trial.pk] for trial in trials]
            copies = [Trial(**{**values(trial), "session_id": session.pk}) for trial in trials]
            Trial.objects.bulk_create(copies)
            Response.objects.bulk_create(
                Response(**{**values(response), "trial_id": trial.pk})
                for trial, response in zip(copies, of_response, strict=True)
            )
    assert Session.objects.filter(study=study).count() == participants // made * made


def values(row: Any) -> dict[str, Any]:
    """Return the columns of a row but its key."""
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key}


def measure(folder: str) -> None:
    """Export three times and print rows, seconds and megabytes as JSON."""
    set_up(folder)
    from analysis.exports import stream
    from experiments.models import Study

    study = Study.objects.get()
    gc.freeze()  # as the server and the command do
    times = []
    for _ in range(3):
        begun, rows = time.process_time(), -1
        for piece in stream(study, "trials.csv"):
            rows += piece.count(b"\r\n")
        times.append(time.process_time() - begun)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"rows": rows, "seconds": round(min(times), 3), "megabytes": round(megabytes)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--participants", type=int, default=1000)
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    parser.add_argument("--fill", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--measure", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fill:
        return fill(options.fill, options.participants)
    if options.measure:
        return measure(options.measure)
    found = []
    for participants in (options.participants // 10, options.participants):
        with tempfile.TemporaryDirectory(prefix="lectern-export-") as folder:
            own = [sys.executable, "-m", "benchmarks.export"]
            subprocess.run([*own, "--fill", folder, "--participants", str(participants)], check=True, cwd=ROOT)
            ran = subprocess.run([*own, "--measure", folder], check=True, cwd=ROOT, capture_output=True, text=True)
            row = json.loads(ran.stdout.strip().splitlines()[-1])
            found.append({"participants": participants, **row, "rows_per_second": round(row["rows"] / row["seconds"])})
            print(found[-1], flush=True)
    outcome = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "exports": found,
    }
    options.results.mkdir(parents=True, exist_ok=True)
    target = options.results / "export.json"
    target.write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    return None


if __name__ == "__main__":
    main()

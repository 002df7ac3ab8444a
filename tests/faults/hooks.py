"""Workers that send hooks are killed again and again, and the receiver fails half of the time.

    python -m tests.faults.hooks [--events 2000] [--kills 40] [--seed 1]

A study on a database of its own is paused and resumed. Two workers store and send what happens, and one of them is
killed with SIGKILL at random moments and started again; the receiver is the one of docs/hooks.md behind a network that
loses requests, and answers after the commit. Exit code 1 where an event is missing, there twice, different or out of
order. `make drill` runs the long form.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

WORKERS = 2
LONGEST = 3600.0


def work() -> None:
    """Be a worker, with waits and leases of a drill."""
    from participants.hooks import sending
    from participants.hooks.storing import store_some

    sending.LEASE = timedelta(seconds=1.5)
    sending.wait_after = lambda attempts: timedelta(0)
    while True:
        store_some()
        sending.send_some()
        time.sleep(0.02)


def start_worker(seed: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.faults.hooks", "--worker", "--seed", str(seed)])


def drill(folder: Path, *, events: int, kills: int, seed: int) -> int:
    """Run the drill and return how many faults there are."""
    from django.core.management import call_command

    from experiments.models import AuditEntry, Study
    from participants.hooks import managing
    from participants.models import Hook, HookEvent
    from tests.participants.hooks.receivers import failing_half_of_the_time, receiving, stored

    call_command("migrate", verbosity=0)
    study = Study.objects.create(slug="drill", title="Drill", status="open")
    kinds = ["study.paused", "study.resumed"]
    hook = managing.add_hook(study, address="http://127.0.0.1:8209/", kinds=kinds, user=None)
    rng = random.Random(seed)
    killed = 0
    with receiving(failing_half_of_the_time(hook.secret, folder / "events", seed=seed)) as received:
        Hook.objects.update(address=received.address)
        workers = [start_worker(seed) for _worker in range(WORKERS)]
        try:
            end = time.monotonic() + LONGEST
            made = 0
            while made < events or HookEvent.objects.filter(state="waiting").exists() or not _all_stored(events):
                if time.monotonic() > end:
                    break
                for _event in range(min(10, events - made)):
                    action = "paused" if made % 2 == 0 else "resumed"
                    AuditEntry.objects.create(study=study, study_slug=study.slug, action=action)
                    made += 1
                time.sleep(rng.uniform(0.05, 0.5))
                if killed < kills:
                    number = rng.randrange(WORKERS)
                    workers[number].kill()
                    workers[number].wait()
                    workers[number] = start_worker(seed)
                    killed += 1
                    # Time to start, so that it is sending when it is killed.
                    time.sleep(rng.uniform(0.5, 4))
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
    got = stored(folder / "events")
    wanted = [(str(event.delivery), event.kind, event.body) for event in HookEvent.objects.order_by("pk")]
    attempts = sum(HookEvent.objects.values_list("attempts", flat=True))
    sent = HookEvent.objects.filter(state="sent").count()
    said = f"{events} events, {killed} kills, {attempts} noted attempts; {sent} delivered, {len(got)} in the table."
    faults = (len(wanted) != events) + (got != wanted) + (sent != events)
    verdict = "Events are missing, twice or out of order." if faults else "Each event is there once, in order."
    sys.stdout.write(f"{said}\n{verdict}\n")
    return faults


def _all_stored(events: int) -> bool:
    from participants.models import HookEvent

    return HookEvent.objects.count() >= events


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if not given.worker:
            os.environ |= {"VAR_DIR": folder, "HOOKS_MAY_REACH_PRIVATE_ADDRESSES": "true", "LOG_LEVEL": "error"}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        if given.worker:
            work()
        return min(drill(Path(folder), events=given.events, kills=given.kills, seed=given.seed), 1)


if __name__ == "__main__":
    sys.exit(main())

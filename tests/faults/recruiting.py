"""Workers that pay people are killed again and again, and the provider loses requests and answers.

    python -m tests.faults.recruiting [--people 60] [--kills 40] [--seed 1]

Two workers look after one account on a database of its own. One of them is killed with SIGKILL at random moments and
started again; the provider answers over HTTP as its documents say, and fails a third of the time, before or after it
did what was asked. The owner confirms again what was read back as not done. Exit code 1 where somebody was paid twice,
or not at all. `make drill` runs the long form.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path

WORKERS = 2
LONGEST = 1800.0
# What takes an hour and minutes takes seconds here; the provider pays within one.
SETTLING, LATEST, LEASE = timedelta(seconds=4), timedelta(seconds=1), timedelta(seconds=2)


def work() -> None:
    """Be a worker, with waits and leases of a drill."""
    from participants.hooks import reaching
    from participants.recruiting import carrying_out, ledger, storing, working

    ledger.SETTLING, storing.LEASE, reaching.SECONDS = SETTLING, LEASE, 1.0
    carrying_out.PATIENCE = timedelta(seconds=1)  # type: ignore[attr-defined]
    working.PAUSE = timedelta(0)
    while True:
        working.work_some()
        time.sleep(0.05)


def start_worker() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.faults.recruiting", "--worker"])


def drill(*, people: int, kills: int, seed: int, world: object) -> int:
    """Run the drill and return how many faults there are."""
    from django.core.management import call_command

    from experiments.models import Study
    from experiments.study.refusals import LifecycleRefusal
    from participants.models import Payment, RecruitmentAccount
    from participants.recruiting import managing
    from participants.recruiting.ledger import Kind, Seen
    from participants.recruiting.proposing import confirm, people_of, propose, propose_again
    from participants.recruiting.reading import keep_seen
    from participants.watching.paid_once import paid_once
    from tests.participants.recruiting.prolific_world import STUDY, TOKEN, World

    assert isinstance(world, World)
    call_command("migrate", verbosity=0)
    study = Study.objects.create(slug="drill", title="Drill", status="open")
    account = managing.connect(study, "prolific", TOKEN, None)
    RecruitmentAccount.objects.update(provider_study=STUDY, wish={}, wished_at=None)
    keep_seen(account, [Seen(one.id, one.person, one.status) for one in world.submissions.values()])
    for kind, purpose, amount in ((Kind.APPROVE, "", 0), (Kind.BONUS, "one", 50), (Kind.BONUS, "two", 50)):
        for _press in range(2):
            try:
                total = propose(account, kind, people_of(account), amounts=amount, purpose=purpose, user=None)
            except LifecycleRefusal:
                continue
            confirm(total, f"{total.total / 100:.2f}", None)
    rng, killed, again = random.Random(seed), 0, 0
    workers = [start_worker() for _worker in range(WORKERS)]
    try:
        end = time.monotonic() + LONGEST
        while Payment.objects.exclude(state="confirmed").exists() and time.monotonic() < end:
            time.sleep(rng.uniform(0.2, 1.5))
            if killed < kills:
                number = rng.randrange(WORKERS)
                workers[number].kill()
                workers[number].wait()
                workers[number] = start_worker()
                killed += 1
                time.sleep(rng.uniform(1, 4))
            try:
                total = propose_again(account, None)
            except LifecycleRefusal:
                continue
            confirm(total, f"{total.total / 100:.2f}", None)
            again += 1
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    faults = [
        f"{one.id}: approved {one.reward_paid} times" for one in world.submissions.values() if one.reward_paid != 1
    ]
    faults += [
        f"{one.id}: bonuses {[amount for _at, amount in one.bonuses]}"
        for one in world.submissions.values()
        if [amount for _at, amount in one.bonuses] != [50, 50]
    ]
    faults += paid_once(study)
    faults += [f"row {row.pk} is {row.state}: {row.said}" for row in Payment.objects.exclude(state="confirmed")]
    took = len(world.requests)
    sys.stdout.write(f"{people} people, {killed} kills, {took} requests, {again} times confirmed again by the owner.\n")
    sys.stdout.write("".join(f"{fault}\n" for fault in faults[:20]) or "Everybody was paid once.\n")
    return len(faults)


def serving_with_faults(world: object, rng: random.Random) -> ThreadingHTTPServer:
    """Return a server that answers as the world does, and loses a third of the requests or answers."""
    import json
    from http.server import BaseHTTPRequestHandler
    from urllib.parse import parse_qs, urlsplit

    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_given: object) -> None:
            return

        def answer(self) -> None:
            how = rng.choice(["well"] * 10 + ["lost", "error", "busy", "answer lost", "error afterwards"])
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.close_connection = True
            if how == "lost":
                return
            if how in ("error", "busy"):
                self.send_response(503 if how == "error" else 429)
                self.end_headers()
                return
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query).items()}
            given = json.loads(content) if content else None
            with lock:
                world.now = datetime.now(UTC)  # type: ignore[attr-defined]
                path = address.path.removeprefix("/api/v1")
                token = self.headers.get("Authorization", "")
                status, said = world.answer(self.command, path, query, given, token)  # type: ignore[attr-defined]
            if how == "answer lost":
                return
            self.send_response(500 if how == "error afterwards" else status)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - the names are given

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if given.worker:
        import django

        django.setup()
        work()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"VAR_DIR": str(Path(folder)), "HOOKS_MAY_REACH_PRIVATE_ADDRESSES": "true", "LOG_LEVEL": "error"}
        import django

        django.setup()
        from tests.participants.recruiting import prolific_world

        prolific_world.LATEST = LATEST
        rng = random.Random(given.seed)
        world = prolific_world.World(rng, people=given.people)
        server = serving_with_faults(world, rng)
        os.environ["PROLIFIC_ADDRESS"] = f"http://127.0.0.1:{server.server_address[1]}/api/v1/"
        try:
            return min(drill(people=given.people, kills=given.kills, seed=given.seed, world=world), 1)
        finally:
            server.shutdown()
            server.server_close()


if __name__ == "__main__":
    sys.exit(main())

"""`manage.py simulate SLUG --participants N --seed S`: run simulated participants through the real HTTP API."""

from __future__ import annotations

import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from experiments.management.arguments import whole_number
from experiments.management.studies import study_named
from participants.session.assignment import list_counts
from participants.session.starting import why_closed
from participants.simulation import SimulationFailure, simulate


class Command(BaseCommand):
    help = "Let virtual participants take part in an open study over HTTP. Their sessions are marked as simulated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study; it must be open")
        parser.add_argument("--participants", type=whole_number(1, 100_000), required=True, help="how many take part")
        parser.add_argument("--seed", type=int, required=True, help="the same seed gives the same answers")
        parser.add_argument("--dropout", type=share, default=0.0, help="share who stop at a random trial, 0 to 1")
        parser.add_argument(
            "--base-url", default="", help="a running platform on the same database; served meanwhile if left out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        refusal = why_closed(study)
        if refusal is not None:
            raise CommandError(f"Nobody can take part in '{study.slug}' ({refusal.code}). Open the study first.")
        self.talkative = options["verbosity"] > 0
        begun = time.monotonic()
        try:
            summary = simulate(
                study,
                participants=options["participants"],
                seed=options["seed"],
                dropout=options["dropout"],
                base_url=options["base_url"],
                progress=self.progress,
            )
        except SimulationFailure as failure:
            raise CommandError(str(failure)) from failure
        if not self.talkative:
            return
        sent_away = f"{summary.sent_away} sent away, " if summary.sent_away else ""
        self.stdout.write(
            f"{summary.finished} finished, {summary.dropped_out} dropped out, {sent_away}{summary.results} results in "
            f"{summary.requests} requests, {time.monotonic() - begun:.1f} s."
        )
        for task in study.tasks:
            counts = list_counts(study.seen_through(task.name), simulated=True, now=timezone.now())
            of_task = f" of {task.name}" if study.has_several_tasks else ""
            self.stdout.write(
                f"Simulated sessions per list{of_task}: {', '.join(str(count) for count in counts.values())}."
            )

    def progress(self, done: int, total: int) -> None:
        """Say every tenth how far it is."""
        if self.talkative and (done == total or done * 10 // total > (done - 1) * 10 // total):
            self.stdout.write(f"  {done} of {total}")
            self.stdout.flush()


def share(text: str) -> float:
    """Return a share from 0 to 1."""
    try:
        value = float(text)
    except ValueError as error:
        raise ArgumentTypeError("must be a number from 0 to 1") from error
    if not 0 <= value <= 1:
        raise ArgumentTypeError("must be a number from 0 to 1")
    return value

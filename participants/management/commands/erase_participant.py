"""`manage.py erase_participant SLUG CODE`: withdraw on behalf of a participant."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.management.studies import study_named
from participants.erasure.withdrawal import loss_of, participant_by_code_or_pseudonym, withdraw
from participants.refusals import Refusal


class Command(BaseCommand):
    help = "Erase every trace of one participant, named by withdrawal code or pseudonym, and leave a tombstone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("code", help="withdrawal code, or pseudonym")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        try:
            participant = participant_by_code_or_pseudonym(study, options["code"])
        except Refusal as refusal:
            raise CommandError(str(refusal.message)) from refusal
        loss = loss_of(participant)
        withdraw(participant, by_participant=False)
        responses = "1 response" if loss.responses == 1 else f"{loss.responses} responses"
        self.stdout.write(f"Erased one participant of '{study.slug}' with {responses}. A tombstone is left.")

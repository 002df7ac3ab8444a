"""`manage.py recruitment_ledger SLUG`: the ledger of payments of a study, checked. Exit code 1 if it is not sound."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from experiments.management.studies import study_named
from participants.models import Payment
from participants.recruiting.ledger import State, totals, violations
from participants.recruiting.proposing import in_words
from participants.recruiting.storing import row_of
from participants.watching.paid_once import paid_once


class Command(BaseCommand):
    help = "Print the ledger of payments of a study, without ids, and check that nobody is paid twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        stored = list(Payment.objects.filter(study=study).select_related("total", "account").order_by("pk"))
        for one in stored:
            amount = in_words(one.amount, one.total.currency)
            sent = f"{one.sent_at:%Y-%m-%d %H:%M}" if one.sent_at else "-"
            confirmed = "confirmed total" if one.total.confirmed_at else "open total"
            columns = (
                one.pk,
                one.account.provider,
                one.kind,
                one.purpose,
                amount,
                one.state,
                sent,
                confirmed,
                one.said,
            )
            self.stdout.write("\t".join(map(str, columns)).rstrip())
        # By the hash of the submission: its id may have been erased.
        rows = [(row_of(one, one.submission_hash), one.total.confirmed_at is not None) for one in stored]
        sums = totals([row for row, _is_confirmed in rows])
        self.stdout.write(", ".join(f"{state.value} {in_words(sums[state])}" for state in State))
        again = [row for row, is_confirmed in rows if row.state is State.PREPARED and not is_confirmed]
        faults = [*violations(rows), *paid_once(study)]
        self.stdout.write(f"{len(rows)} rows, {len(again)} of them wait for the owner.")
        self.stdout.write(f"{'FAIL' if faults else 'ok  '} nobody is paid twice")
        for fault in faults:
            self.stdout.write(f"       {fault}")
        if faults:
            sys.exit(1)

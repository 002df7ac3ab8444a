"""`manage.py invite`: create a link for a new account, on platforms that are not started by `manage.py run`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand

from config.accounts import invitations, roles
from config.accounts.models import Invitation


class Command(BaseCommand):
    help = "Print a link with which somebody makes an account. The first one looks after the platform."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--base-url", type=address, default="http://localhost:8000", help="the address of the platform"
        )
        parser.add_argument("--role", choices=Invitation.Role.values, default=roles.RESEARCHER)
        parser.add_argument("--email", default="", help="to remember whom the link is for; no mail is sent")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path, lasts = invitations.first_link(), f"{invitations.FIRST_HOURS} hours"
        except invitations.UsedUp:
            path = invitations.invite(by=None, role=options["role"], email=options["email"])
            lasts = f"{invitations.DAYS} days"
        self.stdout.write(f"{options['base_url'].rstrip('/')}{path}")
        self.stderr.write(f"The link works once and for {lasts}.")


def address(text: str) -> str:
    """Return the address of a platform."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ArgumentTypeError("must be an address such as https://lectern.example.org")
    return text

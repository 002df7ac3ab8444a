"""`manage.py run`: run the platform without demo data, from a folder that may still be empty."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from analysis.management.commands.demo import SERVER, refuse_a_taken_port
from config.accounts.invitations import FIRST_HOURS, UsedUp, first_link
from experiments.management.arguments import port


class Command(BaseCommand):
    help = "Bring the database up to date and serve the platform; the first start prints a link to make an account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=port, default=os.environ.get("PORT", "8000"))
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"), help="the address to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        address = f"http://{options['host']}:{options['port']}"
        refuse_a_taken_port(address)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        self.announce(address)
        environment = {**os.environ, "HOST": options["host"], "PORT": str(options["port"])}
        if sys.platform == "win32":
            server = subprocess.Popen(SERVER, cwd=settings.BASE_DIR, env=environment)  # noqa: S603 - our own command
            try:
                sys.exit(server.wait())
            except KeyboardInterrupt:  # it was told as well
                server.wait()
        else:
            # Replace this process, which has imported more than a master process needs.
            os.chdir(settings.BASE_DIR)
            os.execve(sys.executable, SERVER, environment)  # noqa: S606 - our own command

    def announce(self, address: str) -> None:
        """Print the platform's URL and, as long as there is no administrator, the link for the first account."""
        lines = [f"  Researchers  {address}/admin/", f"  Data         {settings.VAR_DIR}"]
        try:
            link = first_link()
        except UsedUp:
            pass
        else:
            lines = [
                "  Make your account here; you are the first, so it looks after the platform:",
                "",
                f"  {address}{link}",
                "",
                f"  The link works once and for {FIRST_HOURS} hours; the next start prints another.",
                "",
                *lines,
            ]
        self.stdout.write("\n".join(["", *lines, "  Stop with Ctrl+C.", ""]))
        self.stdout.flush()

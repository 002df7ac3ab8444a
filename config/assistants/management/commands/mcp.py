"""`manage.py mcp`: the API for assistants by the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import contextlib
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.assistants.platform import NotDone, Platform
from config.assistants.server import Server

TOKEN, ADDRESS = "LECTERN_TOKEN", "LECTERN_URL"
MOST_OF_A_TOKEN = 200


class Command(BaseCommand):
    help = "Let an assistant read and draft studies: the Model Context Protocol over standard input and output."
    # Documents can be read without a database, and whoever has the token has what it allows elsewhere.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--base-url",
            default=os.environ.get(ADDRESS, "http://127.0.0.1:8000"),
            help=f"the address of a running platform; otherwise the variable {ADDRESS}, or this machine",
        )
        parser.add_argument(
            "--token-file", type=Path, help=f"a file with a personal token; otherwise the variable {TOKEN}"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        token = os.environ.get(TOKEN, "")
        if options["token_file"] is not None:
            token = read_token(options["token_file"])
        token = token.strip()
        if len(token) > MOST_OF_A_TOKEN or not token.isascii() or any(character.isspace() for character in token):
            raise CommandError("This is not a token. People make tokens under /admin/account/tokens/.")
        try:
            platform = Platform(options["base_url"], token)
        except NotDone as refused:
            raise CommandError(refused.text) from refused
        source, target = sys.stdin.buffer, sys.stdout.buffer
        # Nothing but messages goes to standard output: what else is printed would break the protocol.
        with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(BrokenPipeError):
            Server(platform, settings.CODE_VERSION).run(source, target)


def read_token(path: Path) -> str:
    """Return the token in a file. Raises CommandError where it cannot be read."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(MOST_OF_A_TOKEN + 2)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"The file with the token cannot be read: {path}. Check its name and its rights.") from error

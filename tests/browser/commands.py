"""Management commands for a platform of the tests, without a start of Python and Django for each of them.

One process loads the platform and what commands load as they run: methods, SciPy, lists of words. Every command runs in
a child that is forked from it, as `manage.py` would run it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from experiments.loading import loading

ROOT = Path(__file__).resolve().parents[2]


class Commands:
    """The process that runs commands in `environment`. It ends with this one, which closes its input."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__], cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def run(self, arguments: tuple[str, ...], environment: Mapping[str, str]) -> str:
        """Run a command, with further variables, and return what it printed; fails where it failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([arguments, environment]) + "\n")
        self.process.stdin.flush()
        code, output, errors = json.loads(self.process.stdout.readline())
        assert code == 0, f"{arguments}: {output}\n{errors}"
        return str(output)


def serve() -> None:
    """Run the commands that come in a line each, one after the other, and tell what came of them in a line each."""
    with loading():
        import django

        django.setup()
        from django.core.management import execute_from_command_line
        from django.db import connections

        import analysis.runs.child  # noqa: F401 - loads what every analysis needs
        import config.urls  # noqa: F401
        from analysis.text.frequency import zipf_of

        zipf_of(["word"])
    for line in sys.stdin:
        arguments, environment = json.loads(line)
        connections.close_all()
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            child = os.fork()
            if child == 0:
                os.environ.update(environment)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                execute_from_command_line(["manage.py", *arguments])
                return
            _, status = os.waitpid(child, 0)
            output.seek(0)
            errors.seek(0)
            told = [os.waitstatus_to_exitcode(status), output.read().decode(), errors.read().decode()]
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()

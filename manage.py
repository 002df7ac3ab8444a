#!/usr/bin/env python
"""Run administrative commands of the platform."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # NumPy and SciPy each bring threads of their own for matrices; taking turns costs more than it saves.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from experiments.loading import loading

    with loading():
        import django
        from django.core.management import execute_from_command_line

        django.setup()
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

"""Write what the clients know of the operations: `python -m config.packaging.clients`; with --check only compare."""

from __future__ import annotations

import os
import sys

import django

from .written import lacking, write


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if "--check" not in sys.argv[1:]:
        write()
    elif different := lacking():
        raise SystemExit(f"{', '.join(different)}: not as declared. Write them: python -m config.packaging.clients")


if __name__ == "__main__":
    main()

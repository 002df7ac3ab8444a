"""Turn faults of files into command errors."""

from __future__ import annotations

import sys
from typing import NoReturn

from django.core.management.base import OutputWrapper

BAD_INPUT = 2


def refuse(stderr: OutputWrapper, *sentences: str) -> NoReturn:
    """Say on one line each what is wrong, and end the process with 2."""
    for sentence in sentences:
        stderr.write(sentence, style_func=str)
    sys.exit(BAD_INPUT)

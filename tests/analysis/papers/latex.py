"""Whether LaTeX with the packages that papers use is installed."""

from __future__ import annotations

import shutil
import subprocess

import pytest

PACKAGES = ("booktabs.sty", "natbib.sty", "graphicx.sty")


def _is_installed() -> bool:
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    found = subprocess.run(["kpsewhich", *PACKAGES], capture_output=True, text=True, check=False).stdout.split()
    return len(found) == len(PACKAGES)


without_latex = pytest.mark.skipif(not _is_installed(), reason="LaTeX, or a package of it, is not installed")

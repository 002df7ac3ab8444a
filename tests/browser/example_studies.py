"""The example studies under an address of their own, with some of their settings changed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.browser.platform import ROOT

EXAMPLES = ROOT / "experiments" / "examples"


def write_example(folder: Path, *, slug: str, name: str, changes: Mapping[str, str] | None = None) -> Path:
    """Copy an example into `folder`, replace values by the names of their keys, and return the study file."""
    shutil.copytree(EXAMPLES / name, folder, dirs_exist_ok=True)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    for key, value in {"slug": f'"{slug}"', **(changes or {})}.items():
        text, n_changed = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
        assert n_changed == 1, f"{name} has {n_changed} values '{key}'"
    path.write_text(text, encoding="utf-8")
    return path

"""The texts of `../shared/data/turkcorpus`, where they are beside this checkout, and the oracles made from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared"
TEXTS = SHARED / "data" / "turkcorpus"
needs_shared_texts = pytest.mark.skipif(not TEXTS.exists(), reason="the shared data are not beside this checkout")

SYSTEMS = ("ACCESS", "Dress", "Dress-Ls", "EncDecA", "Hybrid", "PBMT-R", "SBMT-SARI")
FILES = {
    "Original": "orig.tok",
    **{f"Ref{number}": f"ref.{number}.tok" for number in range(8)},
    **{system: f"sys.{system}.tok.low" for system in SYSTEMS},
}


def oracle(name: str) -> dict[str, Any]:
    return dict(json.loads((SHARED / "oracles" / name).read_text(encoding="utf-8")))


def texts(file: str) -> list[str]:
    return (TEXTS / file).read_text(encoding="utf-8").removesuffix("\n").split("\n")

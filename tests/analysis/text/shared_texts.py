"""The texts of `../shared/data/turkcorpus`, where they are beside this checkout, and the oracles made from them."""

from __future__ import annotations

import json
from typing import Any

from tests import needs

TEXTS = needs.SHARED / "data" / "turkcorpus"
needs_shared_texts = needs.shared("data/turkcorpus")

SYSTEMS = ("ACCESS", "Dress", "Dress-Ls", "EncDecA", "Hybrid", "PBMT-R", "SBMT-SARI")
FILES = {
    "Original": "orig.tok",
    **{f"Ref{number}": f"ref.{number}.tok" for number in range(8)},
    **{system: f"sys.{system}.tok.low" for system in SYSTEMS},
}


def oracle(name: str) -> dict[str, Any]:
    return dict(json.loads((needs.SHARED / "oracles" / name).read_text(encoding="utf-8")))


def texts(file: str) -> list[str]:
    return (TEXTS / file).read_text(encoding="utf-8").removesuffix("\n").split("\n")

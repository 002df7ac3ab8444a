"""What is known of the draft in an archive in which the data of a study are deposited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.models import Deposit
from experiments.models import Study

# What archives call these licences, what people call them, and where they are.
LICENCES: Mapping[str, tuple[str, str]] = {
    "cc-by-4.0": ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "cc0-1.0": ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "cc-by-sa-4.0": ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "cc-by-nc-4.0": ("CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
}


@dataclass(frozen=True)
class Deposited:
    """Where the data of a study are: the DOI that is reserved (empty where none is), the address of the draft, the
    name of the archive, the address of the licence, and the creators as they were named.
    """

    doi: str
    address: str
    archive: str
    licence: str
    creators: Sequence[Mapping[str, Any]]


def deposited(study: Study) -> Deposited | None:
    """Return the newest deposit of a study that has a draft; None where there is none."""
    drafts = Deposit.objects.filter(study=study.pk).exclude(draft="").order_by("-pk")
    for one in drafts.only("doi", "address", "archive", "metadata")[:1]:
        given = one.metadata
        licence = LICENCES.get(given.get("licence", ""), ("", ""))[1]
        return Deposited(one.doi, one.address, str(one.get_archive_display()), licence, given.get("creators", []))
    return None

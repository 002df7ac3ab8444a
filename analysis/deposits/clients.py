"""Find the client of the archive that a deposit is for."""

from __future__ import annotations

from django.conf import settings

from analysis.deposits.archive import Archive, Refused, Rules, host_of
from analysis.deposits.dataverse import Dataverse
from analysis.deposits.osf import Osf
from analysis.deposits.zenodo import Zenodo
from analysis.models import Deposit
from experiments.sentences import Sentence

KINDS: dict[str, type[Archive]] = {
    Deposit.Archive.ZENODO: Zenodo,
    Deposit.Archive.SANDBOX: Zenodo,
    Deposit.Archive.OSF: Osf,
    Deposit.Archive.DATAVERSE: Dataverse,
}


def rules_of(archive: str) -> Rules:
    """Return what an archive takes."""
    return KINDS[archive].rules


def client_of(deposit: Deposit) -> Archive:
    """Return the archive of a deposit, asked with its token. Raises Refused where there is none, or no such host."""
    token = deposit.token
    if not token:
        raise Refused(Sentence("The token of the archive is not stored any more. Enter it again."))
    if deposit.archive == Deposit.Archive.DATAVERSE:
        check_host(deposit.host)
        return Dataverse(deposit.host, token, collection=deposit.collection)
    known = settings.DEPOSIT_ADDRESSES[deposit.archive]
    if deposit.archive == Deposit.Archive.OSF:
        return Osf(known["base"], token, files=known["files"], pages=known["pages"])
    return Zenodo(known["base"], token)


def check_host(address: str) -> None:
    """Raise Refused where studies may not go to the Dataverse with this address."""
    allowed = settings.DEPOSIT_DATAVERSES
    if allowed and host_of(address) not in allowed:
        raise Refused(
            Sentence("Studies go to these Dataverses from here: {hosts}. Choose one of them.", hosts=", ".join(allowed))
        )

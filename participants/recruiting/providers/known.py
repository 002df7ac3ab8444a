"""The client of an account's provider."""

from __future__ import annotations

from django.conf import settings

from participants.models import RecruitmentAccount
from participants.recruiting.providers.base import Provider
from participants.recruiting.providers.prolific import Prolific
from participants.recruiting.providers.sona import Sona


def provider_of(account: RecruitmentAccount) -> Provider:
    """Return the client that speaks to the provider with the account's token."""
    if account.provider == RecruitmentAccount.Provider.SONA:
        return Sona(account.token)
    return Prolific(account.token, settings.PROLIFIC_ADDRESS)

"""Adapters for django-allauth: who may have an account, and what happens at login."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings
from django.http import HttpRequest

from config.accounts.staying import note_university
from experiments.study.audit import record_of_account
from participants.limits.addresses import client_address

PASSWORDS = "django.contrib.auth.backends.ModelBackend"
# Suppresses allauth's messages about every login and logout.
SILENT = {"account/messages/logged_in.txt", "account/messages/logged_out.txt"}


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are created by invitation only; a login is recorded once all of its steps are done."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def login(self, request: HttpRequest, user: Any) -> None:
        # University logins have no backend of their own, so the password backend is recorded.
        user.backend = getattr(user, "backend", PASSWORDS)
        ways = [step["method"] for step in get_authentication_records(request, user)]
        super().login(request, user)
        if "socialaccount" in ways:
            note_university(request)
        record_of_account(user, action="logged in", user=user, detail=", ".join(dict.fromkeys(ways)))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that all limits of the platform go by; for IPv6 the network."""
        return client_address(request) or "0.0.0.0"  # noqa: S104 - behind a socket without a proxy there is none

    def add_message(
        self, request: HttpRequest, level: Any, message_template: Any = None, *rest: Any, **more: Any
    ) -> None:
        if message_template not in SILENT:
            super().add_message(request, level, message_template, *rest, **more)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypt the secrets of second factors with a key derived from SECRET_KEY."""

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret. Raises InvalidToken if it was encrypted with another SECRET_KEY."""
        return _fernet().decrypt(encrypted_text.encode()).decode()


def _fernet() -> Fernet:
    key = hashlib.sha256(b"lectern.second-factor" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))

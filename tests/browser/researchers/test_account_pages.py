"""Accounts in a real browser: a second factor is set up and asked for, a security key works under the pages' policy."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.accounts.conftest import code_of
from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.platform import Platform
from tests.selection import only_in_full

PASSWORD = "a-long-password-of-tests"
TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
FACTOR = "/admin/account/second-factor"


@pytest.fixture
def base(platform: Platform) -> str:
    # Security keys belong to a name and not to a number.
    return platform.base_url.replace("127.0.0.1", "localhost")


def account(platform: Platform, name: str) -> None:
    platform.manage(
        "createsuperuser", "--no-input", "--username", name, "--email", f"{name}@example.org",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )  # fmt: skip


def enter(page: Page, base: str, name: str) -> None:
    page.goto(f"{base}/admin/login/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login" not in url)


def open_confirmed(page: Page, address: str) -> None:
    """Open a page of the second factor, which asks for the password again."""
    page.goto(address)
    if "/confirm/" in page.url:
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(address)


@pytest.mark.parametrize("width", [1280, only_in_full("a page of accounts that a telephone shows otherwise", 390)])
def test_an_app_is_set_up_and_asked_for_on_pages_that_fit_and_can_be_read(
    platform: Platform, browser: Browser, base: str, width: int
) -> None:
    name = f"app-{width}"
    account(platform, name)
    page = browser.new_page(viewport={"width": width, "height": 800})
    found: list[str] = []

    def look(where: str) -> None:
        found.extend(violations(page, where, WCAG))
        assert not page.evaluate(TOO_WIDE), where

    page.goto(f"{base}/admin/account/password/")
    look("new password")
    enter(page, base, name)
    page.goto(f"{base}{FACTOR}/")
    look("second factor")
    open_confirmed(page, f"{base}{FACTOR}/totp/activate/")
    look("activate")
    secret = re.search(r'value="([A-Z2-7]{32})"', page.content())
    assert secret
    page.fill("input[name=code]", code_of(secret[1]))
    page.press("input[name=code]", "Enter")
    page.wait_for_url("**/recovery-codes/")
    look("recovery codes")
    page.goto(f"{base}/admin/account/sessions/")
    look("sessions")
    other = browser.new_page(viewport={"width": width, "height": 800})
    enter(other, base, name)
    assert "/authenticate/" in other.url
    found += violations(other, "asked", WCAG)
    other.fill("#id_code", code_of(secret[1], steps=1))
    other.press("#id_code", "Enter")
    other.wait_for_url("**/admin/")
    assert found == []


def with_key(page: Page) -> Any:
    """Plug a security key into the browser; return the connection to it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "usb", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, added["authenticatorId"]


@pytest.mark.full("a policy of pages that keeps security keys out")
def test_a_security_key_is_added_and_lets_in(platform: Platform, browser: Browser, base: str) -> None:
    account(platform, "key-holder")
    page = browser.new_page()
    blocked: list[str] = []
    page.on("console", lambda message: blocked.append(message.text) if "Content Security" in message.text else None)
    session, key = with_key(page)
    enter(page, base, "key-holder")
    open_confirmed(page, f"{base}{FACTOR}/webauthn/add/")
    page.click("#mfa_webauthn_add")
    page.wait_for_url(lambda url: "/add/" not in url)
    assert len(session.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]) == 1
    page.goto(f"{base}{FACTOR}/webauthn/")
    assert page.locator("text=Master key").count() == 1
    page.context.clear_cookies()
    enter(page, base, "key-holder")
    assert "/authenticate/" in page.url
    page.click("#mfa_webauthn_authenticate")
    page.wait_for_url("**/admin/")
    assert blocked == []

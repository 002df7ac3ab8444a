"""The pages on the way in and those around simulated participants: they fit, and axe finds nothing.

With SHOTS=folder in the environment every page is photographed there.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in
from tests.browser.researchers.test_account_pages import TOO_WIDE
from tests.selection import only_in_full

pytestmark = pytest.mark.full("a page of the beginning that does not fit or that axe objects to")

SHOTS = os.environ.get("SHOTS", "")


class Looking:
    """Looks at pages of one width and keeps what is wrong with them."""

    def __init__(self, page: Page, width: int) -> None:
        self.page, self.width = page, width
        self.found: list[str] = []

    def at(self, name: str) -> None:
        self.found += violations(self.page, name, WCAG)
        if self.page.evaluate(TOO_WIDE):
            self.found.append(f"{name}: wider than the window")
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=f"{SHOTS}/{name}-{self.width}.png", full_page=True)


@pytest.mark.parametrize("width", [375, only_in_full("a page that a wide window alone breaks", 1280)])
def test_they_fit_and_can_be_read_by_everybody(
    platform: Platform, browser: Browser, tmp_path: Path, width: int
) -> None:
    slug = f"beginning-{width}"
    path = write_study(tmp_path, slug=slug, items=8)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    link = platform.manage("invite", "--base-url", platform.base_url, "--role", "administrator").split()[0]
    page = browser.new_page(viewport={"width": width, "height": 800})
    looking = Looking(page, width)
    for name, address in (("front", "/"), ("log-in", "/admin/login/")):
        page.goto(f"{platform.base_url}{address}")
        looking.at(name)
    page.goto(link)
    looking.at("make-account")
    page.get_by_role("button", name="Make my account").click()
    page.goto(f"{link}no")
    looking.at("void-link")

    log_in(page, platform)
    of_study = f"/admin/studies/{slug}"
    for name, address in (
        ("welcome", "/admin/account/welcome/"),
        ("invite", "/admin/account/invite/"),
        ("invite-to-study", f"/admin/account/invite/to/{slug}/"),
        ("simulate", f"{of_study}/watch/simulate/"),
        ("plan", f"{of_study}/plan/"),
        ("power", f"{of_study}/analyse/new/power/?from=design"),
        ("settings", f"{of_study}/settings/"),
        ("materials", f"{of_study}/materials/replace/"),
        ("overview", f"{of_study}/"),
    ):
        page.goto(f"{platform.base_url}{address}")
        looking.at(name)
    page.goto(f"{platform.base_url}/admin/account/invite/")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("heading", name="The link", exact=True).wait_for()
    looking.at("invited")
    page.goto(f"{platform.base_url}{of_study}/watch/simulate/")
    page.get_by_label("How many take part").fill("3")
    # While the page is looked at it does not hear that they have taken part, which would show it anew.
    still = {"status": "running", "progress": 0.3, "note": ""}
    page.route("**/watch/simulate/progress/", lambda asked: asked.fulfill(json=still))
    page.get_by_role("button", name="Simulate", exact=True).click()
    page.locator("[data-progress]").wait_for()
    looking.at("simulating")
    page.unroute("**/watch/simulate/progress/")
    page.get_by_text("3 simulated participants have taken part.").wait_for()
    looking.at("simulated")
    page.get_by_role("link", name="Remove all 3").click()
    page.get_by_role("heading", name="Remove all simulated participants?").wait_for()
    looking.at("remove")
    for name, address in (
        ("analyse", f"{of_study}/analyse/"),
        ("people", "/admin/auth/user/"),
        ("history", "/admin/experiments/auditentry/"),
        ("participants", "/admin/participants/participant/"),
        ("responses", "/admin/participants/response/"),
    ):
        page.goto(f"{platform.base_url}{address}")
        if name == "analyse":
            looking.at(name)
        elif SHOTS:
            page.screenshot(path=f"{SHOTS}/{name}-{width}.png")
    page.goto(f"{platform.base_url}/admin/auth/user/")
    page.locator("table a", has_text="researcher").first.click()
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/account-{width}.png", full_page=True)
    assert page.get_by_label("Administrator: sees all studies").is_checked()
    assert looking.found == []
    page.close()

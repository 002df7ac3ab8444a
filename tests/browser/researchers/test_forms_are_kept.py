"""Nothing is lost on leaving a form: on every page who leaves is asked, and what was typed comes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in

pytestmark = pytest.mark.full("a form of a researcher that is lost with its page")

SLUG = "kept-forms"
# Parts of addresses that are not the study; what is not here needs something that this study does not have.
GIVEN = {"kind": "consent", "action": "start", "method": "power", "name": "power", "family": "power"}
# Changes a field of every form as a person would, and says what the page should offer again.
CHANGE = """() => {
  const changed = {};
  const never = "[type=hidden],[type=password],[type=submit],[type=file],[type=radio],[data-not-kept]";
  [...document.querySelectorAll("main form[method=post]")].forEach((form, place) => {
    if (form.matches("[data-not-kept]") || form.querySelector("[data-submit-on-change]")) return;
    const field = [...form.elements].find((each) =>
      each.name && each.matches("input, textarea, select") && !each.matches(never) && !each.matches(":disabled")
      && (each.tagName !== "SELECT" || each.options.length > 1));
    if (!field) return;
    if (field.type === "checkbox") field.checked = !field.checked;
    else if (field.tagName === "SELECT") field.selectedIndex = field.selectedIndex === 0 ? 1 : 0;
    else if (field.type === "number") field.value = Number(field.value || 0) + 1;
    else if (field.type === "date") field.value = "2031-02-03";
    else field.value += "x";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    changed[place] = [field.name, field.type === "checkbox" ? field.checked : field.value];
  });
  return changed;
}"""
NOW = """(changed) => Object.fromEntries(Object.entries(changed).map(([place, [name]]) => {
  const form = document.querySelectorAll("main form[method=post]")[place];
  const field = [...form.elements].find((each) => each.name === name && each.type !== "hidden");
  return [place, [name, field.type === "checkbox" ? field.checked : field.value]];
}))"""
KEPT = "Object.keys(sessionStorage).filter((key) => key.startsWith('form:')).length"


def addresses(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Yield the addresses below /admin/studies/ and /admin/tables/ whose parts are known."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif route.startswith(("admin/studies/", "admin/tables/")) and (filled := filled_in(route, pattern)):
            yield f"/{filled}"


def filled_in(route: str, pattern: URLPattern) -> str:
    for name, converter in pattern.pattern.converters.items():
        of = type(converter).__name__
        value = SLUG if name == "slug" else GIVEN.get(name, "")
        route = (
            next(
                (
                    route.replace(part, value)
                    for part in (f"<slug:{name}>", f"<study:{name}>", f"<str:{name}>")
                    if part in route
                ),
                "",
            )
            if value and of
            else ""
        )
        if not route:
            return ""
    return route


@pytest.fixture(scope="module")
def page(platform: Platform, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("kept")
    platform.manage("create_study", str(write_study(folder, slug=SLUG, items=8)), "--owner", "researcher")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    log_in(page, platform)
    yield page
    page.close()


def has_forms(page: Page, address: str) -> bool:
    """Return whether the address is a page with forms that are sent; the others are not opened."""
    answer = page.request.get(address, max_redirects=0)
    return answer.status == 200 and "text/html" in answer.headers["content-type"] and 'method="post"' in answer.text()


def test_every_form_asks_before_it_is_left_and_comes_back(page: Page, platform: Platform) -> None:
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    wrong: list[str] = []
    forms = 0
    for address in sorted(set(addresses(get_resolver().url_patterns))):
        if not has_forms(page, platform.base_url + address):
            continue
        page.goto(platform.base_url + address)
        page.evaluate("sessionStorage.clear()")
        page.locator("h1").first.click()
        changed: dict[str, Any] = page.evaluate(CHANGE)
        if not changed:
            continue
        forms += len(changed)
        asked.clear()
        page.reload()
        if asked != ["beforeunload"]:
            wrong.append(f"{address}: nobody is asked")
        offers = page.locator(".kept-form [data-bring-back]")
        if offers.count() != len(changed):
            wrong.append(f"{address}: {offers.count()} of {len(changed)} forms are offered again")
            continue
        while offers.count():
            offers.first.click()
        if (now := page.evaluate(NOW, changed)) != changed:
            wrong.append(f"{address}: {now} came back, {changed} was typed")
    page.remove_listener("dialog", answer)
    page.on("dialog", lambda dialog: dialog.accept())
    page.evaluate("sessionStorage.clear()")
    assert wrong == [], "\n".join(wrong)
    assert forms > 25


def test_what_was_typed_comes_back_after_the_session_had_ended_and_goes_once_it_is_stored(
    page: Page, platform: Platform
) -> None:
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/settings/")
    page.get_by_label("Title", exact=False).first.fill("A title that was typed")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.locator("form .button-primary").first.click()
    page.wait_for_url("**/login/**")
    page.fill("input[name=username]", "researcher")
    page.fill("input[name=password]", "a-password-for-tests")
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/settings/**")
    expect(page.locator("#id_title")).to_have_value("How sentences sound")
    page.get_by_role("button", name="Bring the changes back").click()
    expect(page.locator("#id_title")).to_have_value("A title that was typed")
    page.locator("form .button-primary").first.click()
    expect(page.locator(".note-success")).to_be_visible()
    expect(page.locator("#id_title")).to_have_value("A title that was typed")
    expect(page.locator(".kept-form")).to_have_count(0)
    assert page.evaluate(KEPT) == 0


def test_what_the_server_refused_or_did_not_get_is_not_taken_for_stored(page: Page, platform: Platform) -> None:
    address = f"{platform.base_url}/admin/studies/{SLUG}/open/"
    page.goto(address)
    page.locator("#id_quota").fill("17")
    page.route(address, lambda route: route.abort() if route.request.method == "POST" else route.fallback())
    with pytest.raises(Exception, match="ERR_FAILED"), page.expect_navigation():
        page.get_by_role("button", name="Save the quota").click()
    page.unroute(address)
    page.goto(address)
    page.get_by_role("button", name="Bring the changes back").click()
    expect(page.locator("#id_quota")).to_have_value("17")
    # The quota is refused: the page shows it again, and it is still unsaved.
    page.evaluate("document.querySelector('#id_quota').form.noValidate = true")
    page.locator("#id_quota").fill("0")
    page.get_by_role("button", name="Save the quota").click()
    expect(page.locator("#id_quota")).to_have_value("0")
    expect(page.locator(".kept-form")).to_have_count(0)
    assert page.evaluate(KEPT) == 1
    page.locator("#id_quota").fill("12")
    page.get_by_role("button", name="Save the quota").click()
    expect(page.locator(".note-success")).to_be_visible()
    assert page.evaluate(KEPT) == 0


def test_passwords_are_never_kept(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/delete/")
    page.get_by_label("Type the title of the study").fill("A title")
    page.wait_for_timeout(500)
    assert page.evaluate(KEPT) == 0
    page.evaluate("""() => {
      const field = Object.assign(document.createElement("input"), { type: "password", name: "secret" });
      document.querySelector("main form[method=post]").append(field);
      field.value = "never-to-be-kept";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    page.wait_for_timeout(500)
    assert page.evaluate("!JSON.stringify({...sessionStorage}).includes('never-to-be-kept')")

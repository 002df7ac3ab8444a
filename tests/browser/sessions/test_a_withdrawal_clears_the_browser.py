"""After a withdrawal nothing of the participant is left in their browser either; somebody else's answers stay there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.typist import Typist

SLUG = "withdrawn-here"
KEPT = """async () => {
  const opened = indexedDB.open("lectern");
  await new Promise((resolve) => { opened.onsuccess = resolve; });
  const stores = ["entries", "problems", "attempts"];
  const transaction = opened.result.transaction(stores);
  const all = await Promise.all(stores.map((name) => new Promise((resolve) => {
    const asked = transaction.objectStore(name).getAll();
    asked.onsuccess = () => resolve(asked.result.map((kept) => kept.session));
  })));
  opened.result.close();
  return all.flat();
}"""
LAST_CODE = """
from participants.models import Participant
print(Participant.objects.filter(study__slug=%r).latest("pk").withdrawal_code)
"""


@pytest.fixture(scope="module")
def study(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = write_study(tmp_path_factory.mktemp("study") / "study", slug=SLUG, items=8)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    return f"{platform.base_url}/s/{SLUG}/"


def kept_sessions(page: Page) -> list[str]:
    return list(page.evaluate(KEPT))


def begin_and_answer_unsent(page: Page, study: str) -> None:
    """Begin a session in which no answer arrives at the server."""
    typist = Typist(page)
    typist.begin(study)
    typist.kind()
    page.route("**/session/results/", lambda route: route.abort())
    for _ in range(3):
        typist.answer("50")
    typist.kind()


def test_what_waits_in_the_browser_goes_with_a_withdrawal(platform: Platform, browser: Browser, study: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    begin_and_answer_unsent(page, study)
    code = platform.manage("shell", "-v", "0", "-c", LAST_CODE % SLUG).strip()
    (mine,) = set(kept_sessions(page))
    assert mine.startswith(f"{SLUG}/")

    # Somebody else began on this computer, too; in the browser they differ by their names alone.
    page.evaluate(
        """() => new Promise((resolve) => {
          const opened = indexedDB.open("lectern");
          opened.onsuccess = () => {
            const transaction = opened.result.transaction("entries", "readwrite");
            transaction.objectStore("entries")
              .put({ session: "withdrawn-here/somebody", kind: "result", sequence: 1, batch: 0, json: "{}" });
            transaction.oncomplete = () => { opened.result.close(); resolve(); };
          };
        })"""
    )
    page.goto(f"{study}withdraw/")
    page.fill("#withdrawal_code", code)
    page.keyboard.press("Enter")
    page.locator("button.danger").click()
    expect(page.get_by_role("heading", name="Everything was erased")).to_be_visible()
    page.wait_for_function(f"async () => (await ({KEPT})()).length === 1")
    assert kept_sessions(page) == [f"{SLUG}/somebody"]
    context.close()

"""Names make themselves until somebody writes one, rows are dragged into order, a question mark opens its paragraph.

With SHOTS=folder in the environment every page is photographed there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests import needs
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in
from tests.browser.researchers.test_pages_of_the_beginning import Looking

pytestmark = pytest.mark.full("a name that does not follow, a row that cannot be dragged, a question mark of nothing")

SLUG = "names-order-help"
QUESTIONS = """
from experiments.models import Study
from experiments.study.parts import add_part
study = Study.objects.get(slug="names-order-help")
study.questions = [{"name": name, "label": name.title() + "?", "kind": "text"} for name in ("one", "two", "three")]
study.save()
add_part(study, name="thanks", kind="page", user=study.owner)
add_part(study, name="asked", kind="questionnaire", user=study.owner)
"""


@pytest.fixture(scope="module")
def page(platform: Platform, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("names")
    platform.manage("create_study", str(write_study(folder, slug=SLUG, items=8)), "--owner", "researcher")
    platform.manage("shell", "-v", "0", "-c", QUESTIONS)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    log_in(page, platform)
    page.on("dialog", lambda dialog: dialog.accept())
    yield page
    page.close()


def drag(page: Page, row: Locator, before: Locator) -> None:
    """Drag a row by its handle to the upper edge of another one."""
    row.locator(".drag-handle").first.scroll_into_view_if_needed()
    start, goal = row.locator(".drag-handle").first.bounding_box(), before.bounding_box()
    assert start is not None
    assert goal is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + 20, goal["y"] + goal["height"] / 2, steps=4)
    page.mouse.move(goal["x"] + 20, goal["y"] + 4, steps=4)
    page.mouse.up()


def test_an_address_follows_the_title_until_somebody_writes_one(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.base_url}/admin/studies/new/")
    title, address = page.get_by_label("Title"), page.get_by_label("Address")
    title.fill("Wörter im Übergang")
    expect(address).to_have_value("woerter-uebergang")
    title.fill("Names order help")
    expect(address).to_have_value(f"{SLUG}-2")
    address.fill("my-own")
    title.fill("Another title")
    page.wait_for_timeout(600)
    expect(address).to_have_value("my-own")
    address.fill("")
    title.fill("Wörter")
    expect(address).to_have_value("woerter")


def test_a_column_follows_its_question_and_a_part_its_task(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/procedure/questions/")
    for place in (3, 4):
        page.get_by_role("button", name="Add a question").click()
        page.locator(f"[name=questions-{place}-label]").fill("What is your age?")
    expect(page.locator("[name=questions-3-name]")).to_have_value("age")
    expect(page.locator("[name=questions-4-name]")).to_have_value("age_2")
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/parts/")
    page.locator("#part-what").select_option("page")
    expect(page.locator("#part-name")).to_have_value("page")
    page.locator("#part-what").select_option("task:maze")
    expect(page.locator("#part-name")).to_have_value("maze")


def test_rows_are_dragged_into_order_by_mouse_and_touch(page: Page, platform: Platform) -> None:
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/procedure/questions/")
    rows = page.locator("[data-order-rows] > details")
    drag(page, rows.nth(2), rows.nth(0))
    numbers = "rows => rows.map((row) => ['name', 'ORDER'].map((end) => row.querySelector(`[name$=-${end}]`).value))"
    assert rows.evaluate_all(numbers) == [["three", "1"], ["one", "2"], ["two", "3"]]
    assert rows.nth(0).get_attribute("open") is None, "a press on the handle opens no fold"
    page.get_by_role("button", name="Save the questions").click()
    expect(page.locator(".note-success")).to_be_visible()
    assert [name for name, _number in rows.evaluate_all(numbers)] == ["three", "one", "two"]

    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/parts/")
    names = "rows => rows.map((row) => row.dataset.orderRow)"
    parts = page.locator(".part-list > li")
    before = parts.evaluate_all(names)
    # By touch: the same events, of another kind of pointer.
    parts.last.scroll_into_view_if_needed()
    page.evaluate("""() => {
      const rows = [...document.querySelectorAll(".part-list > li")];
      const handle = rows.at(-1).querySelector(".drag-handle").getBoundingClientRect();
      const goal = rows.at(-2).getBoundingClientRect();
      const at = (kind, target, y) => target.dispatchEvent(new PointerEvent(kind, {
        pointerType: "touch", bubbles: true, cancelable: true, clientX: handle.x, clientY: y }));
      at("pointerdown", rows.at(-1).querySelector(".drag-handle"), handle.y);
      at("pointermove", document.body, goal.y + 2);
      at("pointerup", document.body, goal.y + 2);
    }""")
    expect(page.locator(".note-success")).to_contain_text(before[-1])
    assert parts.evaluate_all(names) == [*before[:-2], before[-1], before[-2]]


def test_a_question_mark_opens_its_paragraph_by_keyboard(page: Page, platform: Platform) -> None:
    document = """<html><body><article><h1>Sources</h1><h2 id="quotas">Quotas</h2>
      <p>At most <a href="../parts/">so many</a> people.</p><script>window.ran = true</script>
      <h3 id="own">Of groups</h3><p>Of each.</p><h2 id="next">Next</h2><p>Not this.</p></article></body></html>"""
    page.route("**/docs/**", lambda route: route.fulfill(body=document, content_type="text/html"))
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/open/")
    marks = page.locator(".help-mark")
    if not marks.count():
        needs.skip("The built documents", "make docs")
    page.locator("label[for=id_quota] + .help-mark").focus()
    page.keyboard.press("Enter")
    panel = page.locator("#help-panel")
    expect(panel).to_contain_text("people.")
    expect(panel).to_contain_text("Of each.")
    assert "Not this." not in panel.inner_text()
    assert panel.locator("[data-body] a").get_attribute("href") == f"{platform.base_url}/docs/parts/"
    assert page.evaluate("window.ran") is None
    assert str(panel.locator("[data-whole]").get_attribute("href")).endswith("/docs/sources/#quotas")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.help-mark')")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_fit_and_axe_finds_nothing(page: Page, platform: Platform, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    looking = Looking(page, width)
    for name in ("open", "preview", "sources", "parts", "settings", "procedure/questions", "materials"):
        page.goto(f"{platform.base_url}/admin/studies/{SLUG}/{name}/")
        looking.at(name.replace("/", "-"))
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/settings/")
    page.locator("#id_title").fill("Changed")
    page.wait_for_timeout(500)
    page.reload()
    looking.at("kept-form")
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/materials/replace/")
    page.locator("[name=pasted]").fill("item,text,order\na,,x\na,Two.,y\nb,One.,x\nb,Two.,y\n")
    page.locator("form .button-primary").last.click()
    expect(page.locator("[name=cell]")).to_have_count(1)
    looking.at("faulty-cells")
    page.locator("[name=cell]").fill("One.")
    page.get_by_role("button", name="Check again with these cells").click()
    expect(page.get_by_text("One cell was corrected here")).to_be_visible()
    looking.at("corrected-cells")
    assert looking.found == [], "\n".join(looking.found)

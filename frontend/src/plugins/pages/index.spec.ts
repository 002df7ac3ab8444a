import { describe, expect, test } from "vitest";
import { find, framesPass, press, simulateTrial, startTrial } from "../trial-harness";
import Pages from "./index";

const PAGES = {
  kind: "instructions",
  pages: [
    [
      { type: "heading", text: "First" },
      { type: "paragraph", text: "<b>plain</b>" },
      { type: "list", items: ["one", "two"] },
      { type: "example", text: "An example." },
    ],
    [{ type: "paragraph", text: "Second" }],
  ],
};

function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => (condition() ? resolve() : setTimeout(check, 5));
    check();
  });
}

describe("pages", () => {
  test("a page stays for its minimum, which buttons and keys keep to and those who listen hear of", async () => {
    const { display, finished } = await startTrial(Pages, { pages: PAGES.pages.slice(1), minimum_ms: 300 });
    const next = find(display, "button") as HTMLButtonElement;
    expect([next.disabled, next.textContent]).toEqual([true, "One moment"]);
    expect(next.parentElement?.getAttribute("aria-live")).toBe("polite");
    press(document.body, "Enter");
    next.click();
    await framesPass(3);
    expect(find(display, ".text p").textContent).toBe("Second");
    await until(() => !next.disabled);
    expect(next.textContent).toBe("Continue");
    press(document.body, "Enter");
    const { page_ms } = (await finished).payload as { page_ms: number[] };
    expect(page_ms[0]).toBeGreaterThan(280);
  });

  test("a simulation stays as long", async () => {
    const { payload } = await simulateTrial(Pages, { ...PAGES, minimum_ms: 600_000 });
    expect(payload.page_ms).toEqual([600_000, 600_000]);
  });

  test("blocks are shown as text, never as markup", async () => {
    const { display } = await startTrial(Pages, PAGES);
    expect(find(display, "h2").textContent).toBe("First");
    expect(find(display, ".text p").textContent).toBe("<b>plain</b>");
    expect([...display.querySelectorAll("li")].map((item) => item.textContent)).toEqual(["one", "two"]);
    expect(find(display, "blockquote").textContent).toBe("An example.");
  });

  test("marked pieces are elements, and links open a tab of their own", async () => {
    const spans = [{ text: "See " }, { text: "here", strong: true, emphasis: true, href: "https://example.org/" }];
    const { display } = await startTrial(Pages, {
      pages: [
        [
          { type: "heading", level: 2, text: "Less" },
          { type: "paragraph", text: "See here", spans },
          {
            type: "list",
            items: ["a", "<b>"],
            first: 3,
            item_spans: [[{ text: "a", emphasis: true }], [{ text: "<b>" }]],
          },
        ],
      ],
    });
    expect(find(display, "h3").textContent).toBe("Less");
    expect(find(display, "p").innerHTML).toBe(
      'See <a href="https://example.org/" target="_blank" rel="noopener"><strong><em>here</em></strong></a>',
    );
    expect(find(display, "ol").outerHTML).toBe('<ol start="3" dir="ltr"><li><em>a</em></li><li>&lt;b&gt;</li></ol>');
  });

  test("one can go back, and the time of a page is the sum over its visits", async () => {
    const trial = await startTrial(Pages, PAGES);
    find(trial.display, ".primary").click();
    await until(() => trial.display.textContent?.includes("Second") ?? false);
    find(trial.display, ".plain").click();
    await until(() => trial.display.textContent?.includes("First") ?? false);
    expect(trial.display.querySelector(".plain")).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 60));
    press(document, "Enter");
    await until(() => trial.display.textContent?.includes("Second") ?? false);
    press(document, "Enter");
    const { payload, rt_ms } = await trial.finished;
    const times = payload.page_ms as number[];
    expect(times).toHaveLength(2);
    expect(times[0]).toBeGreaterThan(40);
    expect((times[0] ?? 0) + (times[1] ?? 0)).toBeLessThanOrEqual(rt_ms ?? 0);
  });

  test("Enter that is held down turns no page", async () => {
    const trial = await startTrial(Pages, PAGES);
    press(document, "Enter", { repeat: true });
    await framesPass();
    expect(trial.display.textContent).toContain("First");
  });

  test("a simulation has a time for every page", async () => {
    const { payload } = await simulateTrial(Pages, PAGES);
    expect(payload.page_ms).toHaveLength(2);
  });
});

import { afterEach, expect, test, vi } from "vitest";
import { messagesIn } from "../languages/messages";
import { english as missing } from "../languages/seldom/missing-media";
import type { LoadingState } from "../media/loader";
import { Stage } from "../page/stage";
import { MediaGate } from "./media-gate";

const loader = vi.hoisted(() => ({
  state: { loaded: 0, total: 1, failures: 0 },
  want: () => {},
  ready: (): Promise<void> => Promise.resolve(),
  onChange: (_listener: (state: LoadingState) => void) => () => {},
}));
vi.mock("../media/loader", () => ({ media: loader }));

const TRIAL = {
  position: 3,
  phase: "main",
  plugin: "rating",
  params: { image: { kind: "image", url: "/media/kettle.png", width: 10, height: 10, alt: "" } },
};

afterEach(() => {
  loader.state = { loaded: 0, total: 1, failures: 0 };
});

/** Waits for a picture that fails `failures` times, and comes when `arrive` is called. */
function waitFor(failures: number) {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const config = { title: "Doors", contact: "laboratory@example.org", slug: "doors" };
  const stage = new Stage(root, config, messagesIn("en"));
  const display = stage.newTrials();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  loader.ready = () => arrived;
  loader.state = { loaded: 0, total: 1, failures };
  const begun = new MediaGate(stage, "en").beforeTrial(TRIAL);
  return { root, display, arrive, begun };
}

test("a picture that does not come gives a contact and two ways out, and the trial begins if it comes after all", async () => {
  const { root, display, arrive, begun } = waitFor(6);
  await vi.waitFor(() => expect(root.textContent).toContain(missing.text));
  const links = [...root.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(links).toEqual(["mailto:laboratory@example.org", "/s/doors/"]);
  expect(root.querySelector("button")?.textContent).toBe(messagesIn("en").reload);
  arrive();
  await begun;
  expect(root.querySelector("main")?.firstChild).toBe(display);
});

test("a connection that is only slow asks for patience alone", async () => {
  const { root, arrive, begun } = waitFor(3);
  await vi.waitFor(() => expect(root.querySelector("[role=status]")?.textContent).not.toBe(""));
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(root.querySelector("a")).toBeNull();
  arrive();
  await begun;
});

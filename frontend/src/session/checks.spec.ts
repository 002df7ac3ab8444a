import { afterEach, describe, expect, test, vi } from "vitest";
import { messagesIn } from "../languages/messages";
import { checksFor } from "./checks";
import { linkToSend } from "./send-link";

const messages = messagesIn("en");
const ADDRESS = "https://study.example/s/doors/?PROLIFIC_PID=a&SESSION_ID=b";

function keyboardCheck(device: "telephone" | "computer") {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query.includes("coarse") && device === "telephone" }));
  const check = checksFor(["keyboard"], messages).find(({ name }) => name === "keyboard");
  if (check === undefined) throw new Error("There is no check of the keyboard.");
  return check.run();
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the check of the keyboard", () => {
  test("fails in words within seconds on a telephone without keys, and says what to do", async () => {
    vi.useFakeTimers();
    const outcome = keyboardCheck("telephone");
    vi.advanceTimersByTime(10_000);
    expect(await outcome).toEqual({ passed: false, text: messages.checkKeyboardFailed, needsComputer: true });
  });

  test("is passed on a tablet whose keyboard is used in time", async () => {
    vi.useFakeTimers();
    const outcome = keyboardCheck("telephone");
    vi.advanceTimersByTime(2_000);
    document.dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
    expect((await outcome).passed).toBe(true);
  });

  test("waits on a computer for as long as it takes", async () => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const outcome = keyboardCheck("computer").then(ended);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ended).not.toHaveBeenCalled();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
    await outcome;
    expect(ended).toHaveBeenCalledOnce();
  });
});

describe("the link to be opened on a computer", () => {
  test("is shown whole, mailed whole, and shared and copied where the device can", async () => {
    const share = vi.fn().mockRejectedValue(new DOMException("closed", "AbortError"));
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal("navigator", { share, clipboard: { writeText } });
    const page = await linkToSend("en", ADDRESS, "Doors & windows");
    expect(page.querySelector("code")?.textContent).toBe(ADDRESS);
    const mail = new URL(page.querySelector("a")?.href ?? "");
    expect(mail.searchParams.get("body")).toBe(ADDRESS);
    expect(mail.searchParams.get("subject")).toBe("Doors & windows");
    const [sharing, copying] = page.querySelectorAll("button");
    sharing?.click();
    copying?.click();
    await vi.waitFor(() => expect(copying?.textContent).toBe(messages.copied));
    expect(share).toHaveBeenCalledWith({ title: "Doors & windows", url: ADDRESS });
    expect(writeText).toHaveBeenCalledWith(ADDRESS);
  });

  test("can be copied by hand and mailed where the device can do nothing else", async () => {
    vi.stubGlobal("navigator", {});
    const page = await linkToSend("en", ADDRESS, "Doors");
    expect(page.querySelectorAll("button")).toHaveLength(0);
    expect(page.querySelectorAll("a")).toHaveLength(1);
  });
});

import { beforeEach, expect, test } from "vitest";
import { type Draft, Drafts } from "./drafts";

const DRAFT: Draft = { codes: ["3", "4"], note: "Is A there?", seconds: 2.5, revision: 0 };

beforeEach(() => localStorage.clear());

test("a draft is there again after a reload", () => {
  new Drafts("drafts").set("a", DRAFT);
  expect(new Drafts("drafts").get("a", 0)).toEqual(DRAFT);
  expect(new Drafts("drafts").get("b", 0)).toBeUndefined();
  expect(new Drafts("of-another-coder").get("a", 0)).toBeUndefined();
});

test("a draft that was saved or taken back leaves nothing behind", () => {
  const drafts = new Drafts("drafts");
  drafts.set("a", DRAFT);
  drafts.delete("a");
  expect(localStorage.getItem("drafts")).toBeNull();
});

test("a draft is dropped where the coding has changed since", () => {
  new Drafts("drafts").set("a", DRAFT);
  expect(new Drafts("drafts").get("a", 1)).toBeUndefined();
  expect(localStorage.getItem("drafts")).toBeNull();
});

test("a draft of this visit stands, also where the server has stored the coding meanwhile", () => {
  const drafts = new Drafts("drafts");
  drafts.set("a", DRAFT);
  expect(drafts.get("a", 1)).toEqual(DRAFT);
});

test.each(["{broken", "3", '[["a"]]', '[["a",null]]', '[["a",{"codes":[3],"note":"","seconds":1,"revision":0}]]'])(
  "a storage may hold anything: %s",
  (held) => {
    localStorage.setItem("drafts", held);
    expect(new Drafts("drafts").get("a", 0)).toBeUndefined();
  },
);

test("a storage that is full or blocked keeps nobody from choosing", () => {
  const full = { getItem: () => null, setItem: () => fail(), removeItem: () => fail() } as unknown as Storage;
  const drafts = new Drafts("drafts", full);
  drafts.set("a", DRAFT);
  expect(drafts.get("a", 0)).toEqual(DRAFT);
});

function fail(): never {
  throw new DOMException("full", "QuotaExceededError");
}

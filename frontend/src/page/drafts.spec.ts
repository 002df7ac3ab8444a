import { afterEach, expect, test } from "vitest";
import { element } from "./blocks";
import { drafts } from "./drafts";

function typedInto(id: string, text: string): void {
  const field = element("textarea", { id });
  drafts.keep(field);
  field.value = text;
  field.dispatchEvent(new InputEvent("input"));
}

afterEach(() => drafts.end());

test("a text that was typed is put back when the trial begins again, and into its own field alone", () => {
  drafts.begin("study/P1/4");
  typedInto("recall", "הדלת");
  expect(drafts.restored).toBe(false);
  drafts.begin("study/P1/4");
  const [again, other] = [element("textarea", { id: "recall" }), element("textarea", { id: "note" })];
  expect([drafts.keep(other), drafts.restored]).toEqual(["", false]);
  expect([drafts.keep(again), again.value, drafts.restored]).toEqual(["הדלת", "הדלת", true]);
});

test("nothing of a trial is left when it has ended, or when another one begins", () => {
  for (const leave of [() => drafts.end(), () => drafts.begin("study/P2/4")]) {
    drafts.begin("study/P1/4");
    typedInto("recall", "The door");
    leave();
    expect(sessionStorage.length).toBe(0);
    drafts.begin("study/P1/4");
    expect(drafts.keep(element("textarea", { id: "recall" }))).toBe("");
  }
});

test("without an open trial nothing is kept, and what is stored by others is not read", () => {
  typedInto("recall", "The door");
  expect(sessionStorage.length).toBe(0);
  for (const stored of ["{", "4", '{"trial":"study/P1/4","texts":{"recall":4}}']) {
    sessionStorage.setItem("lectern-draft", stored);
    drafts.begin("study/P1/4");
    expect(drafts.keep(element("textarea", { id: "recall" }))).toBe("");
  }
});

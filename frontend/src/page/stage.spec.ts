import { beforeEach, describe, expect, test } from "vitest";
import { messagesIn } from "../languages/messages";
import { Stage } from "./stage";

const LOOK = { colour: "#7a1f5c", logo: { url: "/s/a/media/b.png", width: 600, height: 150, text: "University" } };
const ENDING = { heading: "", text: "", code: "", advice: "", link: "" };

describe("the study's logo and colour", () => {
  let root: HTMLElement;
  let stage: Stage;

  beforeEach(() => {
    root = document.createElement("div");
    document.body.replaceChildren(root);
    document.body.className = "";
    stage = new Stage(root, { title: "Study", contact: "", slug: "a", look: LOOK }, messagesIn("en"));
  });

  test("are not there while trials are shown, nor on a page that stands in for one", () => {
    stage.newTrials();
    expect(root.querySelector("img")).toBeNull();
    stage.showPage({ heading: "No connection", content: [] });
    expect(root.querySelector("img")).toBeNull();
    expect(document.body.className).toBe("");
  });

  test("are there on the last page, and gone where trials come back", () => {
    stage.showEnd({ debriefing: [], ending: ENDING, withdrawalCode: "", resumeCode: "" });
    expect(root.querySelector("img")?.alt).toBe("University");
    expect(document.body.classList.contains("with-look")).toBe(true);
    stage.backToTrials();
    expect(root.querySelector("img")).toBeNull();
    expect(document.body.classList.contains("with-look")).toBe(false);
  });
});

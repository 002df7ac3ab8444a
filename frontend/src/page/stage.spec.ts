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

describe("the resume code", () => {
  let root: HTMLElement;
  let stage: Stage;

  beforeEach(() => {
    root = document.createElement("div");
    stage = new Stage(root, { title: "Study", contact: "", slug: "a" }, messagesIn("en"));
  });

  test("stands at the foot of the page until it is taken away", () => {
    stage.showResumeCode("CDFHJ-23456");
    stage.newTrials();
    expect(root.querySelector("footer .resume-code")?.textContent).toBe("CDFHJ-23456");
    stage.showResumeCode("");
    expect(root.querySelector(".resume-code")).toBeNull();
    expect(root.querySelector(".resume-line")?.textContent).toBe("");
  });

  test("stands on the last page beside the withdrawal code, and only there", () => {
    stage.showResumeCode("CDFHJ-23456");
    stage.showEnd({ debriefing: [], ending: ENDING, withdrawalCode: "ABCD", resumeCode: "CDFHJ-23456" });
    expect([...root.querySelectorAll(".resume-code")].map((code) => code.textContent)).toEqual(["CDFHJ-23456"]);
    expect(root.querySelector(".code")?.textContent).toBe("ABCD");
  });

  test("is asked for where somebody came by a link alone, who sees no withdrawal code", () => {
    stage.showEnd({ debriefing: [], ending: ENDING, withdrawalCode: "", resumeCode: "" });
    expect(root.querySelector(".code, .resume-code")).toBeNull();
    expect(root.querySelector('a[href="/s/a/continue/"]')?.textContent).toBe("Type the resume code");
  });

  test("does not excuse a withdrawal code that the server cannot open any more", () => {
    stage.showEnd({ debriefing: [], ending: ENDING, withdrawalCode: "", resumeCode: "CDFHJ-23456" });
    expect(root.querySelector('a[href="/s/a/continue/"]')).toBeNull();
  });
});

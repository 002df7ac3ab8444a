/** Keys, buttons, clock and pause around the text: everything that does not depend on which text is on the screen. */

import { presses } from "../presses/guard";
import { type Commands, commandOf, onButton, showDigits } from "./keyboard";
import type { Notices } from "./notices";
import { Stopwatch } from "./pace";
import { part } from "./shown";

export interface DeskOptions {
  readonly notices: Notices;
  readonly digits: ReadonlyMap<string, string>;
  readonly frozen: boolean;
  readonly commands: Omit<Commands, "marks" | "pause" | "help" | "note"> & {
    readonly again: () => void;
    readonly seen: () => void;
  };
}

const MARKS = "lectern-coding-marks";
const LETTERS = "lectern-coding-letters";
const LOOKS_FOR_IDLE_MS = 5_000;

export class Desk {
  private readonly stopwatch = new Stopwatch();
  private readonly boxes = [...document.querySelectorAll<HTMLInputElement>("[data-code]")];
  private readonly article = part("item");
  private readonly note = part<HTMLTextAreaElement>("note");
  private readonly help = part<HTMLDialogElement>("help");
  private readonly letters = part<HTMLInputElement>("letters");
  private readonly commands: Commands;
  private chosen: readonly string[] = [];
  private atWork = false;
  private paused = false;

  constructor(private readonly options: DeskOptions) {
    this.commands = {
      ...options.commands,
      marks: () => this.showMarks(document.body.classList.contains("marks-off"), true),
      pause: () => this.pause(),
      help: () => this.help.showModal(),
      note: () => this.note.focus(),
    };
    showDigits(this.boxes, options.digits);
    this.showMarks(localStorage.getItem(MARKS) !== "off");
    this.letters.checked = localStorage.getItem(LETTERS) !== "off";
    this.note.disabled = options.frozen;
    for (const box of this.boxes) box.disabled = options.frozen;
    for (const name of ["sheet", "paused"]) presses.watch(part(name));
    this.listen();
  }

  /** Another text is on the screen: its time begins, and the keys belong to it. */
  begin(): void {
    this.atWork = true;
    this.stopwatch.take();
    this.startClock();
    this.toText();
    window.scrollTo(0, 0);
  }

  /** No text is on the screen any more. */
  end(): void {
    this.atWork = false;
    this.stopwatch.stop();
    part("finished-heading").focus();
  }

  /** How long the text has been looked at, and from zero again. */
  seconds(): number {
    return this.stopwatch.take();
  }

  tick(codes: readonly string[]): void {
    this.chosen = codes;
    for (const box of this.boxes) box.checked = codes.includes(box.value);
  }

  private listen(): void {
    document.addEventListener("keydown", (event) => this.onKey(event));
    for (const name of ["pointerdown", "pointermove", "wheel"]) {
      document.addEventListener(name, () => this.stopwatch.sign(), { passive: true });
    }
    for (const box of this.boxes) {
      box.addEventListener("click", () => {
        // The box has changed by itself already; the rule decides what stays.
        this.commands.toggle(box.value);
        this.tick(this.chosen);
      });
    }
    const { save, previous, undo, marks, suggest, pause, help } = this.commands;
    const { again, seen } = this.options.commands;
    const toText = () => this.toText();
    const leadingBack = {
      save,
      previous,
      undo,
      marks,
      suggest,
      "suggestion-take": suggest,
      again,
      "refused-seen": seen,
    };
    for (const [name, action] of Object.entries(leadingBack)) onButton(name, action, toText);
    onButton("resume", () => this.resume(), toText);
    onButton("help-close", () => this.help.close(), toText);
    onButton("pause", pause);
    onButton("help", help);
    this.letters.addEventListener("change", () => {
      localStorage.setItem(LETTERS, this.letters.checked ? "on" : "off");
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.stopwatch.stop();
      else this.startClock();
    });
    setInterval(() => {
      if (this.stopwatch.isIdle) this.pause(this.options.notices.text("idle"));
    }, LOOKS_FOR_IDLE_MS);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey || event.metaKey || this.help.open) return;
    this.stopwatch.sign();
    if (event.target === this.note) {
      this.onKeyInNote(event);
      return;
    }
    if (event.ctrlKey || event.repeat) return;
    const command = this.paused
      ? this.onKeyInPause(event)
      : commandOf(event, this.options.digits, this.commands, { letters: this.letters.checked });
    if (command === null) return;
    event.preventDefault();
    command();
  }

  private onKeyInPause(event: KeyboardEvent): (() => void) | null {
    const isControl = event.target instanceof Element && event.target.closest("button, a") !== null;
    const goesOn = event.key.toLowerCase() === "p" || (event.key === "Enter" && !isControl);
    return goesOn ? () => this.resume() : null;
  }

  private onKeyInNote(event: KeyboardEvent): void {
    if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
    event.preventDefault();
    if (event.ctrlKey) this.commands.save();
    else this.toText();
  }

  private showMarks(on: boolean, isNews = false): void {
    document.body.classList.toggle("marks-off", !on);
    part("button-marks").setAttribute("aria-pressed", String(on));
    if (!isNews) return;
    localStorage.setItem(MARKS, on ? "on" : "off");
    const { notices } = this.options;
    notices.say(notices.text(on ? "marksOn" : "marksOff"));
  }

  private pause(why = ""): void {
    if (this.paused) return;
    this.paused = true;
    this.stopwatch.stop();
    part("sheet").hidden = true;
    part("paused").hidden = false;
    part("paused-why").textContent = why;
    presses.turn({ atOnce: true });
    part("button-resume").focus();
  }

  private resume(): void {
    this.paused = false;
    part("paused").hidden = true;
    part("sheet").hidden = false;
    presses.turn({ atOnce: true });
    this.startClock();
    this.toText();
  }

  private startClock(): void {
    if (this.atWork && !this.paused && !document.hidden) this.stopwatch.start();
  }

  private toText(): void {
    this.article.focus({ preventScroll: true });
  }
}

/** How a participant might read a text. */

import type { JsPsych } from "jspsych";
import { type Layout, layOut, type MeasuredWord } from "./boxes";
import { type TextToLay, TYPE } from "./measure";
import type { Mode, ReadingParams } from "./params";
import type { ReadingOutcome } from "./reading";
import { ReadingRecord } from "./record";

const WIDTH = 760;
const LETTER = 10;
const MS_PER_WORD = 260;
const POINTERS: Readonly<Record<Mode, string>> = { pointer: "mouse", drag: "touch", keyboard: "" };
const REREADING = 0.25;

/** Areas in the order in which they are visited, and for how long. */
export function simulatedVisits(trial: ReadingParams, jsPsych: JsPsych): { aoi: number; ms: number }[] {
  const chance = jsPsych.randomization;
  const visits: { aoi: number; ms: number }[] = [];
  for (const [index, area] of trial.areas.entries()) {
    const ms = Math.max(60, area.words * MS_PER_WORD * Math.exp(chance.sampleNormal(0, 0.3)));
    visits.push({ aoi: index + 1, ms });
    if (index === 0 || Math.random() > REREADING) continue;
    visits.push({ aoi: index, ms: 0.4 * ms }, { aoi: index + 1, ms: 0.3 * ms });
  }
  return visits;
}

/** A whole reading without a page. */
export function simulatedReading(trial: ReadingParams, jsPsych: JsPsych): ReadingOutcome {
  const record = new ReadingRecord({ withPath: false });
  const layout = estimatedLayout(trial);
  record.lay(layout.boxes, { time: 0, index: 0 });
  let time = 600;
  for (const { aoi, ms } of simulatedVisits(trial, jsPsych)) {
    const box = layout.boxes.find((one) => one.aoi === aoi);
    if (box === undefined) continue;
    record.sample(time, { x: box.x, y: box.y, reason: "moved" });
    record.shown();
    time += ms;
  }
  record.leave(time, "moved");
  return {
    record,
    layouts: [{ time: 0, layout, origin: [40, 240], viewport: [1280, 800], zoom: 1, dpr: 1 }],
    pauses: [],
    pointerType: POINTERS[trial.modes[0] ?? "pointer"],
    copyAttempts: 0,
    outOfView: [],
    finished: time + 400,
  };
}

/** Where words would be if all letters were equally wide. */
export function estimatedLayout(trial: TextToLay): Layout {
  const bands = trial.arrangement === "bands";
  const room = WIDTH - 2 * TYPE.wide.margin.side;
  const words: MeasuredWord[] = [];
  let left = 0;
  let line = 0;
  for (const [index, area] of trial.areas.entries()) {
    if (bands) {
      left = 0;
      line = 0;
    } else if (index > 0 && area.before === "\n") {
      left = 0;
      line += 1;
    }
    for (const match of area.text.matchAll(/\S+/gu)) {
      const width = match[0].length * LETTER;
      if (left > 0 && left + width > room) {
        left = 0;
        line += 1;
      }
      words.push({
        aoi: index + 1,
        start: match.index,
        end: match.index + match[0].length,
        line,
        left,
        right: left + width,
      });
      left += width + LETTER;
    }
  }
  const texts = trial.areas.map((area) => area.text);
  const { arrangement, mask } = trial;
  const { band, flow, size, margin } = TYPE.wide;
  const lineHeight = bands ? band : flow;
  return layOut(words, { texts, arrangement, mask, width: WIDTH, lineHeight, fontSize: size, margin });
}

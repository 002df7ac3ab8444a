import { expect, test } from "vitest";
import { payloadOf } from "./payload";
import { ReadingRecord } from "./record";
import { estimatedLayout } from "./simulated";

const ONSET = 1_000;

test("the first layout holds from the onset, even where it was drawn later than the frame began", () => {
  const areas = [{ text: "Two men came", words: 3, before: "" } as const];
  const layout = estimatedLayout({ areas, arrangement: "bands", mask: "bar" });
  const record = new ReadingRecord({ withPath: false });
  const laid = { layout, origin: [0, 0], viewport: [1280, 800], zoom: 1, dpr: 1 } as const;
  const payload = payloadOf(
    {
      record,
      layouts: [
        { ...laid, time: ONSET + 23.4 },
        { ...laid, time: ONSET + 900 },
      ],
      pauses: [],
      pointerType: "mouse",
      copyAttempts: 0,
      outOfView: [],
      finished: ONSET + 2_000,
    },
    {
      mode: "pointer",
      onset: ONSET,
      fontLoaded: true,
      frameInterval: 16.7,
      device: null,
      ratings: {},
      question: null,
    },
  );
  const layouts = payload.layouts as { at_ms: number }[];
  expect(layouts.map(({ at_ms }) => at_ms)).toEqual([0, 900]);
});

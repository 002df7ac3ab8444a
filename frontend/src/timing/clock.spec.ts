import { describe, expect, test } from "vitest";
import { Clock, type ClockEnvironment, type PaintedElement } from "./clock";

/** A screen whose frames come when the test says so. */
class FakeScreen implements ClockEnvironment {
  now = 1000;
  frames: ((timestamp: number) => void)[] = [];
  timers: { at: number; callback: () => void }[] = [];
  report: ((painted: PaintedElement) => void) | null = null;
  queued: PaintedElement[] = [];
  requested = 0;
  outside = new Set<Element>();
  readonly paintResolution = 0;

  constructor(readonly hasElementTiming: boolean) {}

  requestFrame(callback: (timestamp: number) => void): number {
    this.requested += 1;
    this.frames.push(callback);
    return this.requested;
  }

  bringIntoView(elements: readonly Element[]): boolean {
    return elements.every((each) => !this.outside.has(each));
  }

  cancelFrame(): void {
    this.frames = [];
  }

  time(): number {
    return this.now;
  }

  after(milliseconds: number, callback: () => void): void {
    this.timers.push({ at: this.now + milliseconds, callback });
  }

  observePaint(report: (painted: PaintedElement) => void): (() => void) | null {
    if (!this.hasElementTiming) return null;
    this.report = report;
    return () => {
      for (const painted of this.queued.splice(0)) report(painted);
    };
  }

  /** The next frame, `gap` milliseconds later, and everything that waits for it. */
  async frame(gap = 1000 / 60): Promise<number> {
    this.now += gap;
    for (const callback of this.frames.splice(0)) callback(this.now);
    for (const timer of this.timers.filter((timer) => timer.at <= this.now)) timer.callback();
    this.timers = this.timers.filter((timer) => timer.at > this.now);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return this.now;
  }

  async run(frames: number, gap?: number): Promise<void> {
    for (let index = 0; index < frames; index += 1) await this.frame(gap);
  }
}

function stimulus(): HTMLElement {
  return document.createElement("p");
}

describe("the onset of a stimulus", () => {
  test("nothing is drawn before the frame loop is primed", async () => {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    let drawn = false;
    void clock.show({
      draw: () => {
        drawn = true;
      },
      stimulus: stimulus(),
    });
    await screen.run(2);
    expect(drawn).toBe(false);
    await screen.run(2);
    expect(drawn).toBe(true);
  });

  test("it is the presentation time of Element Timing where the browser reports it", async () => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    const text = stimulus();
    let drawnAt = 0;
    const showing = clock.show({
      draw: () => {
        drawnAt = screen.now;
      },
      stimulus: text,
    });
    await screen.run(4);
    expect(text.getAttribute("elementtiming")).toBe("onset-1");
    screen.queued.push({ identifier: "onset-1", time: drawnAt + 12.345 });
    const onset = await (await showing).onset({ before: drawnAt + 900 });
    expect(onset).toEqual({ time: drawnAt + 12.345, clock: "element-timing", error: 2, inView: null });
  });

  test("a report that comes only after the response is waited for", async () => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    const showing = clock.show({ draw: () => {}, stimulus: stimulus() });
    await screen.run(4);
    const drawnAt = screen.now;
    const onset = (await showing).onset({ before: drawnAt + 40 });
    await screen.frame();
    screen.report?.({ identifier: "onset-1", time: drawnAt + 10 });
    expect(await onset).toMatchObject({ time: drawnAt + 10, clock: "element-timing" });
  });

  test("it is a fifth into the frame after the drawing one where there is no Element Timing, and says how far off it may be", async () => {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    const text = stimulus();
    let drawnAt = 0;
    const showing = clock.show({
      draw: () => {
        drawnAt = screen.now;
      },
      stimulus: text,
    });
    await screen.run(4);
    await screen.run(30);
    const onset = await (await showing).onset({ before: screen.now });
    expect(onset.clock).toBe("animation-frame");
    expect(onset.time).toBeCloseTo(drawnAt + 1.2 * (1000 / 60), 6);
    expect(onset.error).toBeCloseTo(0.8 * (1000 / 60), 6);
    expect(text.hasAttribute("elementtiming")).toBe(false);
  });

  test("a report that never comes falls back to the frame clock and says so", async () => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    const showing = clock.show({ draw: () => {}, stimulus: stimulus() });
    await screen.run(20);
    const onset = (await showing).onset({ before: screen.now });
    await screen.run(12);
    expect((await onset).clock).toBe("animation-frame");
  });

  test.each([
    ["before the drawing", -500],
    ["after the response", 5000],
  ])("a report of a time %s is not believed", async (_, offset) => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    const showing = clock.show({ draw: () => {}, stimulus: stimulus() });
    await screen.run(6);
    screen.report?.({ identifier: "onset-1", time: screen.now + offset });
    expect((await (await showing).onset({ before: screen.now + 100 })).clock).toBe("animation-frame");
  });

  test("each stimulus has its own report", async () => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    const first = clock.show({ draw: () => {}, stimulus: stimulus() });
    await screen.run(6);
    const second = clock.show({ draw: () => {}, stimulus: stimulus() });
    await screen.run(2);
    screen.report?.({ identifier: "onset-2", time: screen.now - 1 });
    screen.report?.({ identifier: "onset-1", time: screen.now - 40 });
    const before = screen.now + 100;
    expect((await (await second).onset({ before })).time).toBe(screen.now - 1);
    expect((await (await first).onset({ before })).time).toBe(screen.now - 40);
  });
});

describe("timed displays", () => {
  async function measured(duration: number, gaps: readonly number[]): Promise<{ record: unknown; visible: number }> {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    clock.prime();
    await screen.run(40, gaps[0]);
    let on = 0;
    let off = 0;
    const display = clock.display({
      draw: () => {
        on = screen.now;
      },
      duration,
      clear: () => {
        off = screen.now;
      },
    });
    for (let index = 0; off === 0; index += 1) await screen.frame(gaps[index % gaps.length]);
    await screen.run(4, gaps[0]);
    return { record: await display, visible: off - on };
  }

  test.each([
    [60, 500],
    [75, 1000],
    [144, 500],
    [120, 100],
  ])("on a %d Hz screen %d ms end at the frame nearest to the target", async (rate, duration) => {
    const { record, visible } = await measured(duration, [1000 / rate]);
    expect(Math.abs(visible - duration)).toBeLessThanOrEqual(500 / rate + 1e-6);
    expect(record).toMatchObject({ intended_ms: duration, dropped_frames: 0, flagged: false });
  });

  test("jitter of the timestamps does not add a frame", async () => {
    const { visible } = await measured(500, [16.6, 16.7, 16.8, 16.5]);
    expect(Math.abs(visible - 500)).toBeLessThan(2);
  });

  test("dropped frames do not lengthen a display, and are recorded", async () => {
    const { record, visible } = await measured(500, [16, 16, 16, 16, 16, 16, 16, 16, 16, 48]);
    expect(Math.abs(visible - 500)).toBeLessThanOrEqual(48);
    expect(record).toMatchObject({ flagged: true });
    expect((record as { dropped_frames: number }).dropped_frames).toBeGreaterThan(0);
  });

  async function sequenceOn(
    steps: number,
    duration: number,
    gap: (index: number) => number | undefined,
  ): Promise<{ shown: number[]; cleared: number; records: readonly { onset_ms: number }[] }> {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    clock.prime();
    await screen.run(40, gap(0));
    const shown: number[] = [];
    let cleared = 0;
    const draw = () => {
      shown.push(screen.now);
    };
    const sequence = clock.displaySequence({
      steps: Array.from({ length: steps }, () => ({ draw, duration })),
      clear: () => {
        cleared = screen.now;
      },
    });
    for (let index = 0; cleared === 0; index += 1) await screen.frame(gap(index));
    const reported = (await sequence).records();
    await screen.run(4, gap(0));
    return { shown, cleared, records: await reported };
  }

  test("a sequence does not add up what its screen cannot divide", async () => {
    const { shown, cleared, records } = await sequenceOn(12, 500, () => 1000 / 75);
    expect(records).toHaveLength(12);
    expect(Math.abs(cleared - (shown[0] ?? 0) - 6000)).toBeLessThanOrEqual(500 / 75 + 1e-6);
    expect(records.map((record) => record.onset_ms)).toEqual(shown);
  });

  test("a step that came late because frames were dropped keeps its duration", async () => {
    // The frame in which the second of three steps is due is held back by three frames.
    let frames = 0;
    const { shown, cleared } = await sequenceOn(3, 200, () => {
      frames += 1;
      return frames === 14 ? 1000 / 15 : undefined;
    });
    const durations = [...shown, cleared].slice(1).map((time, index) => time - (shown[index] ?? 0));
    expect(durations.filter((duration) => Math.abs(duration - 200) < 1)).toHaveLength(2);
    expect(Math.max(...durations)).toBeGreaterThan(225);
  });

  test("a display that the browser showed frames later than usual ends as many frames later", async () => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    const interval = 1000 / 60;
    clock.prime();
    await screen.run(40);
    const lengths: number[] = [];
    const records: unknown[] = [];
    // The first one comes late as well, while a typeface loads: that is not what is usual.
    for (const latency of [40, 4, 11, 4 + 2 * interval]) {
      let on = 0;
      let off = 0;
      const text = stimulus();
      const display = clock.display({
        draw: () => {
          on = screen.now;
          screen.queued.push({ identifier: text.getAttribute("elementtiming") ?? "", time: on + latency });
        },
        stimulus: text,
        duration: 500,
        clear: () => {
          off = screen.now;
        },
      });
      while (off === 0) await screen.frame();
      lengths.push(off - on);
      await screen.run(12);
      records.push(await display);
    }
    expect(lengths.map((length) => Math.round(length / interval))).toEqual([30, 30, 30, 32]);
    expect(records[3]).toMatchObject({ flagged: false });
    expect(records.map((record) => (record as { late_frames: number }).late_frames)).toEqual([0, 0, 0, 2]);
    expect((records[3] as { measured_ms: number }).measured_ms).toBeCloseTo(500, 6);
  });

  test("words and the blank after them end each other when the screen shows them", async () => {
    const screen = new FakeScreen(true);
    const clock = new Clock(screen);
    clock.prime();
    await screen.run(40);
    // The second word comes up a frame late, the blank half a frame early.
    const latencies = [9, 9 + 1000 / 60, 2];
    const elements = latencies.map(() => stimulus());
    const draw = (index: number) => () => {
      const identifier = elements[index]?.getAttribute("elementtiming") ?? "";
      screen.queued.push({ identifier, time: screen.now + (latencies[index] ?? 0) });
    };
    let isOver = false;
    const sequence = clock.displaySequence({
      steps: [0, 1].map((index) => ({ draw: draw(index), duration: 200, stimulus: elements[index] as HTMLElement })),
      clear: draw(2),
      mark: elements[2] as HTMLElement,
    });
    void sequence.then(() => {
      isOver = true;
    });
    while (!isOver) await screen.frame();
    const reported = (await sequence).records();
    await screen.run(12);
    const [first, second] = await reported;
    expect(first?.measured_ms).toBeCloseTo(200 + 1000 / 60, 3);
    expect(second?.measured_ms).toBeCloseTo(200 - 1000 / 60 - 7, 3);
    expect([first?.flagged, second?.flagged]).toEqual([true, true]);
  });

  test("what takes the place of the last step has an onset, which ends that step and follows no answer", async () => {
    for (const answered of [Number.POSITIVE_INFINITY, 3]) {
      const screen = new FakeScreen(true);
      const clock = new Clock(screen);
      clock.prime();
      await screen.run(40);
      const [prime, target] = [stimulus(), stimulus()];
      const drawn = (shown: HTMLElement) => () => {
        const identifier = shown.getAttribute("elementtiming") ?? "";
        screen.queued.push({ identifier, time: screen.now + 7 });
      };
      let isOver = false;
      const sequence = clock.displaySequence({
        steps: [{ draw: drawn(prime), duration: 50, stimulus: prime }],
        clear: drawn(target),
        mark: target,
      });
      void sequence.then(() => {
        isOver = true;
      });
      while (!isOver) await screen.frame();
      const { cleared, follower, records } = await sequence;
      const onset = follower({ before: cleared + answered });
      await screen.run(12);
      const { time, clock: source } = await onset;
      const [record] = await records();
      expect(time).toBeCloseTo(cleared + Math.min(7, answered), 6);
      expect(source).toBe(answered > 7 ? "element-timing" : "animation-frame");
      expect(record?.gone_ms).toBeCloseTo(cleared + 7, 6);
      expect(record?.measured_ms).toBeCloseTo(50, 3);
    }
  });

  test("a sequence of nothing has nothing that follows", async () => {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    clock.prime();
    const sequence = clock.displaySequence({ steps: [], clear: () => {} });
    await screen.run(5);
    await expect((await sequence).follower({ before: 0 })).rejects.toThrow("Nothing was shown");
  });

  test("the frame interval is known in spite of dropped frames", async () => {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    clock.prime();
    for (let index = 0; index < 60; index += 1) await screen.frame(index % 3 === 0 ? 1000 / 36 : 1000 / 144);
    expect(clock.frameInterval).toBeCloseTo(1000 / 144, 3);
  });

  test("single gaps that a stale timestamp made too short do not count", async () => {
    const screen = new FakeScreen(false);
    const clock = new Clock(screen);
    clock.prime();
    for (let index = 0; index < 60; index += 1) await screen.frame([0.001, 4].at(index % 30) ?? 1000 / 60);
    expect(clock.frameInterval).toBeCloseTo(1000 / 60, 3);
  });
});

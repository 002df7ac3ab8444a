import { describe, expect, test } from "vitest";
import { type LoadingEnvironment, MediaLoader, type Wanted } from "./loader";
import { mediaIn } from "./params";

/** A network in which the test decides what comes, and a clock that it moves. */
class FakeNetwork implements LoadingEnvironment {
  readonly asked: string[] = [];
  readonly decoded: string[] = [];
  private readonly open = new Map<string, { come: () => void; fail: () => void }>();
  private timers: { callback: () => void; milliseconds: number }[] = [];

  image(url: string): Promise<HTMLImageElement> {
    return this.request(url, () => ({ url }) as unknown as HTMLImageElement);
  }

  sound(url: string): Promise<ArrayBuffer> {
    return this.request(url, () => ({ url }) as unknown as ArrayBuffer);
  }

  decodeImage(image: HTMLImageElement): Promise<void> {
    this.decoded.push((image as unknown as { url: string }).url);
    return Promise.resolve();
  }

  decodeSound(bytes: ArrayBuffer): Promise<AudioBuffer> {
    this.decoded.push((bytes as unknown as { url: string }).url);
    return Promise.resolve({ duration: 1 } as AudioBuffer);
  }

  film(_bytes: ArrayBuffer, url: string): Promise<string | null> {
    this.decoded.push(url);
    return Promise.resolve(url.endsWith(".mov") ? null : `blob:${url}`);
  }

  after(milliseconds: number, callback: () => void): void {
    this.timers.push({ callback, milliseconds });
  }

  random(): number {
    return 0.5;
  }

  async come(url: string): Promise<void> {
    this.open.get(url)?.come();
    await settle();
  }

  async fail(url: string): Promise<void> {
    this.open.get(url)?.fail();
    await settle();
  }

  /** Lets all pauses pass; returns how long they were. */
  async passPauses(): Promise<number[]> {
    const due = this.timers;
    this.timers = [];
    for (const timer of due) timer.callback();
    await settle();
    return due.map((timer) => timer.milliseconds);
  }

  private request<Thing>(url: string, made: () => Thing): Promise<Thing> {
    this.asked.push(url);
    return new Promise((resolve, reject) => {
      this.open.set(url, { come: () => resolve(made()), fail: () => reject(new Error("cut")) });
    });
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

const pictures = (count: number): Wanted[] =>
  Array.from({ length: count }, (_none, number) => ({ kind: "image", url: `/${number}` }));

describe("loading pictures and sounds", () => {
  test("four at once, in the order in which they are wanted", async () => {
    const network = new FakeNetwork();
    new MediaLoader(network).want(pictures(6));
    expect(network.asked).toEqual(["/0", "/1", "/2", "/3"]);
    await network.come("/2");
    expect(network.asked).toEqual(["/0", "/1", "/2", "/3", "/4"]);
  });

  test("what a trial needs next goes before all others", async () => {
    const network = new FakeNetwork();
    const loader = new MediaLoader(network);
    loader.want(pictures(20));
    void loader.ready([{ kind: "image", url: "/17" }]);
    await network.come("/0");
    expect(network.asked.at(-1)).toBe("/17");
  });

  test("a trial begins when its picture is there and decoded", async () => {
    const network = new FakeNetwork();
    const loader = new MediaLoader(network);
    let isReady = false;
    void loader.ready(pictures(1)).then(() => {
      isReady = true;
    });
    await settle();
    expect(isReady).toBe(false);
    await network.come("/0");
    expect(isReady).toBe(true);
    expect(network.decoded).toEqual(["/0"]);
  });

  test("a picture that came but is not decoded is tried twice and stops nothing", async () => {
    const network = new FakeNetwork();
    let tries = 0;
    network.decodeImage = () => {
      tries += 1;
      return Promise.reject(new Error("not decoded"));
    };
    const ready = new MediaLoader(network).ready(pictures(1));
    await network.come("/0");
    await ready;
    expect(tries).toBe(2);
  });

  test("a sound that the browser cannot decode is tried twice, stops nothing and is none", async () => {
    const network = new FakeNetwork();
    let tries = 0;
    network.decodeSound = () => {
      tries += 1;
      return Promise.reject(new Error("not decoded"));
    };
    const loader = new MediaLoader(network);
    const wanted: Wanted[] = [{ kind: "audio", url: "/a.ogg" }];
    const ready = loader.ready(wanted);
    await network.come("/a.ogg");
    await ready;
    expect(tries).toBe(2);
    expect(await loader.sound("/a.ogg")).toBeNull();
    // What failed is not kept: it may come right the next time.
    network.decodeSound = () => Promise.resolve({ duration: 1 } as AudioBuffer);
    await loader.ready(wanted);
    expect(await loader.sound("/a.ogg")).toEqual({ duration: 1 });
  });

  test("a browser that throws instead of decoding stops nothing", async () => {
    const network = new FakeNetwork();
    network.decodeSound = () => {
      throw new ReferenceError("AudioContext is not defined");
    };
    const loader = new MediaLoader(network);
    const ready = loader.ready([{ kind: "audio", url: "/a.ogg" }]);
    await network.come("/a.ogg");
    await ready;
    expect(await loader.sound("/a.ogg")).toBeNull();
  });

  test("a sound that is decoded at the second try is played", async () => {
    const network = new FakeNetwork();
    let tries = 0;
    network.decodeSound = () => {
      tries += 1;
      if (tries === 1) throw new Error("busy");
      return Promise.resolve({ duration: 1 } as AudioBuffer);
    };
    const loader = new MediaLoader(network);
    const ready = loader.ready([{ kind: "audio", url: "/a.ogg" }]);
    await network.come("/a.ogg");
    await ready;
    expect(await loader.sound("/a.ogg")).toEqual({ duration: 1 });
  });

  test("what was cut is asked for again, after pauses that grow", async () => {
    const network = new FakeNetwork();
    const loader = new MediaLoader(network);
    const ready = loader.ready(pictures(1));
    const pauses: number[] = [];
    for (let failure = 0; failure < 8; failure += 1) {
      await network.fail("/0");
      pauses.push(...(await network.passPauses()));
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(loader.state).toEqual({ loaded: 0, total: 1, failures: 8 });
    await network.come("/0");
    await ready;
    expect(loader.state).toEqual({ loaded: 1, total: 1, failures: 0 });
  });

  test("a failure leaves its place to others while it pauses", async () => {
    const network = new FakeNetwork();
    new MediaLoader(network).want(pictures(5));
    await network.fail("/0");
    expect(network.asked.at(-1)).toBe("/4");
    await network.come("/1");
    await network.passPauses();
    expect(network.asked.at(-1)).toBe("/0");
  });

  test("the same file is loaded once, whoever wants it", async () => {
    const network = new FakeNetwork();
    const loader = new MediaLoader(network);
    loader.want([...pictures(1), ...pictures(1)]);
    void loader.ready(pictures(1));
    expect(network.asked).toEqual(["/0"]);
  });

  test("sounds are decoded when they are needed, and not all of them are kept", async () => {
    const network = new FakeNetwork();
    const loader = new MediaLoader(network);
    const sounds: Wanted[] = pictures(10).map(({ url }) => ({ kind: "audio", url }));
    for (const sound of sounds) {
      const ready = loader.ready([sound]);
      await network.come(sound.url);
      await ready;
    }
    expect(await loader.sound("/9")).not.toBeNull();
    expect(await loader.sound("/0")).toBeNull();
    await loader.ready([sounds[0] as Wanted]);
    expect(await loader.sound("/0")).not.toBeNull();
    expect(network.asked).toHaveLength(10);
  });
});

describe("videos", () => {
  test("stay in memory, each with one address, and one that cannot be played has none", async () => {
    const network = new FakeNetwork();
    const loader = new MediaLoader(network);
    const videos: Wanted[] = ["/a.webm", "/b.mov"].map((url) => ({ kind: "video", url }));
    const ready = loader.ready(videos);
    await network.come("/a.webm");
    await network.come("/b.mov");
    await ready;
    await loader.ready(videos);
    expect([await loader.film("/a.webm"), await loader.film("/b.mov")]).toEqual(["blob:/a.webm", null]);
    expect(network.decoded).toEqual(["/a.webm", "/b.mov"]);
  });
});

describe("media in the parameters of a trial", () => {
  test("are found at any depth, in their order", () => {
    const image = { kind: "image", url: "/a", width: 1, height: 1, alt: "" };
    const audio = { kind: "audio", url: "/b", duration_ms: 1, replay: false };
    const params = { kind: "target", text: "x", images: [null, image], deep: { prime: { audio } }, url: "/none" };
    expect(mediaIn(params)).toEqual([image, audio]);
  });
});

/**
 * Loads the pictures, sounds and videos of a session in the order of its trials, a few at a time and again until they are there, while
 * the participant reads and answers. What a trial needs next goes before everything else.
 *
 * A picture is an `img` that stays in memory, so that another one of the same address needs no network. Sounds are kept as they
 * came and decoded shortly before they are needed: decoded ones are ten times as large. Videos are kept as they came, too.
 */

import { filmFrom } from "./film";
import { soundContext } from "./playing";

export interface Wanted {
  readonly kind: "image" | "audio" | "video";
  readonly url: string;
}

/** What the loader needs of the browser; tests give it another one. */
export interface LoadingEnvironment {
  /** Rejects where the picture does not come, or not in time. */
  image(url: string, patience: number): Promise<HTMLImageElement>;
  sound(url: string, patience: number): Promise<ArrayBuffer>;
  /** The address of a video in memory; null where the browser cannot play it. */
  film(bytes: ArrayBuffer, url: string): Promise<string | null>;
  decodeImage(image: HTMLImageElement): Promise<void>;
  decodeSound(bytes: ArrayBuffer): Promise<AudioBuffer>;
  after(milliseconds: number, callback: () => void): void;
  random(): number;
}

export interface LoadingState {
  readonly loaded: number;
  readonly total: number;
  /** How often the one that was tried most was tried in vain. */
  readonly failures: number;
}

const AT_ONCE = 4;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;
const FIRST_PATIENCE = 15_000;
const LONGEST_PATIENCE = 120_000;
const SOUNDS_DECODED = 8;

interface Entry extends Wanted {
  state: "waiting" | "pausing" | "loading" | "loaded";
  failures: number;
  image: HTMLImageElement | null;
  bytes: ArrayBuffer | null;
  readonly whenLoaded: Promise<void>;
  readonly arrived: () => void;
}

const browserLoading: LoadingEnvironment = {
  image: (url, patience) =>
    new Promise((resolve, reject) => {
      const image = new Image();
      const timer = setTimeout(() => {
        // Stops the request.
        image.src = "";
        reject(new Error("The picture did not come in time."));
      }, patience);
      image.addEventListener("load", () => {
        clearTimeout(timer);
        resolve(image);
      });
      image.addEventListener("error", () => {
        clearTimeout(timer);
        reject(new Error("The picture could not be loaded."));
      });
      image.decoding = "async";
      image.src = url;
    }),
  sound: async (url, patience) => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patience) });
    if (!answer.ok) throw new Error(`The sound could not be loaded (${answer.status}).`);
    return answer.arrayBuffer();
  },
  film: filmFrom,
  decodeImage: (image) => image.decode(),
  // The bytes are taken away by decoding, and may be needed again.
  decodeSound: (bytes) => soundContext().decodeAudioData(bytes.slice(0)),
  after: (milliseconds, callback) => {
    setTimeout(callback, milliseconds);
  },
  random: Math.random,
};

export class MediaLoader {
  private readonly entries = new Map<string, Entry>();
  private queue: Entry[] = [];
  private loading = 0;
  private readonly films = new Map<string, Promise<string | null>>();
  private readonly decoded = new Map<string, Promise<AudioBuffer | null>>();
  private readonly listeners = new Set<(state: LoadingState) => void>();

  constructor(private readonly environment: LoadingEnvironment = browserLoading) {}

  /** Loads these in their order, after what was wanted before. */
  want(items: readonly Wanted[]): void {
    for (const item of items) this.entry(item);
    this.pump();
  }

  /** Resolves when all of these are there and decoded, or cannot be decoded; they are loaded before all others. */
  async ready(items: readonly Wanted[]): Promise<void> {
    const entries = [...new Set(items.map((item) => this.entry(item)))];
    const urgent = entries.filter((entry) => entry.state === "waiting" || entry.state === "pausing");
    for (const entry of urgent) entry.state = "waiting";
    this.queue = [...urgent, ...this.queue.filter((entry) => !urgent.includes(entry))];
    this.pump();
    await Promise.all(entries.map((entry) => this.decodedEntry(entry)));
  }

  /** A picture that is there; null where it is not. */
  image(url: string): HTMLImageElement | null {
    return this.entries.get(url)?.image ?? null;
  }

  /** A sound that `ready` has decoded; null where there is none, or the browser cannot decode it. */
  async sound(url: string): Promise<AudioBuffer | null> {
    return this.decoded.get(url) ?? null;
  }

  /** The address of a video in memory; null where `ready` has not been there, or this browser cannot play it. */
  async film(url: string): Promise<string | null> {
    return this.films.get(url) ?? null;
  }

  get state(): LoadingState {
    const all = [...this.entries.values()];
    return {
      loaded: all.filter((entry) => entry.state === "loaded").length,
      total: all.length,
      failures: Math.max(0, ...all.map((entry) => (entry.state === "loaded" ? 0 : entry.failures))),
    };
  }

  /** Calls back after everything that comes or fails, until the returned function is called. */
  onChange(listener: (state: LoadingState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private entry(item: Wanted): Entry {
    const known = this.entries.get(item.url);
    if (known !== undefined) return known;
    let arrived = () => {};
    const whenLoaded = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { kind, url } = item;
    const entry: Entry = {
      kind,
      url,
      state: "waiting",
      failures: 0,
      image: null,
      bytes: null,
      whenLoaded,
      arrived,
    };
    this.entries.set(url, entry);
    this.queue.push(entry);
    return entry;
  }

  private pump(): void {
    while (this.loading < AT_ONCE) {
      const at = this.queue.findIndex((entry) => entry.state === "waiting");
      if (at === -1) return;
      const [entry] = this.queue.splice(at, 1) as [Entry];
      void this.load(entry);
    }
  }

  private async load(entry: Entry): Promise<void> {
    entry.state = "loading";
    this.loading += 1;
    const patience = Math.min(LONGEST_PATIENCE, FIRST_PATIENCE * 2 ** entry.failures);
    try {
      if (entry.kind === "image") entry.image = await this.environment.image(entry.url, patience);
      else entry.bytes = await this.environment.sound(entry.url, patience);
      entry.state = "loaded";
      entry.arrived();
    } catch {
      // A cut connection, a server that is away, a timeout: all of them pass.
      this.retryLater(entry);
    } finally {
      this.loading -= 1;
      for (const listener of this.listeners) listener(this.state);
      this.pump();
    }
  }

  private retryLater(entry: Entry): void {
    entry.failures += 1;
    entry.state = "pausing";
    this.queue.unshift(entry);
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (entry.failures - 1));
    this.environment.after(pause * (0.5 + this.environment.random()), () => {
      if (entry.state !== "pausing") return;
      entry.state = "waiting";
      this.pump();
    });
  }

  /** Tries twice. A picture that came and is not decoded ahead is decoded when it is drawn: no reason to stop a session. */
  private async decodedPicture(image: HTMLImageElement): Promise<void> {
    try {
      await this.environment.decodeImage(image);
    } catch {
      await this.environment.decodeImage(image).catch(() => {});
    }
  }

  /** Tries twice. A sound that this browser cannot decode is not played: no reason to stop a session either. */
  private async decodedSound(bytes: ArrayBuffer): Promise<AudioBuffer | null> {
    for (const _try of [1, 2]) {
      try {
        return await this.environment.decodeSound(bytes);
      } catch {
        // Once more, then without it.
      }
    }
    return null;
  }

  private async decodedEntry(entry: Entry): Promise<void> {
    await entry.whenLoaded;
    if (entry.image !== null) {
      await this.decodedPicture(entry.image);
    } else if (entry.kind === "video" && entry.bytes !== null) {
      const film = this.films.get(entry.url) ?? this.environment.film(entry.bytes, entry.url);
      this.films.set(entry.url, film);
      await film;
    } else if (entry.bytes !== null) {
      let sound = this.decoded.get(entry.url);
      sound ??= this.decodedSound(entry.bytes);
      // Put last again: the oldest goes first.
      this.decoded.delete(entry.url);
      this.decoded.set(entry.url, sound);
      for (const url of [...this.decoded.keys()].slice(0, -SOUNDS_DECODED)) this.decoded.delete(url);
      // The next trial with this sound tries again.
      if ((await sound) === null) this.decoded.delete(entry.url);
    }
  }
}

/** The loader of this page. */
export const media = new MediaLoader();

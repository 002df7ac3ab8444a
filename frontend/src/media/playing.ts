/**
 * Plays sounds on the clock of the sound card, and says when they were heard.
 *
 * A sound is scheduled a little ahead, so that it begins on time however busy the page is. When it reached the output is what
 * `getOutputTimestamp` says, which relates the clock of the sound card to that of the page; where a browser has none, the
 * latency it reports is added to the time of scheduling.
 */

export interface PlayedSound {
  /** When the sound began at the output, on the page's clock. */
  onset(): number;
  /** What the browser says a sound takes from the program to the output, in milliseconds; null where it does not say. */
  readonly latency: number | null;
  /** How long it is, in milliseconds. */
  readonly duration: number;
  readonly ended: Promise<void>;
  stop(): void;
}

/** Seconds: more than a frame, and less than anybody notices between a picture and its sound. */
const AHEAD = 0.03;
const PATIENCE = 500;

let context: AudioContext | null = null;

export function soundContext(): AudioContext {
  context ??= new AudioContext({ latencyHint: "interactive" });
  return context;
}

function canPlay(): boolean {
  return context?.state === "running";
}

/** Makes sounds possible; false where the browser first wants something to be pressed. */
export async function unlock(): Promise<boolean> {
  if (typeof AudioContext === "undefined") return false;
  const sounds = soundContext();
  if (sounds.state !== "running") {
    await Promise.race([sounds.resume(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }
  return canPlay();
}

/** Plays a sound from its begin, after a delay in milliseconds where one is given; null where the browser plays none now. */
export function play(sound: AudioBuffer, delay = 0): PlayedSound | null {
  const sounds = context;
  if (sounds === null || !canPlay()) return null;
  const source = sounds.createBufferSource();
  source.buffer = sound;
  source.connect(sounds.destination);
  const ended = new Promise<void>((resolve) => {
    source.addEventListener("ended", () => resolve());
  });
  const begins = sounds.currentTime + AHEAD + delay / 1000;
  source.start(begins);
  const latency = latencyOf(sounds);
  return {
    onset: () => onsetOf(sounds, begins, latency),
    latency,
    duration: sound.duration * 1000,
    ended,
    stop: () => source.stop(),
  };
}

function latencyOf(sounds: AudioContext): number | null {
  const seconds = sounds.outputLatency ?? sounds.baseLatency;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function onsetOf(sounds: AudioContext, begins: number, latency: number | null): number {
  const { contextTime, performanceTime } = sounds.getOutputTimestamp?.() ?? {};
  if (contextTime && performanceTime) return performanceTime + (begins - contextTime) * 1000;
  return performance.now() + (begins - sounds.currentTime) * 1000 + (latency ?? 0);
}

/** A sound of this many short tones. */
export function tones(count: number): AudioBuffer {
  const sounds = soundContext();
  const { sampleRate } = sounds;
  const [tone, gap, ramp, hertz] = [0.25, 0.3, 0.02, 660];
  const buffer = sounds.createBuffer(1, Math.ceil(count * (tone + gap) * sampleRate), sampleRate);
  const samples = buffer.getChannelData(0);
  for (let number = 0; number < count; number += 1) {
    const first = Math.round(number * (tone + gap) * sampleRate);
    for (let at = 0; at < tone * sampleRate; at += 1) {
      const time = at / sampleRate;
      const loudness = 0.3 * Math.min(1, time / ramp, (tone - time) / ramp);
      samples[first + at] = loudness * Math.sin(2 * Math.PI * hertz * time);
    }
  }
  return buffer;
}

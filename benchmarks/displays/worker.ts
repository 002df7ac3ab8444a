/** Draws words on a canvas of its own in frames of its own: the main thread may be busy. */

interface Planned {
  readonly texts: readonly string[];
  /** On the clock of the day, as worker and page count from origins of their own. */
  readonly onset: number;
  readonly duration: number;
  readonly interval: number;
}

interface Worker {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
  requestAnimationFrame(callback: (timestamp: number) => void): number;
}

const scope = globalThis as unknown as Worker;
let canvas: OffscreenCanvas;

scope.onmessage = ({ data }) => {
  if (data instanceof OffscreenCanvas) canvas = data;
  else show(data as Planned);
};

function show({ texts, onset, duration, interval }: Planned): void {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser has no canvas for workers.");
  const first = onset - performance.timeOrigin;
  const frames: number[] = [];
  const changes: number[] = [];
  const tick = (timestamp: number) => {
    frames.push(timestamp + performance.timeOrigin);
    const due = changes.length;
    if (timestamp >= first + due * duration - interval / 2) {
      context.clearRect(0, 0, canvas.width, canvas.height);
      const text = texts[due];
      if (text !== undefined) {
        context.font = "28px sans-serif";
        context.fillText(text, 0, 30);
      }
      changes.push(timestamp + performance.timeOrigin);
    }
    if (changes.length <= texts.length) scope.requestAnimationFrame(tick);
    else scope.postMessage({ changes, frames });
  };
  scope.requestAnimationFrame(tick);
}

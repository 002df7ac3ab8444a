// jsdom stamps events with the time of day; browsers stamp them on the clock of `performance.now`.
const stamps = new WeakMap<Event, number>();

Object.defineProperty(Event.prototype, "timeStamp", {
  configurable: true,
  get(this: Event) {
    const stamp = stamps.get(this) ?? performance.now();
    stamps.set(this, stamp);
    return stamp;
  },
});

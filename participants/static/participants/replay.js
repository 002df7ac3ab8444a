"use strict";
/* Plays a text again that was read area by area. The page has the same visits in a table and works without this. */

const SVG = "http://www.w3.org/2000/svg";
const box = document.querySelector("[data-replay]");
const told = JSON.parse(document.getElementById("replay-data").textContent);
const scrub = box.querySelector("[data-scrub]");
const toggle = box.querySelector("[data-toggle]");
const speed = box.querySelector("[data-speed]");
const status = box.querySelector("[data-status]");
const picture = box.querySelector("[data-path]");
const rows = [...document.querySelectorAll("tr[data-visit]")];
const end = Math.max(told.finished_ms, 1);

let now = 0;
let lastFrame = null;

const areas = told.areas.map((area) => {
  const element = document.createElement("span");
  element.className = "replay-area";
  element.textContent = area.text;
  const text = box.querySelector("[data-text]");
  if (area.before === "\n" && !told.in_bands) text.append(document.createElement("br"));
  else if (area.before && !told.in_bands) text.append(" ");
  text.append(element);
  return element;
});

function drawn(name, attributes, content) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (content !== undefined) element.textContent = content;
  picture.append(element);
  return element;
}

/* Places in the picture: areas across, time down; a margin on the left for seconds and on top for the numbers. */
const LEFT = 34;
const TOP = 22;
let width = 0;
let height = 0;
const x = (aoi) => LEFT + ((aoi - 1) * (width - LEFT)) / areas.length;
const lane = () => (width - LEFT) / areas.length;
const y = (ms) => TOP + (ms / end) * (height - TOP - 6);
let line = null;

function drawPath() {
  picture.replaceChildren();
  ({ width, height } = picture.getBoundingClientRect());
  if (width <= LEFT || height <= TOP) return;
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const every = Math.ceil(areas.length / 24);
  for (let aoi = 1; aoi <= areas.length; aoi += 1) {
    if (aoi % 2) drawn("rect", { class: "lane", x: x(aoi), y: TOP, width: lane(), height: height - TOP });
    if ((aoi - 1) % every === 0) drawn("text", { x: x(aoi) + lane() / 2, y: 15 }, String(aoi));
  }
  const step = [1, 2, 5, 10, 20, 60, 120].find((seconds) => end / 1000 / seconds <= 8) || 300;
  for (let second = 0; second * 1000 <= end; second += step) {
    drawn("text", { class: "tick", x: LEFT - 6, y: y(second * 1000) + 4 }, `${second} s`);
  }
  for (const [from, until] of told.pauses) {
    drawn("rect", {
      class: "pause",
      x: LEFT,
      y: y(from),
      width: width - LEFT,
      height: Math.max(1, y(until) - y(from)),
    });
  }
  const points = told.visits.flatMap((visit) => {
    const middle = x(visit.aoi) + lane() / 2;
    return [`${middle},${y(visit.enter_ms)}`, `${middle},${y(visit.leave_ms)}`];
  });
  drawn("polyline", { class: "way", points: points.join(" ") });
  for (const visit of told.visits) {
    drawn("rect", {
      class: visit.shown ? "stay" : "stay crossed",
      x: x(visit.aoi) + lane() * 0.2,
      y: y(visit.enter_ms),
      width: lane() * 0.6,
      height: Math.max(1, y(visit.leave_ms) - y(visit.enter_ms)),
    });
  }
  line = drawn("line", { class: "now", x1: LEFT, x2: width, y1: y(now), y2: y(now) });
}

function openVisit() {
  return told.visits.findIndex((visit) => visit.enter_ms <= now && now < visit.leave_ms);
}

function show() {
  const number = openVisit();
  const visit = told.visits[number];
  areas.forEach((area, place) => {
    area.classList.toggle("open", Boolean(visit) && visit.shown && visit.aoi === place + 1);
  });
  rows.forEach((row) => {
    row.classList.toggle("replayed", Number(row.dataset.visit) === number);
  });
  const paused = told.pauses.some(([from, until]) => from <= now && now < until);
  const closed = paused ? box.dataset.paused : box.dataset.none;
  const where = visit?.shown ? box.dataset.area.replace("{n}", visit.aoi) : closed;
  const clock = box.dataset.clock.replace("{now}", (now / 1000).toFixed(1)).replace("{all}", (end / 1000).toFixed(1));
  status.textContent = `${clock} · ${where}`;
  scrub.value = String(now);
  scrub.setAttribute("aria-valuetext", status.textContent);
  line?.setAttribute("y1", String(y(now)));
  line?.setAttribute("y2", String(y(now)));
}

function moveTo(ms) {
  now = Math.min(Math.max(ms, 0), end);
  show();
}

function frame(at) {
  if (lastFrame === null) return;
  moveTo(now + (at - lastFrame) * Number(speed.value));
  lastFrame = at;
  if (now >= end) pause();
  else requestAnimationFrame(frame);
}

function play() {
  if (now >= end) moveTo(0);
  lastFrame = performance.now();
  toggle.textContent = box.dataset.pause;
  requestAnimationFrame(frame);
}

function pause() {
  lastFrame = null;
  toggle.textContent = box.dataset.play;
}

function toggled() {
  if (lastFrame === null) play();
  else pause();
}

function moveByVisit(by) {
  const starts = told.visits.map((visit) => visit.enter_ms);
  const next = by > 0 ? starts.find((start) => start > now + 0.05) : starts.findLast((start) => start < now - 0.05);
  moveTo(next ?? (by > 0 ? end : 0));
}

const KEYS = {
  " ": toggled,
  ArrowRight: () => moveByVisit(1),
  ArrowDown: () => moveByVisit(1),
  ArrowLeft: () => moveByVisit(-1),
  ArrowUp: () => moveByVisit(-1),
  Home: () => moveTo(0),
  End: () => moveTo(end),
};

toggle.addEventListener("click", toggled);
scrub.max = String(end);
scrub.addEventListener("input", () => moveTo(Number(scrub.value)));
box.addEventListener("keydown", (event) => {
  if (event.target === speed || event.ctrlKey || event.metaKey || event.altKey) return;
  // A button answers to the space bar by itself.
  if (event.key === " " && event.target === toggle) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
picture.addEventListener("click", (event) => {
  const inside = event.clientY - picture.getBoundingClientRect().top;
  moveTo(((inside - TOP) / (height - TOP - 6)) * end);
});

box.hidden = false;
show();
// The picture is drawn as soon as it has a size, and again whenever that changes.
new ResizeObserver(() => {
  drawPath();
  show();
}).observe(picture);

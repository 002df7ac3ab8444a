"use strict";
/* Follows an analysis until it has ended, then shows its report. The page works without it: reload to look again. */

const box = document.querySelector("[data-progress]");
const bar = box.querySelector("progress");
const note = box.querySelector("[data-note]");
const heading = box.querySelector("[data-heading]");
let wait = 700;

async function look() {
  let state;
  try {
    const answer = await fetch(box.dataset.progress, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    state = await answer.json();
  } catch {
    // The server may be restarting; the analysis is safe in its database.
    wait = Math.min(wait * 2, 15000);
    setTimeout(look, wait);
    return;
  }
  if (state.status !== "queued" && state.status !== "running") {
    location.reload();
    return;
  }
  if (state.status === "running" && box.dataset.status === "queued") {
    box.dataset.status = "running";
    heading.textContent = heading.dataset.running;
  }
  if (state.progress > 0) bar.value = state.progress;
  else if (state.status === "running") bar.removeAttribute("value");
  if (state.note || state.status === "running") note.textContent = state.note;
  wait = Math.min(wait + 200, 3000);
  setTimeout(look, wait);
}

setTimeout(look, wait);

"use strict";
/* Small conveniences; every page works without them. Listed at the top of studies.css. */

function copyText(button) {
  const line = button.closest(".copy-line");
  const text = line.querySelector("code").textContent.trim();
  navigator.clipboard.writeText(text).then(() => {
    const before = button.textContent;
    button.textContent = button.dataset.copy || "Copied";
    setTimeout(() => { button.textContent = before; }, 1800);
  });
}

function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[data-local]")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.valueOf())) {
      time.title = `${time.dateTime.slice(0, 16).replace("T", " ")} UTC`;
      time.textContent = format.format(moment);
    }
  }
}

function prepareDrop(area) {
  const input = area.querySelector("input[type=file]");
  // The theme would write the name of the file into the next text field; this mark tells it that somebody listens.
  input.hasChangeListener = true;
  const name = area.querySelector("[data-file-name]");
  const show = () => {
    if (input.files.length && name) name.textContent = input.files[0].name;
  };
  input.addEventListener("change", show);
  area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    if (event.dataTransfer.files.length) { input.files = event.dataTransfer.files; show(); }
  });
}

/* What the browser wants corrected must be seen, also in a fold. */
document.addEventListener("invalid", (event) => {
  const fold = event.target.closest("details");
  if (fold) fold.open = true;
}, true);

function prepareCount(counter) {
  const field = document.getElementById(counter.dataset.countFor);
  const show = () => {
    const words = field.value.trim().split(/\s+/).filter(Boolean).length;
    counter.textContent = counter.dataset.countText.replace("{words}", words).replace("{characters}", field.value.length);
  };
  field.addEventListener("input", show);
  show();
}

/* Puts a row of a template after the others, with the next number in the names of its fields. */
function appendRow(row, rows, total) {
  for (const element of [row, ...row.querySelectorAll("*")]) {
    for (const name of ["name", "id", "for", "aria-describedby"]) {
      const value = element.getAttribute?.(name);
      if (value) element.setAttribute(name, value.replaceAll("__prefix__", total.value));
    }
  }
  rows.append(row);
  total.value = Number(total.value) + 1;
}

function addRow(button) {
  const form = button.closest("form");
  const total = form.querySelector(`[name=${button.dataset.addRow}-TOTAL_FORMS]`);
  const named = form.querySelector(`template[data-row="${button.dataset.addRow}"]`);
  const template = named || form.querySelector("template[data-row]");
  const row = template.content.cloneNode(true);
  const first = row.querySelector("input, select, textarea");
  appendRow(row, named ? form.querySelector(`[data-rows="${button.dataset.addRow}"]`) : form.querySelector("[data-rows]"), total);
  if (first) first.focus();
}

/* Adds the questions of a template after those that are there, without those whose column is there already. */
function addTemplate(button) {
  const form = button.closest("form");
  const rows = form.querySelector(`[data-rows="${button.dataset.preset}"]`);
  const total = form.querySelector(`[name=${button.dataset.preset}-TOTAL_FORMS]`);
  const columns = new Set([...rows.querySelectorAll("input[name$='-name']")].map((field) => field.value));
  const empty = form.querySelector(`template[data-row="${button.dataset.preset}"]`).content;
  const added = JSON.parse(button.dataset.questions).filter((question) => !columns.has(question.name));
  for (const question of added) {
    const row = empty.cloneNode(true).querySelector("details");
    const fill = (name, value) => { row.querySelector(`[name$="-${name}"]`).value = value; };
    for (const name of ["text", "name", "kind"]) fill(name, question[name]);
    fill("labels", question.labels.join("\n"));
    fill("ORDER", Number(total.value) + 1);
    if (question.points) fill("points", question.points);
    row.querySelector('[name$="-required"]').checked = question.required;
    row.querySelector(".question-title").textContent = question.text;
    row.open = false;
    appendRow(row, rows, total);
  }
  const said = button.closest(".rating-questions").querySelector("[role=status]");
  said.textContent = added.length ? said.dataset.added : said.dataset.there;
  rows.dispatchEvent(new Event("input", { bubbles: true }));
}

/* Fetches the page again and exchanges the marked part, so that neither scrolling nor focus elsewhere is lost. */
function refreshRegularly(part) {
  const seconds = Number(part.dataset.refreshSeconds);
  setInterval(async () => {
    if (document.hidden || part.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.href, { headers: { "X-Requested-With": "refresh" }, redirect: "error" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(part.id);
      if (fresh) {
        part.replaceChildren(...fresh.childNodes);
        showLocalTimes(part);
      }
    } catch (problem) {
      console.info("The page could not be refreshed; it will be tried again.", problem);
    }
  }, seconds * 1000);
}

/* Recordings move only while they are played: from their beginning, and never by themselves where people prefer stillness. */
function play(dialog, moves) {
  const image = dialog.querySelector("[data-moving]");
  const button = dialog.querySelector("[data-plays]");
  image.src = moves ? `${image.dataset.moving}?from=${Date.now()}` : image.dataset.still;
  button.textContent = moves ? button.dataset.stop : button.dataset.play;
  dialog.classList.toggle("is-playing", moves);
}

function openDialog(event, dialog) {
  event.preventDefault();
  dialog.showModal();
  if (!dialog.querySelector("[data-moving]")) return;
  play(dialog, !matchMedia("(prefers-reduced-motion: reduce)").matches);
  dialog.addEventListener("close", () => play(dialog, false), { once: true });
}

document.addEventListener("click", (event) => {
  const opens = event.target.closest("[data-opens]");
  if (opens) openDialog(event, document.getElementById(opens.dataset.opens));
  const plays = event.target.closest("[data-plays]");
  if (plays) {
    const dialog = document.getElementById(plays.dataset.plays);
    play(dialog, !dialog.classList.contains("is-playing"));
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) copyText(copy);
  const add = event.target.closest("[data-add-row]");
  if (add) addRow(add);
  const preset = event.target.closest("[data-preset]");
  if (preset) addTemplate(preset);
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit-on-change]")) event.target.form.requestSubmit();
});
document.querySelectorAll("[data-drop]").forEach(prepareDrop);
document.addEventListener("DOMContentLoaded", () => {
  showLocalTimes(document);
  document.querySelectorAll("[data-count-for]").forEach(prepareCount);
  document.querySelectorAll("[data-refresh-seconds]").forEach(refreshRegularly);
});

/* Asks the server what the settings in a form mean for the duration, and shows its answer without storing anything. */
let estimateTimer = 0;
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-estimate]");
  if (!form) return;
  clearTimeout(estimateTimer);
  estimateTimer = setTimeout(async () => {
    const body = new FormData(form);
    body.set("action", "estimate");
    const answer = await fetch(location.pathname, { method: "POST", body, redirect: "error" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(form.dataset.estimate);
    if (fresh) document.getElementById(form.dataset.estimate).replaceChildren(...fresh.childNodes);
  }, 600);
});

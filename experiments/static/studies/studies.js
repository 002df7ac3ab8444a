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

function addRow(button) {
  const form = button.closest("form");
  const total = form.querySelector(`[name=${button.dataset.addRow}-TOTAL_FORMS]`);
  const named = form.querySelector(`template[data-row="${button.dataset.addRow}"]`);
  const template = named || form.querySelector("template[data-row]");
  const row = template.content.cloneNode(true);
  for (const element of row.querySelectorAll("*")) {
    for (const name of ["name", "id", "for", "aria-describedby"]) {
      const value = element.getAttribute(name);
      if (value) element.setAttribute(name, value.replaceAll("__prefix__", total.value));
    }
  }
  const first = row.querySelector("input, select, textarea");
  const rows = named ? form.querySelector(`[data-rows="${button.dataset.addRow}"]`) : form.querySelector("[data-rows]");
  rows.append(row);
  total.value = Number(total.value) + 1;
  if (first) first.focus();
}

/* Puts a ready set of rows in the place of all rows. */
function putPreset(button) {
  const form = button.closest("form");
  const rows = form.querySelector(`[data-rows="${button.dataset.preset}"]`);
  rows.replaceChildren(button.nextElementSibling.content.cloneNode(true));
  form.querySelector(`[name=${button.dataset.preset}-TOTAL_FORMS]`).value = button.dataset.count;
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

document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) copyText(copy);
  const add = event.target.closest("[data-add-row]");
  if (add) addRow(add);
  const preset = event.target.closest("[data-preset]");
  if (preset) putPreset(preset);
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

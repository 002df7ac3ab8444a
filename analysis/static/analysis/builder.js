"use strict";
/* Writes the formula of what was chosen, as the server writes it. Slopes are offered of the factors that are chosen. */

const builder = document.querySelector("[data-builder]");

function showSlopes() {
  const chosen = new Set([...builder.querySelectorAll("[name='build_factors']:checked")].map((box) => box.value));
  for (const slope of builder.querySelectorAll("[data-slope]")) slope.hidden = !chosen.has(slope.dataset.slope);
}

async function writeFormula() {
  const form = builder.closest("form");
  const body = new FormData(form);
  body.set("build", "1");
  const answer = await fetch(form.action, { method: "POST", body, redirect: "error" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[name='formula']");
  const field = form.querySelector("[name='formula']");
  if (!fresh || field.value === fresh.value) return;
  field.value = fresh.value;
  builder.querySelector("[role='status']").textContent = builder.dataset.written;
}

if (builder) {
  showSlopes();
  let latest = Promise.resolve();
  builder.addEventListener("change", () => {
    showSlopes();
    latest = latest.then(writeFormula);
  });
}

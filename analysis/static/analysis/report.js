"use strict";
/* A figure of several panels would be too small to read on a telephone: it keeps its size there and is scrolled. */

const WIDE = 640;

function mark(image) {
  if (image.naturalWidth <= WIDE) return;
  const box = image.closest("[data-label]");
  box.classList.add("wide");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", box.dataset.label);
}

for (const image of document.querySelectorAll(".report figure img")) {
  if (image.complete) mark(image);
  else image.addEventListener("load", () => mark(image));
}

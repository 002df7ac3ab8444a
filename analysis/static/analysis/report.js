"use strict";
/* On paper everything but the tables with all columns is there. */
const folded = () => document.querySelectorAll(".report details:is(.folded, .folded-sentences, .folded-figures):not([open])");
addEventListener("beforeprint", () => {
  for (const part of folded()) {
    part.open = true;
    part.dataset.forPaper = "";
  }
});
addEventListener("afterprint", () => {
  for (const part of document.querySelectorAll(".report details[data-for-paper]")) {
    part.open = false;
    delete part.dataset.forPaper;
  }
});

/* A link to a table opens it. */
function unfold() {
  const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}
addEventListener("hashchange", unfold);
unfold();

if (location.hash === "#levels") document.getElementById("levels")?.setAttribute("open", "");

"use strict";
/* A factor that is within one unit is between the other: the choice of the unit shows it in the field where it belongs.
   Without this script the fields are those of the unit with which the page came. */

const unit = document.querySelector(".analysis-form [name='unit']");

function arrange() {
  for (const box of document.querySelectorAll(".analysis-form [data-units]")) {
    const isOffered = box.dataset.units.split(" ").includes(unit ? unit.value : "participant");
    box.toggleAttribute("data-away", !isOffered);
    box.disabled = !isOffered;
    if (!isOffered) box.checked = false;
  }
}

if (unit && unit.tagName === "SELECT") unit.addEventListener("change", arrange);

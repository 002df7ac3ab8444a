"use strict";
/* Names that make themselves. A field with [data-named-after=title] follows the field of this name in its form, in a row
of several the one of the same row (by its number, or within [data-named-row]), until somebody writes a name of their own; emptied, it follows again. The server makes
the name (data-name-kind: address, part, column, code); it is none of data-taken, nor of the other fields of its kind. */
(() => {
  const suggested = new WeakMap();
  const timers = new WeakMap();

  const isFollowing = (field) => !field.value || field.value === suggested.get(field);

  function sourcesOf(field) {
    const row = field.closest("[data-named-row]");
    const before = field.name.includes("-") ? field.name.slice(0, field.name.lastIndexOf("-") + 1) : "";
    return [...field.form.elements].filter(
      (each) => each.name === before + field.dataset.namedAfter && (!row || row.contains(each)),
    );
  }

  /* What is written or chosen: of a choice its data-name, else what is read. */
  function writtenIn(source) {
    if (source.tagName === "SELECT") {
      const option = source.selectedOptions[0];
      return option?.value ? option.dataset.name || option.textContent : "";
    }
    return source.type === "radio" ? source.dataset.name || source.value : source.value;
  }

  function takenBeside(field) {
    const end = field.name.slice(field.name.lastIndexOf("-"));
    const others = [...field.form.elements].filter(
      (each) =>
        each !== field &&
        field.name.includes("-") &&
        each.dataset?.nameKind === field.dataset.nameKind &&
        each.name.endsWith(end),
    );
    const given = field.dataset.taken || field.form.dataset.taken || "";
    return [...given.split(","), ...others.map((each) => each.value)].filter(Boolean).join(",");
  }

  async function follow(field) {
    if (!isFollowing(field)) return;
    const source = sourcesOf(field).find((each) => each.type !== "radio" || each.checked);
    const text = source ? writtenIn(source).trim().slice(0, 300) : "";
    let name = "";
    if (text) {
      const asked = new URLSearchParams({ kind: field.dataset.nameKind, text, taken: takenBeside(field) });
      const answer = await fetch(`/admin/studies/new/name/?${asked}`, { redirect: "error" }).catch(() => null);
      if (!answer?.ok) return;
      name = (await answer.json()).name;
    }
    // Meanwhile somebody may have written on.
    if (!isFollowing(field) || (source && writtenIn(source).trim().slice(0, 300) !== text)) return;
    suggested.set(field, name);
    field.value = name;
    // Somebody who is there and begins to write means another name, not a longer one.
    if (document.activeElement === field) field.select();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function noticed(event) {
    const source = event.target;
    if (!source.form || !source.name) return;
    for (const field of source.form.querySelectorAll("[data-named-after]")) {
      if (!sourcesOf(field).includes(source)) continue;
      clearTimeout(timers.get(field));
      timers.set(field, setTimeout(follow, event.type === "change" ? 0 : 150, field));
    }
  }
  document.addEventListener("input", noticed);
  document.addEventListener("change", noticed);
  // Of what was chosen when the page came, such as the first task of a list.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-named-after]") && !event.target.value) follow(event.target);
  });
})();

"use strict";
/* Nothing is lost on leaving a form. Who leaves a page with changes that are not saved is asked first; what was typed is
kept in the storage of the tab until the server says that it stored it (config.middleware.SavedFormsMiddleware), and is
offered again where it did not: where the session had ended, the form was refused, or the server did not answer. Passwords,
codes and hidden fields are never kept, files cannot be. A form or a field with [data-not-kept] is left out. */
(() => {
  const template = document.getElementById("kept-forms");
  if (!template) return;
  const PREFIX = "form:";
  const FIELD = "kept_form";
  const COOKIE = "lectern_saved_form";
  const NEVER =
    "[type=hidden], [type=password], [type=submit], [type=button], [type=reset], [type=image], [type=file], " +
    "[autocomplete~=one-time-code], [autocomplete~=current-password], [autocomplete~=new-password], [data-not-kept]";
  const COUNTS = "input[type=hidden][name$='-TOTAL_FORMS']";
  const user = template.dataset.user;
  const answeredWith = performance.getEntriesByType("navigation")[0]?.responseStatus || 200;
  const states = [];

  const fieldsOf = (form) =>
    [...form.elements].filter(
      (field) =>
        field.name && field.matches("input, select, textarea") && !field.matches(NEVER) && !field.matches(":disabled"),
    );
  const filesOf = (form) => [...form.elements].filter((field) => field.type === "file" && field.files.length);

  /* What a field says now, and what the page came with. */
  function saidBy(field) {
    if (field.type === "checkbox" || field.type === "radio") return field.checked;
    if (field.type === "select-multiple") return [...field.selectedOptions].map((option) => option.value);
    return field.value;
  }
  function cameWith(field) {
    if (field.type === "checkbox" || field.type === "radio") return field.defaultChecked;
    if (field.type === "range" || field.type === "color") return field.value;
    if (field.tagName !== "SELECT") return field.defaultValue;
    const chosen = [...field.options].filter((option) => option.defaultSelected).map((option) => option.value);
    if (field.multiple) return chosen;
    return chosen.at(-1) ?? [...field.options].find((option) => !option.disabled)?.value ?? "";
  }
  const entries = (form, value) => fieldsOf(form).map((field) => [field.name, value(field)]);
  const counts = (form) =>
    Object.fromEntries([...form.querySelectorAll(COUNTS)].map((field) => [field.name, field.value]));

  /* Which form of the platform it is, on whatever page it stands: where it goes, and what its hidden fields name. */
  function keyOf(form, before) {
    const address = new URL(form.getAttribute("action") || location.href, location.href);
    const named = [...form.querySelectorAll("input[type=hidden]")]
      .filter(
        (field) => !/^(csrfmiddlewaretoken|shown|next)$|-[A-Z]+_FORMS$/.test(field.name) && field.value.length < 100,
      )
      .map((field) => `${field.name}=${field.value}`);
    const key = `${PREFIX}${address.pathname}${address.search}|${named.join("&")}`;
    return `${key}|${before.filter((state) => state.key.startsWith(`${key}|`)).length}`;
  }

  const isDirty = (state) =>
    state.form.isConnected &&
    (JSON.stringify(entries(state.form, saidBy)) !== state.baseline || filesOf(state.form).length > 0);

  function read(key) {
    try {
      return JSON.parse(sessionStorage.getItem(key));
    } catch {
      return null;
    }
  }
  function forget(key) {
    try {
      sessionStorage.removeItem(key);
    } catch {
      /* A browser without storage keeps nothing. */
    }
  }
  function keep(state) {
    clearTimeout(state.timer);
    if (!isDirty(state)) return forget(state.key);
    const { form } = state;
    const draft = {
      id: state.id,
      user,
      baseline: state.baseline,
      entries: entries(form, saidBy),
      counts: counts(form),
      shown: form.querySelector("input[type=hidden][name=shown]")?.value,
      files: filesOf(form).length,
    };
    try {
      sessionStorage.setItem(state.key, JSON.stringify(draft));
    } catch {
      /* More than a tab may keep, as a long table: who leaves is asked all the same. */
    }
  }

  function bringBack(state, draft) {
    const { form } = state;
    for (const [name, count] of Object.entries(draft.counts)) {
      const total = form.querySelector(`input[type=hidden][name="${CSS.escape(name)}"]`);
      const button = document.createElement("button");
      button.dataset.addRow = name.replace(/-TOTAL_FORMS$/, "");
      form.append(button);
      const hasRows = total && form.querySelector("template[data-row]");
      while (hasRows && Number(total.value) < Number(count)) addRow(button);
      button.remove();
    }
    const byName = new Map();
    for (const field of fieldsOf(form)) byName.set(field.name, [...(byName.get(field.name) || []), field]);
    let first = null;
    for (const [name, value] of draft.entries) {
      const field = byName.get(name)?.shift();
      if (!field || JSON.stringify(saidBy(field)) === JSON.stringify(value)) continue;
      first ||= field;
      if (typeof value === "boolean") field.checked = value;
      else if (Array.isArray(value)) for (const option of field.options) option.selected = value.includes(option.value);
      else field.value = value;
      for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const shown = form.querySelector("input[type=hidden][name=shown]");
    if (shown && draft.shown) shown.value = draft.shown;
    keep(state);
    (first || fieldsOf(form)[0])?.focus();
  }

  function offer(state, draft) {
    const note = template.content.cloneNode(true).firstElementChild;
    note.querySelector("[data-of-files]").hidden = !draft.files;
    note.querySelector("[data-bring-back]").addEventListener("click", () => {
      bringBack(state, draft);
      note.querySelector("[data-says]").textContent = template.dataset.broughtBack;
      note.querySelector(".actions").remove();
    });
    note.querySelector("[data-discard]").addEventListener("click", () => {
      if (!isDirty(state)) forget(state.key);
      note.remove();
      fieldsOf(state.form)[0]?.focus();
    });
    state.form.before(note);
    // A form in a fold is offered where it is seen.
    for (let fold = state.form.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }

  /* What the server said of the form that was sent last: its id, and whether it was stored or answered by a page. */
  function told() {
    const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${COOKIE}=`));
    if (!found) return [];
    // biome-ignore lint/suspicious/noDocumentCookie: Safari has no other way.
    document.cookie = `${COOKIE}=; path=/admin/; max-age=0; samesite=strict`;
    return found.slice(COOKIE.length + 1).split(".");
  }

  function forgetWhere(isOver) {
    try {
      for (const key of Object.keys(sessionStorage)) {
        if (key.startsWith(PREFIX) && isOver(read(key), key)) forget(key);
      }
    } catch {
      /* A browser without storage keeps nothing. */
    }
  }

  function begin() {
    const [id, outcome] = told();
    forgetWhere((draft) => draft?.user !== user || (draft.id === id && outcome === "saved"));
    for (const form of document.querySelectorAll("form[method=post]:not([data-not-kept], #changelist-form)")) {
      if (
        form.querySelector("[data-submit-on-change]") ||
        !(fieldsOf(form).length || form.querySelector("[type=file]"))
      )
        continue;
      const state = { form, key: keyOf(form, states), id: crypto.getRandomValues(new Uint32Array(4)).join("-") };
      state.baseline = JSON.stringify(entries(form, cameWith));
      states.push(state);
      const draft = read(state.key);
      const isShown = draft && JSON.stringify(draft.entries) === JSON.stringify(entries(form, cameWith));
      if (isShown && (answeredWith >= 400 || (draft.id === id && outcome === "answered"))) {
        // The page shows what was sent, and it is not stored.
        state.baseline = draft.baseline;
        keep(state);
      } else if (isShown || (draft && draft.id === id)) forget(state.key);
      else if (draft) offer(state, draft);
      else if (answeredWith >= 400 && form.querySelector(".field-faulty, .errorlist, [role=alert]"))
        state.baseline = "";
    }
    // A page without the form came in answer to it, such as the one that checks a table: it went on.
    forgetWhere((draft, key) => draft.id === id && !states.some((state) => state.key === key));
  }

  const stateOf = (element) =>
    states.find((state) => state.form === element?.form || state.form === element?.closest?.("form"));
  function noticed(event) {
    const state = stateOf(event.target);
    if (!state) return;
    state.isSent = false;
    clearTimeout(state.timer);
    state.timer = setTimeout(() => keep(state), 300);
  }
  for (const kind of ["input", "change", "click"]) document.addEventListener(kind, noticed);

  document.addEventListener("submit", (event) => {
    const state = states.find((each) => each.form === event.target);
    if (!state || event.defaultPrevented) return;
    keep(state);
    clearTimeout(state.timer);
    state.isSent = true;
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: FIELD, value: state.id });
    state.form.append(field);
    setTimeout(() => field.remove());
  });

  window.addEventListener("beforeunload", (event) => {
    const unsaved = states.filter((state) => !state.isSent && isDirty(state));
    unsaved.forEach(keep);
    if (unsaved.length) {
      event.preventDefault();
      event.returnValue = "";
    }
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) for (const state of states) state.isSent = false;
  });
  document.addEventListener("DOMContentLoaded", begin);
})();

"use strict";
/* A question mark beside headings and fields opens the paragraph of the documents that tells of them, in a panel on the
page. Which paragraph belongs where is declared in config/documentation/places.toml; without built documents there are no
question marks. */
(() => {
  const declared = document.getElementById("help-places");
  const panel = document.getElementById("help-panel");
  if (!declared || !panel) return;
  const places = JSON.parse(declared.textContent);
  const body = panel.querySelector("[data-body]");
  const whole = panel.querySelector("[data-whole]");
  const title = panel.querySelector("h2");

  function question(place, about) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "help-mark";
    const named = document.createElement("span");
    named.className = "sr-only";
    named.textContent = ` ${panel.dataset.about} ${about}`;
    button.append("?", named);
    button.setAttribute("aria-haspopup", "dialog");
    button.addEventListener("click", () => open(place, about));
    return button;
  }

  /* The mark stands beside a heading or a label and is no part of its name; a legend has to hold it. */
  function put(element, place) {
    const mark = question(place, said(element));
    if (element.matches("legend, p, summary")) {
      element.append(" ", mark);
      return;
    }
    const line = document.createElement("div");
    line.className = "with-help";
    element.before(line);
    line.append(element, mark);
  }

  function said(element) {
    const copy = element.cloneNode(true);
    for (const further of copy.querySelectorAll(".optional, .sr-only, .drag-handle, select, textarea"))
      further.remove();
    return copy.textContent.trim().split("\n")[0].trim();
  }

  /* The paragraph: from its heading to the next one of the same rank, or of a page without #, up to its first section. */
  function paragraphOf(page, anchor) {
    const article = page.querySelector("article") || page.body;
    const heading = anchor ? page.getElementById(anchor) : article.querySelector("h1");
    if (!heading) return null;
    const rank = anchor ? Number(heading.tagName[1]) : 2;
    const found = [];
    for (let next = heading.nextElementSibling; next; next = next.nextElementSibling) {
      if (/^H[1-6]$/.test(next.tagName) && Number(next.tagName[1]) <= rank) break;
      found.push(next);
    }
    return found;
  }

  /* Without scripts and ids, with addresses that are right on this page, and links that leave the page as it is. */
  function cleaned(element, address) {
    const copy = document.importNode(element, true);
    for (const each of [copy, ...copy.querySelectorAll("*")]) {
      each.removeAttribute("id");
      if (each.matches("script, style, .headerlink")) each.remove();
      for (const name of ["href", "src"]) {
        if (each.hasAttribute(name)) each.setAttribute(name, new URL(each.getAttribute(name), address).href);
      }
      if (each.matches("a[href]")) Object.assign(each, { target: "_blank", rel: "noopener" });
    }
    return copy;
  }

  async function open(place, about) {
    const address = new URL(places.documents + place, location.href);
    title.textContent = about;
    whole.href = address.href;
    body.textContent = panel.dataset.loading;
    panel.showModal();
    let found = null;
    try {
      const answer = await fetch(address.pathname);
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        found = paragraphOf(page, decodeURIComponent(address.hash.slice(1)));
      }
    } catch (problem) {
      console.info("The document could not be read.", problem);
    }
    if (found?.length) body.replaceChildren(...found.map((each) => cleaned(each, address)));
    else body.textContent = panel.dataset.lacking;
    body.scrollTop = 0;
  }

  function fieldNamed(name) {
    const ends = CSS.escape(name);
    return document.querySelectorAll(
      `main [name="${ends}"]:not([type=hidden]), main [name$="-${ends}"]:not([type=hidden])`,
    );
  }

  const heading = document.querySelector("main h1");
  if (heading && places.heading) put(heading, places.heading);
  for (const [id, place] of Object.entries(places.sections)) {
    const section = document.getElementById(id);
    const head = section?.matches("h2, h3") ? section : section?.querySelector("h2, h3, summary, p");
    if (head) put(head, place);
  }
  for (const [name, place] of Object.entries(places.fields)) {
    for (const field of fieldNamed(name)) {
      const around = field.closest(".field, .actions, .drop");
      const label = around?.querySelector("label, legend");
      if (!label || around.querySelector(".help-mark")) continue;
      put(label, place);
    }
  }

  panel.querySelector("[data-close]").addEventListener("click", () => panel.close());
  panel.addEventListener("click", (event) => {
    if (event.target === panel) panel.close();
  });
})();

"use strict";
/* Rows are dragged into another order, by mouse and by touch; buttons or numbers beside them do the same by keyboard.
The rows of a list with [data-order-rows] get a handle. With data-order-rows=numbers the new order is written into the
fields of the rows whose names end with -ORDER, and saved with the form. With data-order-rows=names it is sent at once: the
form that data-order-form names (else the one around the list) gets all names, from data-order-row, in its field `order`,
and in `part` the one that was moved. */
(() => {
  const EDGE = 70;
  const STEP = 14;
  let drag = null;

  const rowsOf = (list) => [...list.children].filter((row) => !row.matches("template, legend"));
  const isFixed = (list) => list.matches(":disabled") || list.closest("fieldset:disabled") !== null;

  function giveHandles(list) {
    if (isFixed(list)) return;
    for (const row of rowsOf(list)) {
      if (row.querySelector(".drag-handle")) continue;
      const handle = document.createElement("span");
      handle.className = "drag-handle";
      handle.ariaHidden = "true";
      handle.textContent = "⠿";
      // In a summary, before the heading of a card, or at the beginning of the row.
      (row.querySelector(":scope > summary, :scope > .card-head > h2") || row).prepend(handle);
    }
  }

  function scrollerOf(element) {
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowY } = getComputedStyle(around);
      if (/auto|scroll/.test(overflowY) && around.scrollHeight > around.clientHeight) return around;
    }
    return document.scrollingElement;
  }

  function unmark() {
    for (const row of document.querySelectorAll(".drop-before, .drop-after"))
      row.classList.remove("drop-before", "drop-after");
  }

  /* Shows where the row would go: before `next`, or at the end. */
  function place() {
    const { row, list, scroller } = drag;
    row.style.transform = `translateY(${drag.y + scroller.scrollTop - drag.from}px)`;
    const others = rowsOf(list).filter((each) => each !== row);
    const next = others.find((each) => {
      const box = each.getBoundingClientRect();
      return drag.y < box.top + box.height / 2;
    });
    unmark();
    drag.next = next || null;
    if (next) next.classList.add("drop-before");
    else others.at(-1)?.classList.add("drop-after");
  }

  function scrollAtEdge() {
    const way = drag.y < EDGE ? -STEP : drag.y > window.innerHeight - EDGE ? STEP : 0;
    if (!way) return;
    drag.scroller.scrollTop += way;
    place();
  }

  function begin(event) {
    const handle = event.target.closest?.(".drag-handle");
    if (!handle || event.button) return;
    event.preventDefault();
    const list = handle.closest("[data-order-rows]");
    const row = rowsOf(list).find((each) => each.contains(handle));
    const scroller = scrollerOf(list);
    drag = {
      row,
      list,
      scroller,
      y: event.clientY,
      from: event.clientY + scroller.scrollTop,
      next: row.nextElementSibling,
    };
    drag.timer = setInterval(scrollAtEdge, 30);
    row.classList.add("dragged");
  }

  function end(isDropped) {
    const { row, list, next, timer } = drag;
    drag = null;
    clearInterval(timer);
    unmark();
    row.classList.remove("dragged");
    row.style.transform = "";
    const before = rowsOf(list);
    if (!isDropped) return;
    if (next) next.before(row);
    else before.at(-1).after(row);
    if (rowsOf(list).some((each, at) => each !== before[at])) tell(list, row);
  }

  function tell(list, moved) {
    if (list.dataset.orderRows === "numbers") {
      rowsOf(list).forEach((row, at) => {
        row.querySelector("input[name$='-ORDER']").value = at + 1;
      });
      moved.querySelector("input[name$='-ORDER']").dispatchEvent(new Event("input", { bubbles: true }));
      return;
    }
    const form = list.dataset.orderForm ? document.getElementById(list.dataset.orderForm) : list.closest("form");
    form.elements.order.value = JSON.stringify(rowsOf(list).map((row) => row.dataset.orderRow));
    if (form.elements.part) form.elements.part.value = moved.dataset.orderRow;
    form.requestSubmit();
  }

  document.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.y = event.clientY;
    place();
  });
  document.addEventListener("pointerup", () => drag && end(true));
  document.addEventListener("pointercancel", () => drag && end(false));
  document.addEventListener("keydown", (event) => drag && event.key === "Escape" && end(false));
  // A press on the handle neither opens nor closes the fold that it stands in.
  document.addEventListener("click", (event) => event.target.closest?.(".drag-handle") && event.preventDefault());
  document.addEventListener("DOMContentLoaded", () => {
    for (const list of document.querySelectorAll("[data-order-rows]")) {
      giveHandles(list);
      new MutationObserver(() => giveHandles(list)).observe(list, { childList: true });
    }
  });
})();

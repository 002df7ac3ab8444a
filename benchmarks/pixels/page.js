// On the page of a session, and on the peer's: a busy main thread where the address asks for it, and one report.
(() => {
  // The sentence of the modulus stands elsewhere.
  const STIMULUS = ".modulus ~ .stimulus, .recall-sentence, .choice-text.prime, #jspsych-html-keyboard-response-stimulus .stimulus";
  const BLOCKED = 45;
  const FREE = 52;
  const options = new URLSearchParams(location.search);
  if (options.has("busy")) {
    const work = () => {
      const end = performance.now() + BLOCKED;
      while (performance.now() < end);
      setTimeout(work, FREE);
    };
    setTimeout(work, FREE);
  }
  const watching = new MutationObserver(() => {
    const stimulus = document.querySelector(STIMULUS);
    if (stimulus === null) return;
    watching.disconnect();
    requestAnimationFrame(() => {
      const { left, top, width, height } = stimulus.getBoundingClientRect();
      const told = {
        run: options.get("run"),
        // Firefox has a bar above the page where it is not content with the system, and says where the page begins.
        rectangle: [left + (globalThis.mozInnerScreenX ?? 0), top + (globalThis.mozInnerScreenY ?? 0), width, height].map((value) => Math.round(value * devicePixelRatio)),
        origin_ms: performance.timeOrigin,
        viewport: [innerWidth, innerHeight],
        agent: navigator.userAgent,
        isolated: crossOriginIsolated,
        focused: document.hasFocus(),
      };
      const note = () => fetch("/benchmark/", { method: "POST", body: JSON.stringify(told) });
      void note();
    });
  });
  watching.observe(document, { childList: true, subtree: true });
})();

"""What pages have shown, told by themselves as they put it up, so that it is known of pages that are killed next."""

from __future__ import annotations

import json

from playwright.sync_api import BrowserContext

TELLS = """(() => {
  const told = new WeakSet();
  new MutationObserver(() => {
    for (const shown of document.querySelectorAll(SELECTOR)) {
      if (!told.has(shown)) { told.add(shown); tellShown(shown.id || shown.className); }
    }
  }).observe(document, { childList: true, subtree: true });
})()"""


class Shown:
    """Counts the elements that a selector has found on the pages of a browser, in the order they came."""

    def __init__(self, context: BrowserContext, selector: str) -> None:
        self.number = 0
        context.expose_binding("tellShown", self._note)
        context.add_init_script(TELLS.replace("SELECTOR", json.dumps(selector)))

    def _note(self, source: object, what: str) -> None:
        self.number += 1

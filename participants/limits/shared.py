"""Count guesses by sender for all machines together, in the shared cache (`CACHE_URL`).

For what is rare: by default it costs some statements of the database. If counting fails, the count of the machine
holds.
"""

from __future__ import annotations

import logging

from django.core.cache import cache

logger = logging.getLogger(__name__)


def count_for_all(kind: str, sender: str, *, window: int, seconds: int) -> int:
    """Return how many times this sender has done this within the window, on any machine; 0 where nobody knows."""
    key = f"limit:{kind}:{window}:{sender}"
    try:
        cache.add(key, 0, timeout=2 * seconds)
        return cache.incr(key)
    except Exception:  # every kind of cache has errors of its own, and none of them is a reason to refuse somebody
        logger.warning("The shared cache does not answer; guesses are counted for each machine.", exc_info=True)
        return 0

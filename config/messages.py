"""Django's messages, which are stored for the next page: sentences are said in the language of the page at once."""

from __future__ import annotations

from typing import Any

from django.contrib.messages.storage.fallback import FallbackStorage

from experiments.languages import in_language


class Storage(FallbackStorage):
    """What Django uses unless told otherwise, for sentences too."""

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        super().add(level, in_language(message), extra_tags)

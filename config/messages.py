"""Message storage that translates sentences into the language of the page before they are stored."""

from __future__ import annotations

from typing import Any

from django.contrib.messages import ERROR
from django.contrib.messages.storage.fallback import FallbackStorage

from experiments.languages import in_language


class Storage(FallbackStorage):
    """Django's default storage, which also handles sentences. It knows whether the answer says an error."""

    says_error = False

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        self.says_error |= level >= ERROR
        super().add(level, in_language(message), extra_tags)

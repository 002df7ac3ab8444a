"""Why somebody cannot start, continue or withdraw: a code for programs, a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Refusal(Exception):
    """A request that is understood and declined. Nothing was changed.

    `code` is stable and meant for programs; `message` is shown to the participant; `status` is the HTTP status.
    """

    def __init__(self, code: str, message: str | _StrPromise, *, status: int = 409) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.status = status

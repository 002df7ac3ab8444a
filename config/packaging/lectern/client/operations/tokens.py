"""What a token may do.

Made of the declarations of the platform by `python -m config.packaging.clients`; do not edit.
"""

from __future__ import annotations

from ..asking import Asking
from .shapes import Token


class OfTokens(Asking):
    """What a token may do."""

    def get_token(self) -> Token:
        """Say what the token may do.

        Scopes: `read`.
        """
        found: Token = self._json("get_token", {})
        return found

    def revoke_token(self) -> None:
        """Revoke the token.

        For programs that have done what they were made for. The token cannot be used afterwards. Scopes: `read`.
        """
        self._nothing(
            "revoke_token",
            {},
            body={},
        )

"""What the server's log must not say: the part of an address that lets whoever has it in."""

from __future__ import annotations

import logging
import re

# Of invitations, new passwords, and links to read a study without an account.
SECRET = re.compile(r"(/account/invitation/\d+/|/account/password/[^/\s]+/|/preview/link/)[^/\s\"'?]+")


class WithoutSecretAddresses(logging.Filter):
    """Puts an ellipsis in the place of the secret in every address that a line of the log names."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True, so that every line is kept; one with a secret is changed.

        >>> record = logging.LogRecord("django", logging.INFO, "", 0, "Not found: %s", ("/preview/link/x7Qm/",), None)
        >>> WithoutSecretAddresses().filter(record), record.getMessage()
        (True, 'Not found: /preview/link/…/')
        """
        said = record.getMessage()
        if SECRET.search(said):
            record.msg, record.args = SECRET.sub(r"\1…", said), None
        return True

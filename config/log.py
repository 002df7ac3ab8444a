"""Log filter that removes secret parts of URLs, such as tokens of invitations."""

from __future__ import annotations

import logging
import re

# Of invitations, new passwords, and links to read a study without an account.
SECRET = re.compile(r"(/account/invitation/\d+/|/account/password/[^/\s]+/|/preview/link/)[^/\s\"'?]+")


class WithoutSecretAddresses(logging.Filter):
    """Replace the secret in every logged URL by an ellipsis."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True, so that every record is kept; secrets in it are replaced.

        >>> record = logging.LogRecord("django", logging.INFO, "", 0, "Not found: %s", ("/preview/link/x7Qm/",), None)
        >>> WithoutSecretAddresses().filter(record), record.getMessage()
        (True, 'Not found: /preview/link/…/')
        """
        said = record.getMessage()
        if SECRET.search(said):
            record.msg, record.args = SECRET.sub(r"\1…", said), None
        return True

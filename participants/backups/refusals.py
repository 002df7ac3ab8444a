"""Refusals of backups and restores."""


class BackupRefusal(Exception):
    """A backup or restore was refused. Nothing was changed, unless the message says otherwise; it says what can be
    done.
    """

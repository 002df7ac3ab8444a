"""Why a backup was not made or not put back."""


class BackupRefusal(Exception):
    """Nothing was changed, unless the message says otherwise; it says what can be done."""

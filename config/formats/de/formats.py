"""German date and time formats of record lists, the same as on study pages, with the time zone."""

DATETIME_FORMAT = "j. F Y, H:i e"

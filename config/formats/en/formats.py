"""English date and time formats of record lists, the same as on study pages, with the time zone."""

DATETIME_FORMAT = "j M Y, H:i e"

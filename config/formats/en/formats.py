"""How record lists write moments: as the pages of a study do, and in which time zone."""

DATETIME_FORMAT = "j M Y, H:i e"

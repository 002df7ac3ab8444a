"""How record lists write moments in German: as the pages of a study do, and in which time zone."""

DATETIME_FORMAT = "j. F Y, H:i e"

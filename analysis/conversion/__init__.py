"""Convert results of other tools to tables for `analyse`; formats are recognised by content, never by file name."""

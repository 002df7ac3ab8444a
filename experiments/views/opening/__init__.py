"""The page that opens a study: button, quota and dates, the check list, and all links of the study."""

"""Projects of other tools as studies: scripts, tables, pages and resources become a study file and what it names."""

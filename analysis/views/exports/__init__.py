"""Pages on which data leave: tables with conditions, single files, archives, papers."""

"""Pages of the materials: table, single items, media, design."""

"""Pages on which a researcher sees and changes the materials: table, single items, pictures and sounds, design."""

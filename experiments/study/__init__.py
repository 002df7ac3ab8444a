"""Services that change a study: access, editing, opening, life cycle, audit log."""

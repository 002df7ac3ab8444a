"""Pages that analyse a table without a study: upload, methods, reports, and a study made of it."""

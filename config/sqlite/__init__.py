"""Django's SQLite with writers that wait in line."""

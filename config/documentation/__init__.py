"""Documentation: hooks for building it with MkDocs, and views that serve it at /docs/."""

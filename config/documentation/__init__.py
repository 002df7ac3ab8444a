"""The documents as pages: how MkDocs builds them, and how the platform serves them at /docs/."""

"""Analyses as pure functions: a tidy frame goes in, a `Report` comes out.

Nothing in this package knows Django or a database, so every method can be used from a notebook as it is used
by the platform.
"""

"""Texts that were spoilt on purpose, and whether metrics notice."""

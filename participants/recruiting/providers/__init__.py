"""Providers of participants behind one small interface; `base` says what it is."""

"""Simulations that were asked for on a page: carried out in slices, by whichever process works."""

"""Counterbalancing and randomisation: Latin squares, block designs and trial orders, as pure functions."""

"""Participants' API: arrival, running sessions, the researchers' preview."""

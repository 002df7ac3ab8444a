"""The participants' API: arrival, a running session, the researcher's preview."""

"""Runs of analyses: requested, claimed, computed in a process of their own, finished or failed with a sentence."""

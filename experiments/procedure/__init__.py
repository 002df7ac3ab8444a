"""Procedure of a session: parts and their order, texts, questions, trials and estimated durations."""

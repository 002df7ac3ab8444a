"""Questionnaires as lists of questions: validate them, decide which are shown, check and score answers. Pure.

A questionnaire is a list of plain values, as a study file holds them, so that the background questions of a study and
any other list of questions follow the same rules.
"""

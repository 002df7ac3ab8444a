"""Questionnaires as lists of questions: which are well formed, who sees which, what an answer is, what it scores. Pure.

A questionnaire is a list of plain values, as a study file holds them, so that the background questions of a study and
any other list of questions follow the same rules.
"""

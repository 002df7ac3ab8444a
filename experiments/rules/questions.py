"""Validate background questions, as defined in `experiments.questionnaire`. Pure."""

from __future__ import annotations

from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.faults import question_faults
from experiments.questionnaire.kinds import KEYS, KINDS, MAX_QUESTIONS

__all__ = ["KEYS", "KINDS", "MAX_QUESTIONS", "complete_question", "question_faults"]

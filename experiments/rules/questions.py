"""Background questions: which ones are well formed. Pure; what a question is says `experiments.questionnaire`."""

from __future__ import annotations

from experiments.questionnaire.complete import complete_question
from experiments.questionnaire.faults import question_faults
from experiments.questionnaire.kinds import KEYS, KINDS, MAX_QUESTIONS

__all__ = ["KEYS", "KINDS", "MAX_QUESTIONS", "complete_question", "question_faults"]

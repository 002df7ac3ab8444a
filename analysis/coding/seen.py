"""Prepare a recall for coders and adjudicators: texts with marked differences, and suggested codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from analysis.coding.differences import Mark, marks
from analysis.coding.recalls import Recall, recalls
from analysis.coding.suggestions import Suggestion, suggest
from analysis.models import CodingState
from experiments.models import ErrorCode, Stimulus, Study
from experiments.paradigms import paradigm_named
from experiments.study.schemes import scheme_of


@dataclass(frozen=True)
class Seen:
    """A recall and its stimulus, blind to participant and condition."""

    recall_id: str
    stimulus: str
    recall: str
    stimulus_marks: tuple[Mark, ...]
    recall_marks: tuple[Mark, ...]
    suggestion: Suggestion | None


class Viewer:
    """Shows recalls of one study; asks for the scheme and the connectives once."""

    def __init__(self, study: Study, state: CodingState) -> None:
        self.study = study
        self.state = state

    @cached_property
    def scheme(self) -> list[ErrorCode]:
        return scheme_of(self.study)

    @cached_property
    def connectives(self) -> list[str]:
        return connectives_of(self.study)

    def texts(self, response_ids: Iterable[int]) -> dict[int, Seen]:
        """Return what is seen of responses, by response."""
        shown = {}
        for pk, recall in recalls(self.study, self.state, list(response_ids)).items():
            left, right = marks(recall.stimulus, recall.text)
            shown[pk] = Seen(recall.recall_id, recall.stimulus, recall.text, left, right, self.suggestion(recall))
        return shown

    def suggestion(self, recall: Recall) -> Suggestion | None:
        """Return what the words of a recall suggest."""
        return suggest(
            recall.stimulus,
            recall.text,
            scheme=self.scheme,
            defaults=paradigm_named(self.study.paradigm).default_error_codes,
            marked=recall.extra,
            connectives=self.connectives,
        )


def connectives_of(study: Study) -> list[str]:
    """Return the connectives that are marked anywhere in the materials of a study."""
    marked = Stimulus.objects.filter(item__part__study=study, extra__has_key="connective")
    return sorted(
        {text for text in marked.values_list("extra__connective", flat=True).distinct() if isinstance(text, str)}
    )

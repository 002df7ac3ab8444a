"""Models of studies: their parts, designs, texts, media and members.

When rows may change is decided in `lifecycle`; how a table becomes rows, in `materials`.
"""

from experiments.models.coding import ErrorCode
from experiments.models.design import Condition, Item, MediaFile, Stimulus, StimulusList, WordScore
from experiments.models.parts import Markup, Part, StudyText
from experiments.models.people import AuditEntry, Membership, PreviewLink
from experiments.models.studies import LEAST_NOTICE, NOTICE, Study

__all__ = [
    "LEAST_NOTICE", "NOTICE", "AuditEntry", "Condition", "ErrorCode", "Item", "Markup", "MediaFile", "Membership",
    "Part", "PreviewLink", "Stimulus", "StimulusList", "Study", "StudyText", "WordScore",
]  # fmt: skip

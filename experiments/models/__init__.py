"""Models of studies: their parts, designs, texts, media and members.

When rows may change is decided in `lifecycle`; how a table becomes rows, in `materials`.
"""

from experiments.models.coding import ErrorCode
from experiments.models.design import Condition, Item, MediaFile, Stimulus, StimulusList, WordScore
from experiments.models.parts import Markup, Part, StudyText
from experiments.models.people import AuditEntry, Comment, Membership, PreviewLink, Team, TeamMember, TeamShare
from experiments.models.studies import LEAST_NOTICE, NOTICE, Study
from experiments.models.versions import MaterialsContent, MaterialsVersion

__all__ = [
    "LEAST_NOTICE", "NOTICE", "AuditEntry", "Comment", "Condition", "ErrorCode", "Item", "Markup", "MaterialsContent",
    "MaterialsVersion", "MediaFile", "Membership", "Part", "PreviewLink", "Stimulus", "StimulusList", "Study",
    "StudyText", "Team", "TeamMember", "TeamShare", "WordScore",
]  # fmt: skip

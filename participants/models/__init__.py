"""What exists while people take part: participants, sessions, trials and what they answered.

Rows are written by `sessions` and `intake` alone. Recruitment ids live in a table of their own, so that they can be
erased without touching the data. Of what a participant holds (cookie, start key, codes) there is a hash to find it by
and, where it has to be shown again, a sealed copy: the properties of the same name take and give the text itself.
"""

from participants.models.people import Participant, RecruitmentIdentity
from participants.models.sessions import Session, SessionCode, SessionList, SessionPause
from participants.models.trials import BrowserError, EventBatch, IntakeProblem, Response, Trial
from participants.models.upkeep import Simulation, WriteProbe
from participants.models.withdrawals import Erasure, Tombstone

__all__ = [
    "BrowserError", "Erasure", "EventBatch", "IntakeProblem", "Participant", "RecruitmentIdentity", "Response",
    "Session", "SessionCode", "SessionList", "SessionPause", "Simulation", "Tombstone", "Trial", "WriteProbe",
]  # fmt: skip

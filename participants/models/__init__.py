"""Models of participants, sessions, trials and responses.

Participants, sessions and trials are created by `session` only, responses and events by `intake` only. Recruitment ids
have their own table, so that they can be erased without touching the data. Participants' secrets (cookie, start key,
codes) are stored as a hash for look-up and, if they have to be shown again, as a sealed copy; the properties of the
same name get and set the plain text.
"""

from participants.models.figures import SessionFigures
from participants.models.hooks import Hook, HookEvent
from participants.models.notifications import Notification, Subscription
from participants.models.people import Participant, RecruitmentIdentity
from participants.models.recruiting import Payment, PaymentTotal, ProviderSubmission, RecruitmentAccount
from participants.models.sessions import OneTimeResumeCode, Session, SessionCode, SessionList, SessionPause
from participants.models.trials import BrowserError, EventBatch, IntakeProblem, Response, Trial
from participants.models.upkeep import Simulation, WriteProbe
from participants.models.withdrawals import Erasure, Tombstone

__all__ = [
    "BrowserError", "Erasure", "EventBatch", "Hook", "HookEvent", "IntakeProblem", "Notification", "OneTimeResumeCode",
    "Participant", "Payment", "PaymentTotal", "ProviderSubmission", "RecruitmentAccount", "RecruitmentIdentity",
    "Response", "Session", "SessionCode", "SessionFigures", "SessionList", "SessionPause", "Simulation", "Subscription",
    "Tombstone", "Trial", "WriteProbe",
]  # fmt: skip

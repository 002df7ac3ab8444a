"""Models of recruitment by the API of a provider: the account of a study, its submissions, and the ledger of payments.

Ids of submissions are sealed like recruitment ids; those of persons are not stored at all, only their keyed hash, by
which a submission is matched with a session. The ledger keeps the hash of a submission, so that nothing is paid twice
even after ids were erased.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study
from participants.models.leases import Leased
from participants.sealing import keyed_digest, opened, seal


class RecruitmentAccount(Leased):
    """The account of a provider by which a study recruits, and the study as it is there."""

    class Provider(models.TextChoices):
        PROLIFIC = "prolific", "Prolific"
        SONA = "sona", "SONA"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="recruitment_accounts")
    provider = models.CharField(max_length=20, choices=Provider.choices)
    token_sealed = models.TextField()
    provider_study = models.CharField(max_length=60, blank=True, default="")
    provider_status = models.CharField(max_length=30, blank=True, default="")
    places = models.PositiveIntegerField(default=0)
    places_taken = models.PositiveIntegerField(default=0)
    reward = models.PositiveIntegerField(default=0, help_text=_("In hundredths of the currency."))
    currency = models.CharField(max_length=3, blank=True, default="")
    # What somebody asked for, and the worker does next: {"action": …, …}; empty when it is done.
    wish = models.JSONField(default=dict, blank=True)
    wished_at = models.DateTimeField(null=True, blank=True)
    said = models.CharField(max_length=300, blank=True, default="")
    has_failed = models.BooleanField(default=False)
    read_at = models.DateTimeField(null=True, blank=True)
    is_over = models.BooleanField(default=False, help_text=_("Nothing more is read since the ids were erased."))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "provider"], name="one_account_per_provider")]

    def __str__(self) -> str:
        return f"{self.get_provider_display()} of {self.study_id}"

    @property
    def token(self) -> str:
        """What opens the account; empty where it was sealed with another key."""
        return opened(self.token_sealed)

    @token.setter
    def token(self, text: str) -> None:
        self.token_sealed = seal(text)


class ProviderSubmission(models.Model):
    """A submission as the provider showed it last."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(RecruitmentAccount, on_delete=models.CASCADE, related_name="submissions")
    submission_hash = models.CharField(max_length=64)
    submission_sealed = models.TextField()
    person_hash = models.CharField(max_length=64)
    status = models.CharField(max_length=30)
    code = models.CharField(max_length=100, blank=True, default="")
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["account", "submission_hash"], name="one_row_per_submission"),
        ]
        indexes = [models.Index(fields=["study", "person_hash"], name="submission_by_person")]

    def __str__(self) -> str:
        return f"Submission {self.pk} ({self.status})"

    @property
    def submission(self) -> str:
        """The provider's id; empty where it was sealed with another key."""
        return opened(self.submission_sealed)

    @submission.setter
    def submission(self, text: str) -> None:
        self.submission_hash, self.submission_sealed = keyed_digest(text), seal(text)


class PaymentTotal(models.Model):
    """Payments that were proposed together; nothing is sent before the owner has confirmed their total."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(RecruitmentAccount, on_delete=models.CASCADE, related_name="totals")
    total = models.PositiveIntegerField(help_text=_("In hundredths of the currency."))
    currency = models.CharField(max_length=3, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Total {self.pk}"


class Payment(models.Model):
    """One row of the ledger: an intended payment, or a decision about one. See `participants.recruiting.ledger`."""

    class Kind(models.TextChoices):
        APPROVE = "approve", _("Approve")
        BONUS = "bonus", _("Bonus")
        SCREEN_OUT = "screen-out", _("Paid screen-out")
        CREDIT = "credit", _("Credit")
        REJECT = "reject", _("Reject")
        RETURN = "return", _("Ask to return")

    class State(models.TextChoices):
        PREPARED = "prepared", _("prepared")
        SENT = "sent", _("sent")
        CONFIRMED = "confirmed", _("confirmed")
        UNKNOWN = "unknown", _("unknown")
        MISSING = "missing", _("not paid")
        REFUSED = "refused", _("refused")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    account = models.ForeignKey(RecruitmentAccount, on_delete=models.CASCADE, related_name="payments")
    total = models.ForeignKey(PaymentTotal, on_delete=models.CASCADE, related_name="payments")
    submission_hash = models.CharField(max_length=64)
    submission_sealed = models.TextField(blank=True)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    purpose = models.CharField(max_length=40)
    amount = models.PositiveIntegerField(default=0, help_text=_("In hundredths of the currency."))
    message = models.TextField(blank=True, default="")
    category = models.CharField(max_length=40, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.PREPARED)
    reference = models.CharField(max_length=60, blank=True, default="")
    before = models.PositiveIntegerField(default=0)
    is_accepted = models.BooleanField(default=False)
    sent_at = models.DateTimeField(null=True, blank=True)
    # The attempt by which it was sent last: its answer, and no other, may change the row.
    attempt = models.CharField(max_length=32, blank=True, default="")
    said = models.CharField(max_length=300, blank=True, default="")
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            # A second payment for the same purpose cannot exist.
            models.UniqueConstraint(fields=["study", "submission_hash", "purpose"], name="paid_once_per_purpose"),
            models.UniqueConstraint(
                fields=["study", "submission_hash"],
                condition=models.Q(kind="bonus", state__in=["sent", "unknown"]),
                name="one_bonus_on_its_way",
            ),
            models.CheckConstraint(
                condition=models.Q(purpose="reward", kind__in=["approve", "screen-out", "credit", "reject"])
                | (~models.Q(purpose="reward") & models.Q(kind__in=["bonus", "return"])),
                name="reward_has_one_purpose",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["prepared", "refused", "confirmed"]) | models.Q(sent_at__isnull=False),
                name="sent_has_a_time",
            ),
        ]
        indexes = [models.Index(fields=["account", "state"], name="payment_by_state")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def submission(self) -> str:
        """The provider's id of the submission; empty where it was erased or sealed with another key."""
        return opened(self.submission_sealed) if self.submission_sealed else ""

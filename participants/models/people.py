"""Models of participants (pseudonyms) and, separately, of their recruitment ids."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from experiments.models import Study
from participants.codes import normalised_withdrawal_code
from participants.sealing import digest, keyed_digest, opened, seal


class Participant(models.Model):
    """A person in a study, known by a pseudonym only."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="participants")
    pseudonym = models.CharField(max_length=20)
    withdrawal_code_hash = models.CharField(max_length=64, unique=True)
    withdrawal_code_sealed = models.TextField()
    is_simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "pseudonym"], name="one_participant_per_pseudonym")]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def withdrawal_code(self) -> str:
        """The code that the last page shows; empty where it was sealed with another key."""
        return opened(self.withdrawal_code_sealed)

    @withdrawal_code.setter
    def withdrawal_code(self, code: str) -> None:
        self.withdrawal_code_hash = Participant.hash_of_code(code)
        self.withdrawal_code_sealed = seal(code)

    @staticmethod
    def hash_of_code(typed: str) -> str:
        """Return the hash by which a withdrawal code is found, however it was typed."""
        return digest(normalised_withdrawal_code(typed))


class RecruitmentIdentity(models.Model):
    """The id by which a recruitment platform knows a participant. Never exported; erasable alone."""

    participant = models.OneToOneField(Participant, on_delete=models.CASCADE, related_name="recruitment")
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(
        max_length=40, help_text=_("The parameter of the link with the id, such as PROLIFIC_PID.")
    )
    external_id_hash = models.CharField(max_length=64)
    external_id_sealed = models.TextField()
    parameters = models.JSONField(default=dict, blank=True, help_text=_("The other declared parameters of the link."))

    class Meta:
        verbose_name_plural = "recruitment identities"
        constraints = [
            models.UniqueConstraint(
                fields=["study", "source", "external_id_hash"], name="one_participant_per_external_id"
            )
        ]
        # By which somebody is found in other studies.
        indexes = [models.Index(fields=["external_id_hash"], name="identity_by_hash")]

    def __str__(self) -> str:
        return f"{self.source} of {self.participant_id}"

    @property
    def external_id(self) -> str:
        """The id as the link carried it; empty where it was sealed with another key."""
        return opened(self.external_id_sealed)

    @external_id.setter
    def external_id(self, text: str) -> None:
        self.external_id_hash = keyed_digest(text)
        self.external_id_sealed = seal(text)

"""Life cycle of a look of a sequential plan as a job; `sequential_plans` decides what is due and what follows."""

from __future__ import annotations

from django.db import transaction

from analysis.computing.of_look import TOO_FEW, look_computed
from analysis.computing.outcomes import Outcome, failure_sentence
from analysis.models import SequentialLook
from analysis.runs.claims import Claim
from analysis.runs.life import everybody_is_there
from analysis.sequential_plans.looks import decide
from experiments.study.editing import locked


class ClaimedLook(Claim):
    """A look that a worker holds."""

    model = SequentialLook
    computation = staticmethod(look_computed)

    def conclude(self, outcome: Outcome) -> None:
        """Write the decision down and pause the study where the plan stops, both or neither."""
        look = SequentialLook.objects.select_related("study").get(pk=self.pk)
        with transaction.atomic():
            study = locked(look.study)
            if not self.held().exists():
                return
            kind, people = outcome["kind"], outcome.get("participants", [])
            if kind == TOO_FEW:
                # Somebody withdrew or was left out meanwhile: the look is begun again when its people are there.
                self.held().delete()
            elif kind == "cancelled" or not everybody_is_there(people, study=study):
                self.give_back()
            else:
                decide(study, look, outcome, error="" if kind == "done" else failure_sentence(outcome))

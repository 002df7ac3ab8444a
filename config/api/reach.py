"""What a token reaches: within what its person sees, the studies for which it is valid."""

from __future__ import annotations

from django.db.models import QuerySet

from config.accounts.models import PersonalToken
from experiments.models import Study
from experiments.study.access import studies_for


def studies_of(token: PersonalToken) -> QuerySet[Study]:
    """Return the studies that the person of a token sees, and for which the token is valid."""
    found = studies_for(token.user)
    if token.is_for_some_studies:
        found = found.filter(pk__in=token.studies.values("pk"))
    return found


def tasks_of(study: Study) -> list[str]:
    """Return the names that `part` may have: of the tasks of a study, and of its pools."""
    return [*(task.name for task in study.tasks), *study.pools]

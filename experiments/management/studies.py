"""Look up the study that a command was given."""

from __future__ import annotations

from django.core.management.base import CommandError

from experiments.models import Study


def study_named(slug: str) -> Study:
    """Return the study with this slug; otherwise end the command with exit code 2 and list the existing slugs."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        known = ", ".join(Study.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no study '{slug}'. The studies are: {known}.", returncode=2)
    return study

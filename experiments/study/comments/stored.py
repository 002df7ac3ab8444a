"""Store, resolve and delete comments at a study's steps; every change is in the history, without the words."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from experiments.models import Comment, Study
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.editing import locked
from experiments.study.refusals import LifecycleRefusal

# Of one study, so that nobody fills the table.
MOST_COMMENTS = 1_000


def comments_at(study: Study, step: str, task: str) -> QuerySet[Comment]:
    """Return the comments at a step, the oldest first."""
    return Comment.objects.filter(study_id=study.pk, step=step, task=task).select_related("author", "resolved_by")


def unresolved(study: Study) -> dict[tuple[str, str], int]:
    """Return how many comments are not resolved, by step and task, in one query."""
    rows = Comment.objects.filter(study_id=study.pk, resolved_at=None).order_by().values_list("step", "task")
    return {(step, task): number for step, task, number in rows.annotate(Count("pk"))}


@transaction.atomic
def add_comment(study: Study, step: str, task: str, body: str, user: Any) -> Comment:
    """Store a comment. Raises LifecycleRefusal where the study has very many."""
    if Comment.objects.filter(study=locked(study)).count() >= MOST_COMMENTS:
        raise LifecycleRefusal(Sentence("This study has very many comments. Delete some of yours first."))
    comment = Comment.objects.create(study_id=study.pk, step=step, task=task, body=body, author=user)
    record(study, action="comment added", user=user, detail=_place(comment))
    return comment


@transaction.atomic
def resolve(comment: Comment, user: Any, *, is_resolved: bool) -> None:
    """Mark a comment as resolved, or as not resolved again."""
    now = timezone.now() if is_resolved else None
    open_before = Comment.objects.filter(pk=comment.pk, resolved_at__isnull=is_resolved)
    if open_before.update(resolved_at=now, resolved_by=user if is_resolved else None):
        if is_resolved:
            record(comment.study, action="comment resolved", user=user, detail=_place(comment))
        else:
            record(comment.study, action="comment opened again", user=user, detail=_place(comment))


@transaction.atomic
def delete_comment(comment: Comment, user: Any) -> None:
    """Delete a comment; that it was there stays in the history."""
    record(comment.study, action="comment deleted", user=user, detail=_place(comment))
    comment.delete()


def _place(comment: Comment) -> str:
    return f"{comment.step} ({comment.task})" if comment.task else comment.step

"""URL converter for a study's pages: `<slug>/…`, and `<slug>/parts/<task>/…` where a study has several tasks.

A study with a chosen task carries the task in its slug, so that its pages, forms and redirects stay with that task.
"""

from __future__ import annotations

from experiments.models.one_task import SlugOfTask


class StudyConverter:
    """The address of a study, perhaps with one of its tasks."""

    regex = r"[-a-zA-Z0-9_]+(?:/parts/[a-z][a-z0-9]*(?:-[a-z0-9]+)*)?"

    def to_python(self, value: str) -> SlugOfTask:
        slug, _, task = value.partition("/parts/")
        return SlugOfTask(slug, task)

    def to_url(self, value: str) -> str:
        task = getattr(value, "task", "")
        return f"{value}/parts/{task}" if task else str(value)

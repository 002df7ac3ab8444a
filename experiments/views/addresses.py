"""URL converter for a study's pages: `<slug>/…`, and `<slug>/parts/<task>/…` where a study has several tasks.

A study with a chosen task carries the task in its slug, so that its pages, forms and redirects stay with that task.
"""

from __future__ import annotations

from experiments.models.one_task import SlugOfTask


def safe_path(path: str) -> str:
    """Return the path of a page to go back to, nothing where it would lead away from the studies of this site."""
    return path if path.startswith("/admin/studies/") else ""


def is_number(text: str) -> bool:
    """Return whether a part of an address or a form is a number that a key or a place in a list can have."""
    return text.isdecimal() and len(text) < 16


def key_in(text: str) -> int:
    """Return the key of a row that a request names; 0, which no row has, for anything that is none.

    >>> key_in("12"), key_in("-1"), key_in("9" * 30)
    (12, 0, 0)
    """
    return int(text) if is_number(text) else 0


class StudyConverter:
    """The address of a study, perhaps with one of its tasks."""

    regex = r"[-a-zA-Z0-9_]+(?:/parts/[a-z][a-z0-9]*(?:-[a-z0-9]+)*)?"

    def to_python(self, value: str) -> SlugOfTask:
        slug, _, task = value.partition("/parts/")
        return SlugOfTask(slug, task)

    def to_url(self, value: str) -> str:
        task = getattr(value, "task", "")
        return f"{value}/parts/{task}" if task else str(value)

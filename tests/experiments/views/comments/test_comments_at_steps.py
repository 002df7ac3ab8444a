"""Comments at the steps of a study: who writes, resolves and deletes them, what the history says, and their bounds."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.models import Comment
from experiments.study.comments import stored
from experiments.study.lifecycle import delete_draft


@pytest.fixture
def say(ready: Any) -> Any:
    def post(client: Any, step: str = "materials", **given: Any) -> int:
        body = {"step": step, "task": "", "action": "add", **given}
        return int(client.post(f"/admin/studies/{ready.slug}/comments/", body).status_code)

    return post


def test_a_comment_is_shown_at_its_step_escaped_and_counted(ready: Any, client_of: Any, say: Any) -> None:
    viewer, owner = client_of("viewer", ready), client_of("owner", ready)
    assert say(viewer, body="<script>alert(1)</script>") == 302
    page = owner.get(f"/admin/studies/{ready.slug}/materials/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert(1)" not in page
    assert "the-viewer" in page
    elsewhere = owner.get(f"/admin/studies/{ready.slug}/design/").content.decode()
    assert "alert(1)" not in elsewhere
    assert "Comments that are not resolved" in elsewhere
    entry = ready.audit_entries.get(action="comment added")
    assert entry.detail == "materials"


def test_editors_resolve_and_authors_alone_delete(ready: Any, client_of: Any, say: Any) -> None:
    viewer, editor = client_of("viewer", ready), client_of("editor", ready)
    say(viewer, body="Item 3 is odd.")
    comment = Comment.objects.get()
    assert say(editor, action="delete", comment=comment.pk) == 403
    assert say(editor, action="resolve", comment=comment.pk) == 302
    comment.refresh_from_db()
    assert comment.resolved_by is not None
    assert comment.resolved_by.username == "the-editor"
    assert stored.unresolved(ready) == {}
    assert say(viewer, action="reopen", comment=comment.pk) == 302
    assert stored.unresolved(ready) == {("materials", ""): 1}
    assert say(viewer, action="delete", comment=comment.pk) == 302
    assert not Comment.objects.exists()
    said = set(ready.audit_entries.values_list("action", flat=True))
    assert {"comment resolved", "comment opened again", "comment deleted"} <= said


def test_a_viewer_does_not_resolve_what_others_said(ready: Any, client_of: Any, say: Any) -> None:
    say(client_of("owner", ready), body="Look at this.")
    assert say(client_of("viewer", ready), action="resolve", comment=Comment.objects.get().pk) == 403


def test_people_who_see_the_data_comment_on_what_they_see_and_nothing_else(
    ready: Any, client_of: Any, say: Any
) -> None:
    data, owner = client_of("data", ready), client_of("owner", ready)
    say(owner, body="A secret about the materials.")
    assert say(data, body="x") == 404
    assert say(data, action="delete", comment=Comment.objects.get().pk) == 404
    assert say(data, step="watch", body="Many leave early.") == 302
    assert "Many leave early." in data.get(f"/admin/studies/{ready.slug}/watch/").content.decode()


def test_coders_and_strangers_say_nothing(ready: Any, client_of: Any, say: Any) -> None:
    assert say(client_of("coder", ready), body="x") == 404
    assert say(client_of("stranger"), body="x") == 404
    assert not Comment.objects.exists()


def test_a_comment_is_bounded_and_so_is_their_number(
    ready: Any, client_of: Any, say: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = client_of("owner", ready)
    for body in ("", "   ", "a" * 2_001):
        say(owner, body=body)
    assert not Comment.objects.exists()
    monkeypatch.setattr(stored, "MOST_COMMENTS", 1)
    say(owner, body="a" * 2_000)
    say(owner, body="one too many")
    assert Comment.objects.count() == 1


def test_a_comment_of_another_study_or_step_is_not_there(ready: Any, client_of: Any, say: Any) -> None:
    owner = client_of("owner", ready)
    say(owner, body="x")
    for comment in ("0", "99999999999999999999", "x", ""):
        assert say(owner, action="resolve", comment=comment) == 404
    assert say(owner, step="design", action="resolve", comment=Comment.objects.get().pk) == 404
    assert say(owner, step="nowhere", body="x") == 404


def test_comments_are_erased_with_the_study(ready: Any, client_of: Any, say: Any, researcher: Any) -> None:
    say(client_of("owner", ready), body="x")
    delete_draft(ready, researcher)
    assert not Comment.objects.exists()

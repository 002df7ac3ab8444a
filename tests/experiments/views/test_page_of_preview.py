"""The page Preview: links for people without an account are made, shown once and taken back."""

import re

import pytest

from experiments.models import PreviewLink

pytestmark = pytest.mark.both


def address(study):
    return f"/admin/studies/{study.slug}/preview/"


def test_a_link_is_shown_once_and_works(ready, owner, client):
    page = owner.post(address(ready), {"note": "Ethics board", "days": "30"}).content.decode()
    (link,) = re.findall(rf"http://testserver(/s/{ready.slug}/preview/link/\S+?/)<", page)
    assert client.get(link).status_code == 302
    again = owner.get(address(ready)).content.decode()
    assert "Ethics board" in again
    assert link not in again


def test_a_link_is_taken_back(ready, owner, client):
    page = owner.post(address(ready), {"note": "Board", "days": "30"}).content.decode()
    (link,) = re.findall(rf"http://testserver(/s/{ready.slug}/preview/link/\S+?/)<", page)
    page = owner.post(address(ready), {"revoke": PreviewLink.objects.get().pk}, follow=True).content.decode()
    assert "The link was taken back." in page
    assert client.get(link).status_code == 404


@pytest.mark.parametrize(
    "given", [{"note": "", "days": "30"}, {"note": "Board", "days": "0"}, {"note": "B", "days": "x"}]
)
def test_a_link_that_says_too_little_is_refused(given, ready, owner):
    assert owner.post(address(ready), given).status_code == 422
    assert not PreviewLink.objects.exists()


def test_a_viewer_makes_and_takes_back_none(ready, owner, client_of):
    owner.post(address(ready), {"note": "Board", "days": "30"})
    viewer = client_of("viewer", ready)
    assert viewer.post(address(ready), {"note": "Mine", "days": "30"}).status_code == 403
    assert viewer.post(address(ready), {"revoke": PreviewLink.objects.get().pk}).status_code == 403
    assert PreviewLink.objects.get().revoked_at is None
    assert "Take back" not in viewer.get(address(ready)).content.decode()

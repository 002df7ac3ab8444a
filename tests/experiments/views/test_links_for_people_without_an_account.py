"""The links on the page Open: links for people without an account are made, shown once and taken back."""

import re

import pytest

from experiments.models import PreviewLink

pytestmark = pytest.mark.both


def address(study):
    return f"/admin/studies/{study.slug}/open/"


def made(note, days="30"):
    return {"action": "preview-link", "note": note, "days": days}


def taken_back():
    return {"action": "take-back", "link": PreviewLink.objects.get().pk}


def test_a_link_is_shown_once_and_works(ready, owner, client):
    page = owner.post(address(ready), made("Ethics board")).content.decode()
    (link,) = re.findall(rf"http://testserver(/s/{ready.slug}/preview/link/\S+?/)<", page)
    assert client.get(link).status_code == 302
    again = owner.get(address(ready)).content.decode()
    assert "Ethics board" in again
    assert link not in again


def test_a_link_is_taken_back(ready, owner, client):
    page = owner.post(address(ready), made("Board")).content.decode()
    (link,) = re.findall(rf"http://testserver(/s/{ready.slug}/preview/link/\S+?/)<", page)
    page = owner.post(address(ready), taken_back(), follow=True).content.decode()
    assert "The link was revoked. It no longer opens anything." in page
    assert client.get(link).status_code == 404


@pytest.mark.parametrize(
    "given", [{"note": "", "days": "30"}, {"note": "Board", "days": "0"}, {"note": "B", "days": "x"}]
)
def test_a_link_that_says_too_little_is_refused(given, ready, owner):
    assert owner.post(address(ready), made(**given)).status_code == 422
    assert not PreviewLink.objects.exists()


def test_a_viewer_makes_and_takes_back_none(ready, owner, client_of):
    owner.post(address(ready), made("Board"))
    viewer = client_of("viewer", ready)
    assert viewer.post(address(ready), made("Mine")).status_code == 403
    assert viewer.post(address(ready), taken_back()).status_code == 403
    assert PreviewLink.objects.get().revoked_at is None
    assert "Revoke" not in viewer.get(address(ready)).content.decode()

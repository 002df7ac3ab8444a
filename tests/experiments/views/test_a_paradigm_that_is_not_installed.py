"""A study whose package was removed: it is named as what it is, and every other study goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config.command import carry_out
from experiments.models import Part, Study
from tests.participants.studies import Browser, open_study


@pytest.fixture
def orphan(researcher: User) -> Study:
    """An open study of somebody with data, whose paradigm came from a package that is gone."""
    study = open_study("orphan")
    Study.objects.filter(pk=study.pk).update(owner=researcher)
    Browser(study).answer_all()
    Part.objects.filter(study=study, paradigm=study.paradigm).update(paradigm="gone-judgement")
    return Study.objects.get(pk=study.pk)


@pytest.fixture
def reader(researcher: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(researcher)
    return client


def test_the_list_of_studies_names_what_lacks_and_shows_the_others(orphan: Study, reader: Client) -> None:
    for address in ("/admin/", "/admin/studies/"):
        page = reader.get(address, follow=True)
        assert page.status_code == 200
        assert "Its paradigm “gone-judgement” is not installed." in page.content.decode()


@pytest.mark.parametrize(
    "address", ["/admin/studies/orphan/", "/admin/studies/orphan/watch/", "/admin/studies/orphan/export/", "/s/orphan/"]
)
def test_its_pages_say_that_nothing_is_lost(orphan: Study, reader: Client, address: str) -> None:
    answer = reader.get(address)
    assert answer.status_code == 503
    page = answer.content.decode()
    assert "gone-judgement" in page
    assert "nothing is lost" in page


@pytest.mark.parametrize("command", [("check_data", "orphan"), ("export_data", "orphan", "--out", "out")])
def test_commands_say_it_in_a_sentence(
    orphan: Study, command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"There is no paradigm 'gone-judgement'.*install the package again"):
        carry_out(["manage.py", *command])
    assert not (tmp_path / "out" / "manifest.json").exists()

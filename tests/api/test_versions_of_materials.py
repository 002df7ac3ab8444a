"""Versions of materials by program: listed, compared page by page, restored with If-Match alone."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.models import MaterialsVersion
from experiments.study.lifecycle import create_study
from tests.api.conftest import Program, content_of

pytestmark = pytest.mark.django_db
AT = "studies/by-program/materials/"
FIRST = b"item,text,order\n1,One two.,a\n1,Two one.,b\n2,Three four.,a\n2,Four three.,b\n"


@pytest.fixture
def stored(program: Program, owner: Any) -> Program:
    """A program, and a draft with two versions."""
    create_study(slug="by-program", title="By program", paradigm="rating", user=owner, owner=owner)
    for table, note in ((FIRST, ""), (FIRST.replace(b"One", b"Eight").replace(b"Four", b"Nine"), "Numbers")):
        etag = program.get(AT)["ETag"]
        assert program.ask("PUT", f"{AT}?note={note}", table, "text/csv", If_Match=etag).status_code == 200
    return program


def test_versions_are_listed_and_read(stored: Program, owner: Any) -> None:
    newest, first = stored.get(f"{AT}versions/").json()["items"]
    assert (newest["version"], newest["note"], newest["is_current"]) == (2, "Numbers", True)
    assert newest["saved_by"] == owner.get_username()
    assert newest["change"]["columns"] == [{"column": "text", "texts": 2}]
    assert first == stored.get(f"{AT}versions/1/").json()
    assert (first["change"], first["is_current"]) == (None, False)
    page = stored.get(f"{AT}versions/?limit=1").json()
    assert [one["version"] for one in page["items"]] == [2]
    rest = stored.get(f"{AT}versions/?limit=1&cursor={page['next_cursor']}").json()
    assert ([one["version"] for one in rest["items"]], rest["next"]) == ([1], None)
    assert content_of(stored.get(f"{AT}versions/2/materials.csv")) == content_of(stored.get(AT))


def test_differences_come_page_by_page(stored: Program) -> None:
    whole = stored.get(f"{AT}versions/2/difference/").json()
    assert (whole["before"], whole["after"], whole["change"]["changed"]) == (1, 2, 2)
    assert whole["items"][0] == {
        "change": "changed", "item": "1", "condition": "a",
        "cells": [{"column": "text", "before": "One two.", "after": "Eight two."}],
    }  # fmt: skip
    found, query = [], "?limit=1"
    while query:
        page = stored.get(f"{AT}versions/2/difference/{query}").json()
        found += page["items"]
        query = f"?limit=1&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert found == whole["items"]
    turned = stored.get(f"{AT}versions/1/difference/?since=2").json()
    assert turned["items"][0]["cells"][0]["after"] == "One two."
    assert stored.get(f"{AT}versions/1/difference/").status_code == 422


def test_going_back_needs_the_etag_of_the_materials(stored: Program) -> None:
    address = f"{AT}versions/1/restore/"
    assert stored.post(address).json()["code"] == "precondition-required"
    assert stored.post(address, If_Match='"other"').status_code == 412
    assert MaterialsVersion.objects.count() == 2
    etag = stored.get(AT)["ETag"]
    made = stored.post(address, {"note": "As before"}, If_Match=etag)
    assert (made.status_code, made.json()["version"], made.json()["kind"]) == (200, 3, "back")
    assert made["ETag"] == stored.get(AT)["ETag"] != etag
    again = stored.post(address, If_Match=made["ETag"])
    assert (again.status_code, again.json()["code"]) == (409, "refused")


@pytest.mark.parametrize("number", ["0", "3", "1e3", "-1", "१", "99999999999"])
def test_other_versions_are_not_there(stored: Program, number: str) -> None:
    for end in ("", "materials.csv", "difference/"):
        assert stored.get(f"{AT}versions/{number}/{end}").status_code == 404

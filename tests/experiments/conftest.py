"""Studies, researchers and materials that many tests start from."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from experiments.formats.csvtext import csv_text
from experiments.materials import design_from, read_table
from experiments.paradigms import paradigm_named
from experiments.study.lifecycle import create_study, save_design, save_details

EXAMPLE = Path(__file__).resolve().parents[2] / "experiments" / "examples" / "causal-sentences"


@pytest.fixture
def paradigm():
    return paradigm_named("magnitude-estimation")


@pytest.fixture
def researcher(db):
    return get_user_model().objects.create_user("ada", "ada@example.org", "a long password", is_staff=True)


@pytest.fixture
def other_researcher(db):
    return get_user_model().objects.create_user("bela", "bela@example.org", "a long password", is_staff=True)


def crossed_rows(n_items=4, markers=("because", "so"), orders=("ab", "ba"), fillers=2, practice=1):
    rows = [
        (f"item{i}", f"Sentence {i} {marker} {order}.", marker, order, "false", "false", "news" if i % 2 else "fiction")
        for i in range(n_items)
        for marker, order in product(markers, orders)
    ]
    rows += [(f"filler{i}", f"Filler {i}.", "", "", "true", "false", "") for i in range(fillers)]
    return rows + [(f"practice{i}", f"Practice {i}.", "", "", "false", "true", "") for i in range(practice)]


HEADER = ("item", "text", "marker", "order", "is_filler", "is_practice", "genre")


@pytest.fixture
def rows_of():
    """Make the rows of a 2 × 2 design, to be changed by a test."""
    return crossed_rows


@pytest.fixture
def table_from():
    """Turn header and rows into a table, through the bytes of a CSV file."""

    def table(rows, header=HEADER):
        return read_table(csv_text(header, rows).encode(), "materials.csv")

    return table


@pytest.fixture
def design(table_from, rows_of, paradigm):
    return design_from(table_from(rows_of()), paradigm)


@pytest.fixture
def draft(researcher):
    """A new study, as the page for new studies makes it."""
    return create_study(
        slug="causal", title="Causal sentences", paradigm="magnitude-estimation", user=researcher, owner=researcher
    )


@pytest.fixture
def ready(draft, design, researcher):
    """A study that lacks nothing."""
    save_details(
        draft,
        {
            "responsible": "Ada Example",
            "contact": "ada@example.org",
            "estimated_minutes": 5,
            "data_protection_note": "On our server, for ten years, seen by us.",
            "settings": {"modulus_text": "The reference sentence."},
        },
        researcher,
    )
    save_design(draft, design, researcher)
    draft.refresh_from_db()
    return draft

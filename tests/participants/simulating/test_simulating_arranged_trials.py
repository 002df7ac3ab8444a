"""Trials in blocks, chains and repetitions over HTTP, from simulated participants to the export."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from experiments.models import Study
from experiments.study.lifecycle import open_study, save_procedure
from experiments.study_files import create_from_toml
from participants.models import Session
from participants.watching.invariants import violations

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

EXAMPLE = Path(settings.BASE_DIR) / "experiments" / "examples" / "primed-pairs" / "study.toml"


def test_blocks_are_balanced_pairs_stay_together_and_repetitions_are_numbered(
    django_user_model: Any, tmp_path: Path
) -> None:
    owner = django_user_model.objects.create_user("researcher")
    draft = create_from_toml(EXAMPLE, user=owner, owner=owner)
    rules = {"repetitions": 2, "repetition_rounds": True, "min_distance": 2}
    save_procedure(draft, {**draft.procedure, **rules}, owner)
    study = open_study(Study.objects.get(pk=draft.pk), user=owner)
    call_command("simulate", study.slug, participants=8, seed=1)
    assert not any(violations(study).values())
    call_command("export_data", study.slug, out=tmp_path)
    with (tmp_path / "trials.csv").open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = [row for row in reader if row["phase"] == "main"]
    assert reader.fieldnames is not None
    assert reader.fieldnames[-4:] == ["block", "block_number", "repetition", "item_repetition"]
    assert len(rows) == 8 * 32 * 2
    first: Counter[tuple[str, str]] = Counter()
    for _session, group in groupby(rows, key=lambda row: row["session"]):
        own = list(group)
        assert [number for number, _block in groupby(row["block_number"] for row in own)] == ["1", "2"]
        assert all(row["block"] == row["theme"] for row in own)
        first[own[0]["list"], own[0]["block"]] += 1
        # A prime and its target follow each other, each time in both rounds of their block.
        pairs = [own[place : place + 2] for place in range(0, len(own), 2)]
        assert all(prime["pair"] == target["pair"] for prime, target in pairs)
        assert all(prime["item"] < target["item"] for prime, target in pairs)
        assert all(prime["relation"] == target["relation"] for prime, target in pairs)
        for _block, in_block in groupby(own, key=lambda row: row["block"]):
            repetitions = [row["repetition"] for row in in_block]
            assert repetitions == ["1"] * 16 + ["2"] * 16
        assert all(row["repetition"] == row["item_repetition"] for row in own)
    # Both orders of the blocks equally often within each of the two lists.
    assert first == {(number, block): 2 for number in ("1", "2") for block in ("animals", "kitchen")}
    seeds = Session.objects.filter(study=study).values_list("seed", flat=True)
    assert Counter(seed % 4 for seed in seeds) == dict.fromkeys(range(4), 2), "keys and orders are crossed"


def test_people_who_see_two_of_three_conditions_of_an_item_see_every_two_equally_often(
    django_user_model: Any, tmp_path: Path
) -> None:
    rows = ["item,text,marker"] + [
        f"i{item},{marker} {item}.,{marker}" for item in range(6) for marker in ("so", "but", "and")
    ]
    (tmp_path / "materials.csv").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "study.toml").write_text(
        'slug = "pairs"\ntitle = "Two of three"\nparadigm = "rating"\nresponsible = "L"\n'
        'contact = "l@example.org"\nestimated_minutes = 5\ndata_protection_note = "Kept here."\n'
        '[materials]\nfile = "materials.csv"\n'
        '[procedure]\nconditions = "several"\nconditions_per_item = 2\nmin_distance = 3\n',
        encoding="utf-8",
    )
    owner = django_user_model.objects.create_user("researcher")
    study = open_study(create_from_toml(tmp_path / "study.toml", user=owner, owner=owner), user=owner)
    call_command("simulate", study.slug, participants=6, seed=2)
    assert not any(violations(study).values())
    call_command("export_data", study.slug, out=tmp_path)
    with (tmp_path / "trials.csv").open(newline="", encoding="utf-8") as file:
        shown = [row for row in csv.DictReader(file) if row["phase"] == "main"]
    met: Counter[tuple[str, ...]] = Counter()
    for _session, group in groupby(shown, key=lambda row: row["session"]):
        own = list(group)
        places: dict[str, list[int]] = {}
        for place, row in enumerate(own):
            places.setdefault(row["item"], []).append(place)
        assert all(len(at) == 2 and at[1] - at[0] > 3 for at in places.values())
        assert [own[place]["item_repetition"] for at in places.values() for place in at] == ["1", "2"] * 6
        assert Counter(row["marker"] for row in own) == {"so": 4, "but": 4, "and": 4}
        met.update((item, *sorted(own[place]["marker"] for place in at)) for item, at in places.items())
    # Six people on three lists: every item in each pair of conditions for two of them.
    assert len(met) == 6 * 3
    assert set(met.values()) == {2}

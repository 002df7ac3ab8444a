"""Two coders code 512 recalls through the pages, disagreements are settled, and the exported table gives the results.

What is expected is counted here from what the coders chose, without anything of the platform.
"""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.coding.queues import create_queue
from analysis.models import Coding
from experiments.study.lifecycle import save_member
from tests.analysis.recalls import FORMULATIONS, add_recalls, make_recall_study, user_named
from tests.analysis.views.coding.coder import Coder, text_of

WEIGHTS = {"0": 0.5, "1": 0.4, "2": -0.25, "3": -0.5, "4": -0.5, "5": 0.25, "6": 0.25}
pytestmark = [
    pytest.mark.full("what goes wrong in coding pages at the size of the published study alone"),
    pytest.mark.django_db,
    pytest.mark.slow,
]


def opinion(item: dict[str, Any], coder: str) -> list[str]:
    """Return what a coder thinks of a recall: mostly the same, whoever looks, and sometimes not."""
    stimulus, recall = text_of(item["stimulus"]), text_of(item["recall"])
    lost = len(stimulus.split()) - len(recall.split())
    rng = random.Random(f"{coder} {item['key']}")
    if rng.random() < 0.12:
        return rng.choice([["0"], ["1"], ["2"], ["3", "4"], ["5"], ["2", "4"]])
    if lost <= 0:
        return ["1"] if " since " in recall or " due to " in recall else ["0"]
    return ["3"] if lost < 4 else ["4"] if lost < 5 else ["3", "4"]


def code_everything(coder: Coder, name: str) -> dict[str, list[str]]:
    """Go through the queue as the page does, window by window, and return what was chosen."""
    chosen: dict[str, list[str]] = {}
    for first in range(1, 513, 40):
        for item in coder.items(first, 40):
            chosen[item["key"]] = opinion(item, name)
            answer = coder.save(item, chosen[item["key"]], seconds=4.5)
            assert answer.status_code == 200, answer.content
    assert answer.json()["coded"] == answer.json()["total"] == 512
    assert coder.get("next/").json() == {"number": None}
    return chosen


def kappa_of(one: dict[str, list[str]], other: dict[str, list[str]], code: str) -> tuple[float, float]:
    """Return raw agreement and Cohen's kappa of two coders on one code."""
    pairs = Counter((code in one[key], code in other[key]) for key in one)
    n = sum(pairs.values())
    raw = (pairs[True, True] + pairs[False, False]) / n
    yes = (pairs[True, True] + pairs[True, False]) / n, (pairs[True, True] + pairs[False, True]) / n
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return raw, (raw - chance) / (1 - chance)


def alpha_of(one: dict[str, list[str]], other: dict[str, list[str]]) -> float:
    """Return Krippendorff's nominal alpha of two coders on whole codings, from its definition by coincidences."""
    values = [(";".join(one[key]), ";".join(other[key])) for key in one]
    marginal = Counter(value for pair in values for value in pair)
    n = sum(marginal.values())
    observed = 2 * sum(a != b for a, b in values)
    expected = sum(marginal[a] * marginal[b] for a in marginal for b in marginal if a != b)
    return 1 - (n - 1) * observed / expected


def test_coding_settling_and_export_give_the_table_of_errors_and_the_agreement(tmp_path: Path) -> None:
    study = make_recall_study(n_items=16)
    add_recalls(study, 32)
    for name in ("anna", "ben"):
        save_member(study, user_named(name), "coder", study.owner)
        create_queue(study, coder=user_named(name), user=study.owner, is_second=name == "ben")
    anna = code_everything(Coder(study, "anna"), "anna")
    ben = code_everything(Coder(study, "ben"), "ben")
    assert anna.keys() == ben.keys()
    assert Coding.objects.count() == 1024

    differing = {key for key in anna if anna[key] != ben[key]}
    assert 30 < len(differing) < 160
    judge = Coder(study, "owner", at="adjudicate")
    to_settle = judge.items()
    assert {item["key"] for item in to_settle} == differing
    decided = {}
    for number, item in enumerate(to_settle):
        assert [coding["codes"] for coding in item["codings"]] == [anna[item["key"]], ben[item["key"]]]
        decided[item["key"]] = [anna[item["key"]], ben[item["key"]], ["2", "3"]][number % 3]
        assert judge.save(item, decided[item["key"]]).status_code == 200
    assert judge.get("next/").json() == {"number": None}
    final = {key: decided.get(key, anna[key]) for key in anna}

    page = judge.client.get(reverse("coding:overview", args=[study.slug])).content.decode()
    raw, kappa = kappa_of(anna, ben, "3")
    assert f">{raw:.2f}<".replace("0.", ".") in page
    assert f">{kappa:.2f}<".replace("0.", ".") in page

    call_command("export_data", study.slug, out=tmp_path / "data", verbosity=0)
    codings = tmp_path / "data" / "codings.csv"
    with codings.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter(row["role"] for row in rows) == {"coder": 1024, "final": 512}
    of_final = [row for row in rows if row["role"] == "final"]
    assert {row["recall_id"]: row["codes"].split(";") for row in of_final} == final
    assert Counter(row["source"] for row in of_final) == {
        "adjudicated": len(differing), "agreed": 512 - len(differing),
    }  # fmt: skip

    call_command(
        "analyse", "incidence", data=codings, out=tmp_path / "incidence", verbosity=0,
        settings_given=[["codes=codes", "by=formulation", "where=role=final"]],
    )  # fmt: skip
    formulation_of = {row["recall_id"]: row["formulation"] for row in of_final}
    with (tmp_path / "incidence" / "incidence.csv").open(encoding="utf-8", newline="") as file:
        table = {row["formulation"]: row for row in csv.DictReader(file)}
    for formulation in FORMULATIONS:
        codes = [final[key] for key in final if formulation_of[key] == formulation]
        assert int(table[formulation]["n"]) == len(codes) == 256
        for code in WEIGHTS:
            share = sum(code in given for given in codes) / len(codes)
            found = next(value for name, value in table[formulation].items() if name.rpartition("_")[2] == code)
            assert float(found or 0) == pytest.approx(share), (formulation, code)
        score = sum(WEIGHTS[code] for given in codes for code in given) / len(codes)
        assert float(table[formulation]["score"]) == pytest.approx(score)

    call_command(
        "analyse", "agreement", data=codings, out=tmp_path / "agreement", verbosity=0,
        settings_given=[["unit=recall_id", "coder=coder", "code=codes", "where=role=coder"]],
    )  # fmt: skip
    report = json.loads((tmp_path / "agreement" / "report.json").read_text(encoding="utf-8"))
    assert report["method"] == "agreement"
    with (tmp_path / "agreement" / "agreement.csv").open(encoding="utf-8", newline="") as file:
        by_code = {row["code"].removeprefix("code_"): row for row in csv.DictReader(file)}
    assert float(by_code["all"]["alpha"]) == pytest.approx(alpha_of(anna, ben))
    for code in ("0", "1", "2", "3", "4", "5"):
        raw, kappa = kappa_of(anna, ben, code)
        assert (float(by_code[code]["raw"]), float(by_code[code]["kappa"])) == pytest.approx((raw, kappa)), code

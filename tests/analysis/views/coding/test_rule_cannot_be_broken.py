"""No way leads to codes that cannot stand together: workspace, adjudication, import, or a change of the scheme."""

from __future__ import annotations

import csv
import io
import itertools

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from analysis.models import Adjudication, Coding
from experiments.rules.error_codes import faults_of
from experiments.study.schemes import scheme_of
from tests.analysis.views.coding.coder import Coder

pytestmark = pytest.mark.slow

EVERY_SET = [list(codes) for size in range(8) for codes in itertools.combinations("0123456", size)]


def allowed(study, codes):
    return not faults_of(codes, scheme_of(study))


def test_of_all_sets_of_codes_saving_takes_those_of_the_rule_and_no_other(anna, study):
    item = anna.items()[0]
    taken = []
    for codes in EVERY_SET:
        answer = anna.save(item, codes, revision=None)
        assert answer.status_code == (200 if allowed(study, codes) else 400), codes
        if answer.status_code == 200:
            taken.append(codes)
            assert Coding.objects.get().codes == codes
    # Four codes that stand alone, and every set of the three others but the empty one.
    assert len(taken) == 4 + 7


def test_of_all_sets_of_codes_a_decision_takes_those_of_the_rule_and_no_other(anna, coder_named, study):
    ben = coder_named("ben")
    key = anna.items()[0]["key"]
    anna.save({"key": key, "revision": 0}, ["0"])
    ben.save({"key": key, "revision": 0}, ["3"])
    judge = Coder(study, "owner", at="adjudicate")
    for codes in EVERY_SET:
        answer = judge.save({"key": key, "revision": None}, codes)
        assert answer.status_code == (200 if allowed(study, codes) else 400), codes
    assert allowed(study, Adjudication.objects.get().codes)


def test_a_table_with_one_row_that_breaks_the_rule_changes_nothing(anna, study):
    address = reverse("coding:sheet", args=[study.slug, 1])
    table = anna.client.get(reverse("coding:sheet_file", args=[study.slug, 1])).content.decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    for number, codes in enumerate(codes for codes in EVERY_SET if codes and not allowed(study, codes)):
        row = rows[number % len(rows)]
        filled = [{**one, "codes": "0"} for one in rows]
        filled[number % len(rows)]["codes"] = ";".join(codes)
        out = io.StringIO()
        # Without the columns of 0 and 1, which would contradict.
        writer = csv.DictWriter(out, ["recall_id", "codes"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(filled)
        file = SimpleUploadedFile("codings.csv", out.getvalue().encode(), content_type="text/csv")
        page = anna.client.post(address, {"file": file, "csrfmiddlewaretoken": anna.token})
        assert page.status_code == 422, codes
        assert f">{number % len(rows) + 2}<" in page.content.decode(), row
        if number == 20:
            break
    assert not Coding.objects.exists()


def test_a_code_cannot_begin_to_stand_alone_once_it_was_given_beside_others(anna, study, owner):
    anna.save(anna.items()[0], ["3", "4"])
    data = {"codes-TOTAL_FORMS": "7", "codes-INITIAL_FORMS": "7"}
    for number, code in enumerate(scheme_of(study)):
        data |= {
            f"codes-{number}-code": code.code,
            f"codes-{number}-description": code.description,
            f"codes-{number}-weight": str(code.weight),
        }
        if code.is_exclusive or code.code == "3":
            data[f"codes-{number}-is_exclusive"] = "on"
    page = owner.post(reverse("coding:scheme", args=[study.slug]), data)
    assert page.status_code == 422
    assert not {code.code: code.is_exclusive for code in scheme_of(study)}["3"]

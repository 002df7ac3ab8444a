"""Codings go out as a table and come back, or every fault is shown with its line and nothing is changed."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from analysis.models import Coding

pytestmark = pytest.mark.slow


@pytest.fixture
def address(study):
    return reverse("coding:sheet", args=[study.slug, 1])


def table_of(coder, study):
    content = coder.client.get(reverse("coding:sheet_file", args=[study.slug, 1])).content.decode()
    return list(csv.DictReader(io.StringIO(content)))


def bring(coder, address, rows, *, columns=("recall_id", "codes", "note"), name="codings.csv"):
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    file = SimpleUploadedFile(name, out.getvalue().encode(), content_type="text/csv")
    return coder.client.post(address, {"file": file, "csrfmiddlewaretoken": coder.token}, follow=True)


def test_a_filled_table_is_taken_over(anna, study, address):
    rows = table_of(anna, study)
    for number, row in enumerate(rows[:5]):
        row |= {"codes": "3;4" if number % 2 else "0", "note": "from the sheet"}
    page = bring(anna, address, rows)
    assert "5 new, 0 changed, 0 as before, 11 left blank" in page.content.decode()
    assert Coding.objects.filter(note="from the sheet").count() == 5
    assert [item["coding"]["codes"] for item in anna.items()[:2]] == [["0"], ["3", "4"]]


def test_every_fault_is_named_with_its_line_and_nothing_changes(anna, study, address):
    rows = table_of(anna, study)
    rows[0] |= {"codes": "0"}
    rows[2] |= {"codes": "0;1"}
    rows[3] |= {"codes": "9"}
    rows[4] |= {"codes": "3", "recall_id": "R0000000000"}
    answer = bring(anna, address, rows)
    page = answer.content.decode()
    assert answer.status_code == 422
    for line in (4, 5, 6):
        assert f'data-label="Line">{line}<' in page
    assert "nothing was changed" in page
    assert not Coding.objects.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "empty"), (b"\x00\x01", ""), (b"recall,codes\n1,0\n", "recall_id"), (b"recall_id,codes\n", "")],
)
def test_what_is_no_table_of_codings_is_refused(anna, address, content, sentence):
    file = SimpleUploadedFile("codings.csv", content)
    answer = anna.client.post(address, {"file": file, "csrfmiddlewaretoken": anna.token})
    assert answer.status_code in (302, 422)
    assert sentence in answer.content.decode()
    assert not Coding.objects.exists()


def test_a_form_without_a_file_says_so(anna, address):
    answer = anna.client.post(address, {"csrfmiddlewaretoken": anna.token})
    assert answer.status_code == 422


def test_the_table_for_excel_begins_with_a_byte_order_mark(anna, study):
    plain = anna.client.get(reverse("coding:sheet_file", args=[study.slug, 1]))
    excel = anna.client.get(reverse("coding:sheet_file", args=[study.slug, 1]) + "?excel=1")
    assert excel.content.startswith(b"\xef\xbb\xbf")
    assert not plain.content.startswith(b"\xef\xbb\xbf")
    assert 'filename="recall-coder-1-excel.csv"' in excel["Content-Disposition"]


def test_a_coder_does_not_get_the_table_of_another(anna, coder_named, study):
    coder_named("ben")
    assert anna.client.get(reverse("coding:sheet", args=[study.slug, 2])).status_code == 404
    assert anna.client.get(reverse("coding:sheet_file", args=[study.slug, 2])).status_code == 404

"""Faulty cells are corrected where they are named: the file stays as it was, corrections are a step of reading."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from experiments.formats.media_names import pictures_in
from experiments.materials.mapping import sound_reading
from experiments.models import Item, Stimulus
from tests.media_files import store_picture

pytestmark = pytest.mark.slow

TABLE = (
    "Nr,Satz,order,is_filler\n"
    "one,The cat slept.,first,\none,Slept the cat.,second,\n"
    "two,,first,\ntwo,Ran the dog.,second,\n"
    "three,It rained.,,perhaps\n"
)
COLUMNS = {"column-0": "Nr", "use-0": "item", "column-1": "Satz", "use-1": "text"}


def check(client: Any, study: Any, **data: Any) -> Any:
    return client.post(reverse("study:check_materials", args=[study.slug]), data)


def sent(answer: Any) -> dict[str, Any]:
    """Return the fields of the form of columns as a browser would send them, those of the cells included."""
    page = answer.content.decode()
    unread = re.search(r'<textarea name="unread"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    corrections = re.search(r'name="corrections" value="([^"]*)"', page)
    choices = re.search(r'name="choices" value="([^"]*)"', page)
    assert unread
    assert corrections
    assert choices
    return {
        **COLUMNS,
        "name": "a.csv",
        "unread": unescape(unread[1]),
        "choices": unescape(choices[1]),
        "corrections": unescape(corrections[1]),
        "cell-at": [unescape(found) for found in re.findall(r'name="cell-at" value="([^"]*)"', page)],
        "cell": [unescape(found) for found in re.findall(r'name="cell" [^>]*>\n(.*?)</textarea>', page, re.DOTALL)],
    }


def first_look(client: Any, study: Any) -> dict[str, Any]:
    guessed = check(client, study, file=SimpleUploadedFile("a.csv", TABLE.encode()))
    return sent(check(client, study, **sent(guessed)))


def test_cells_are_corrected_one_after_the_other_and_the_file_stays(draft: Any, owner: Any) -> None:
    fields = first_look(owner, draft)
    assert dict(zip(fields["cell-at"], fields["cell"], strict=True)) == {"4:Satz": "", "6:is_filler": "perhaps"}
    half = check(owner, draft, **{**fields, "cell": ["The dog ran.", "perhaps"]})
    assert half.status_code == 422
    again = sent(half)
    assert again["unread"] == fields["unread"] == TABLE
    assert again["cell-at"] == ["6:is_filler"]
    whole = check(owner, draft, **{**again, "cell": ["true"]})
    page = unescape(whole.content.decode())
    assert whole.status_code == 200, page
    assert "2 cells were corrected here: line 4, column 'Satz'; line 6, column 'is_filler'." in page
    assert 'value="-corrected"' in page
    said, carried = (
        unescape(re.search(pattern, whole.content.decode(), re.DOTALL)[1])  # type: ignore[index]
        for pattern in (r'name="said" value="([^"]*)"', r'<textarea name="table"[^>]*>\n(.*?)</textarea>')
    )
    assert carried == TABLE
    store = reverse("study:store_materials", args=[draft.slug])
    owner.post(store, {"name": "a.csv", "table": carried, "said": said})
    draft.refresh_from_db()
    reading = draft.task.reading
    assert reading["corrections"] == [
        {"line": 4, "column": "Satz", "was": "", "text": "The dog ran."},
        {"line": 6, "column": "is_filler", "was": "perhaps", "text": "true"},
    ]
    assert (reading["rows"], reading["rows_left_out"]) == (5, 0)
    assert set(Stimulus.objects.filter(item__code="two").values_list("text", flat=True)) == {
        "The dog ran.",
        "Ran the dog.",
    }
    assert sound_reading(reading) == reading
    page = owner.get(reverse("study:materials", args=[draft.slug])).content.decode()
    assert "2 cells were corrected" in page
    # Those of one table are not those of the next, whose lines are others.
    other = check(owner, draft, file=SimpleUploadedFile("a.csv", TABLE.encode()))
    assert other.status_code == 422
    assert sent(other)["corrections"] == "[]"


def test_corrections_are_left_out_as_a_step_is(draft: Any, owner: Any) -> None:
    fields = {**first_look(owner, draft), "cell": ["The dog ran.", "true"]}
    assert check(owner, draft, **fields).status_code == 200
    back = check(owner, draft, **fields, choice="-corrected")
    assert back.status_code == 422
    assert sent(back)["cell"] == ["", "perhaps"]
    assert not Item.objects.exists()


@pytest.mark.parametrize(
    "given",
    [
        {"cell-at": ["x", "4", "99999999:text", "4:" + "y" * 5000], "cell": ["a", "b", "c", "d"]},
        {"corrections": "{"},
        {"corrections": json.dumps([{"line": "4", "column": "Satz", "text": "?"}])},
        {"corrections": json.dumps([4])},
        {"corrections": json.dumps([{"line": 4, "column": ["Satz"], "text": "?"}])},
    ],
)
def test_corrections_that_make_no_sense_correct_nothing(given: dict[str, Any], draft: Any, owner: Any) -> None:
    fields = {**first_look(owner, draft), "cell-at": [], "cell": [], **given}
    answer = check(owner, draft, **fields)
    assert answer.status_code == 422
    assert sent(answer)["cell"] == ["", "perhaps"]


def test_empty_cells_are_counted_at_the_head_and_the_first_can_be_gone_to(draft: Any, owner: Any) -> None:
    rows = "".join(f"item-{n},A sentence {n}.,first\n" for n in range(40))
    rows += "".join(f"item-{n},Another {n}.,second\n" for n in range(30))
    page = check(owner, draft, pasted=f"item,text,order\n{rows}").content.decode()
    assert re.search(r'<a class="empty-count" href="#empty-2">\s*10 empty', page)
    assert page.count('id="empty-2"') == 1
    page = page[page.index("matrix-table") :]
    assert page.index("item-29") < page.index('id="empty-2"') < page.index("item-31")
    assert "#empty-1" not in page


def test_pictures_are_shown_in_the_table_of_materials(ready: Any, owner: Any) -> None:
    address = store_picture(ready)
    stimulus = Stimulus.objects.filter(item__part=ready.task).first()
    assert stimulus is not None
    stimulus.extra = {**stimulus.extra, "image": "dog.png", "prime": "no-such.png"}
    stimulus.save()
    assert pictures_in(stimulus.extra) == ("dog.png", "no-such.png")
    page = owner.get(reverse("study:materials", args=[ready.slug])).content.decode()
    assert f'src="{address}" alt="dog.png"' in page
    assert page.count("media-thumbnail") == 1

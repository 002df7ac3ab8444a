"""The design as one can read it."""

from django.urls import reverse

from experiments.materials import design_from
from experiments.study.lifecycle import save_design


def test_every_list_shows_every_item_once_in_the_condition_of_the_latin_square(ready, owner):
    (square,) = owner.get(reverse("study:design", args=[ready.slug])).context["squares"]
    letters = [[key.letter for key in cells] for _item, cells in square.rows]
    assert letters == [list("ABCD"), list("BCDA"), list("CDAB"), list("DABC")]
    assert [head.name for head in square.lists] == ["1", "2", "3", "4"]
    assert square.note == ""


def test_items_that_cannot_be_shared_equally_get_a_warning(draft, researcher, owner, table_from, rows_of, paradigm):
    save_design(draft, design_from(table_from(rows_of(n_items=5)), paradigm), researcher)
    page = owner.get(reverse("study:design", args=[draft.slug])).content.decode()
    assert "4 conditions cannot share 5 items equally" in page


def test_every_set_of_items_has_a_square_of_its_own(draft, researcher, owner, table_from, paradigm):
    rows = [
        (f"{name}{number}", f"Text {name} {number} {order}.", order, name)
        for name in ("A", "B")
        for number in range(2)
        for order in ("one", "two")
    ]
    table = table_from(rows, header=("item", "text", "order", "item_set"))
    save_design(draft, design_from(table, paradigm, item_sets="apart"), researcher)
    draft.refresh_from_db()
    draft.procedure = {**draft.procedure, "item_sets": "apart"}
    draft.save()
    squares = owner.get(reverse("study:design", args=[draft.slug])).context["squares"]
    assert [(square.item_set, [head.name for head in square.lists]) for square in squares] == [
        ("A", ["A-1", "A-2"]),
        ("B", ["B-1", "B-2"]),
    ]


def test_materials_without_factors_have_one_list(draft, researcher, owner, table_from, paradigm):
    design = design_from(table_from([("a", "One."), ("b", "Two.")], header=("item", "text")), paradigm)
    save_design(draft, design, researcher)
    answer = owner.get(reverse("study:design", args=[draft.slug]))
    assert "Every item has one text." in answer.content.decode()
    assert [len(cells) for _item, cells in answer.context["squares"][0].rows] == [1, 1]


def test_a_list_shows_its_texts_with_fillers_and_practice(ready, owner):
    shown = ready.lists.get(index=1)
    answer = owner.get(reverse("study:list", args=[ready.slug, shown.pk]))
    page = answer.content.decode()
    assert len(answer.context["rows"]) == 4 + 2 + 1
    assert "Sentence 0 because ba." in page
    assert "Filler 1." in page
    assert f"/s/causal/preview/?list={shown.pk}" in page


def test_a_list_of_another_study_is_not_found(ready, owner, researcher):
    from experiments.study.lifecycle import copy_study

    other = copy_study(ready, "causal-2", researcher)
    assert owner.get(reverse("study:list", args=[ready.slug, other.lists.first().pk])).status_code == 404


def test_without_materials_the_page_says_what_to_do(draft, owner):
    for page in ("study:design", "study:preview"):
        assert "Go to Materials" in owner.get(reverse(page, args=[draft.slug])).content.decode()


def test_every_list_has_a_preview(ready, owner):
    page = owner.get(reverse("study:preview", args=[ready.slug])).content.decode()
    assert all(f"/s/causal/preview/?list={each.pk}" in page for each in ready.lists.all())

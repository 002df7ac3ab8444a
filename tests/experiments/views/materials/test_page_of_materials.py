"""Materials: a table is looked at before it is stored, faults are named, nothing is lost unasked."""

import io
import json
import re
from html import unescape

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from experiments.formats.csvtext import csv_text
from experiments.materials import design_of, materials_csv
from experiments.models import Condition, Item, Stimulus
from experiments.study.editing import locked
from experiments.study.lifecycle import copy_study, open_study
from experiments.views.materials import pages as materials

pytestmark = [pytest.mark.both, pytest.mark.slow]

HEADER = ("item", "text", "marker", "order", "is_filler", "is_practice", "genre")


@pytest.fixture
def table(rows_of):
    return csv_text(HEADER, rows_of())


def check(client, study, **data):
    return client.post(reverse("study:check_materials", args=[study.slug]), data)


def upload(text, name="materials.csv"):
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def carried(answer):
    """Return what a browser would send from the hidden field of the page."""
    found = re.search(r'<textarea name="table"[^>]*>\n(.*?)</textarea>', answer.content.decode(), re.DOTALL)
    assert found
    return unescape(found[1])


def test_looking_at_a_table_stores_nothing(draft, table, owner):
    answer = check(owner, draft, file=upload(table))
    assert answer.status_code == 200
    assert "Nothing is stored yet." in answer.content.decode()
    assert not Item.objects.exists()
    assert not Condition.objects.exists()
    assert [entry.action for entry in draft.audit_entries.all()] == ["created"]


def test_a_table_in_which_every_row_is_a_condition_is_refused_in_two_faults_and_no_matrix(draft, owner):
    """A matrix of it would be as large as the square of the table, with more columns than there are letters."""
    rows = "".join(f"{n // 2},The baker left {n} times.,{4 * n}\n" for n in range(1_500))
    answer = check(owner, draft, file=upload(f"item,text,condition\n{rows}"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "make 1500 conditions; at most 60 are possible" in page
    assert "has no text in" not in page
    assert "does not divide" not in page
    assert len(page) < 5 * len(rows)


WIDE = "Nr,short,long\n1,The baker left.,The baker left the room.\n2,The nurse slept.,The nurse slept for hours.\n"


def chosen_on(answer):
    """Return what a browser would send of the form that asks what each column is."""
    page = answer.content.decode()
    form = re.findall(r'<form [^>]*id="columns-form".*?</form>', page, re.DOTALL)[0]
    sent = dict(re.findall(r'<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        found = re.search(r'<option value="([^"]*)" selected', options)
        sent[name] = found[1] if found else "="
    (sent["unread"],) = re.findall(r'<textarea name="unread"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)
    return {name: unescape(value) for name, value in sent.items()}


def test_a_wide_table_is_asked_about_and_stored_as_it_was_read(draft, owner):
    answer = check(owner, draft, file=upload(WIDE))
    assert answer.status_code == 422
    sent = chosen_on(answer)
    assert [sent[f"use-{number}"] for number in range(3)] == ["item", "level", "level"]
    assert [sent[f"level-{number}"] for number in range(3)] == ["", "short", "long"]
    answer = check(owner, draft, **sent | {"factor": "length"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "contain text at levels of length: 2 rows gave 4." in page
    assert not Item.objects.exists()
    again = chosen_on(answer)
    assert (again["use-1"], again["factor"], again["unread"]) == ("level", "length", sent["unread"])
    owner.post(reverse("study:store_materials", args=[draft.slug]), stored_by(answer))
    design = design_of(type(draft).objects.get(pk=draft.pk))
    assert [(factor.name, factor.levels) for factor in design.factors] == [("length", ("short", "long"))]
    assert sorted(stimulus.text for item in design.items for stimulus in item.stimuli) == [
        "The baker left the room.", "The baker left.", "The nurse slept for hours.", "The nurse slept."
    ]  # fmt: skip


def test_a_table_that_is_read_as_it_is_can_be_read_otherwise(draft, table, owner):
    sent = chosen_on(check(owner, draft, file=upload(table)))
    assert {sent[f"use-{number}"] for number in range(len(HEADER))} == {"="}
    sent[f"use-{HEADER.index('genre')}"] = "-"
    answer = check(owner, draft, **sent)
    assert answer.status_code == 200
    assert "Left out: &#x27;genre&#x27;." in answer.content.decode()
    owner.post(reverse("study:store_materials", args=[draft.slug]), stored_by(answer))
    assert "genre" not in materials_csv(design_of(draft))


def stored_by(answer):
    """Return what a browser would send of the form that stores a table that was looked at."""
    form = re.findall(r"<form [^>]*store-form.*?</form>", answer.content.decode(), re.DOTALL)[0]
    sent = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    return {name: unescape(value) for name, value in sent.items()} | {"table": carried(answer)}


def steps_of(answer):
    """Return the choices that the buttons of a page make."""
    return [unescape(found) for found in re.findall(r'name="choice" value="([^"]*)"', answer.content.decode())]


def test_a_mapping_is_confirmed_once_kept_and_applied_to_the_next_table(draft, owner):
    answer = check(owner, draft, file=upload(WIDE))
    answer = check(owner, draft, **chosen_on(answer) | {"factor": "length"})
    store = reverse("study:store_materials", args=[draft.slug])
    owner.post(store, stored_by(answer))
    kept = type(draft).objects.get(pk=draft.pk).task.reading
    assert kept["columns"] == {"Nr": "item", "short": "text, length=short", "long": "text, length=long"}
    assert (kept["rows"], kept["texts"], kept["rows_left_out"], kept["left_out"]) == (2, 4, 0, [])
    page = owner.get(reverse("study:materials", args=[draft.slug])).content.decode()
    assert "2 rows were read, and gave 4 texts." in page
    assert "No row was left out." in page
    answer = check(owner, draft, file=upload(WIDE + "3,The dog ran.,The dog ran home.\n4,,\n"))
    assert answer.status_code == 200
    assert "4 rows gave 6" in answer.content.decode()
    owner.post(store, stored_by(answer))
    study = type(draft).objects.get(pk=draft.pk)
    assert study.items.count() == 3
    assert study.task.reading["left_out"] == [{"line": 5, "why": "It contains no text."}]
    # A table in the platform's own shape has none of the columns, so nothing of the mapping holds for it.
    assert check(owner, draft, file=upload(materials_csv(design_of(study)))).status_code == 200
    assert copy_study(study, "a-copy", study.owner).task.reading == study.task.reading


def test_every_step_has_a_button_that_leaves_it_out(draft, owner):
    table = f"My items,,\n{WIDE}"
    sent = chosen_on(check(owner, draft, file=upload(table)))
    answer = check(owner, draft, **sent)
    assert answer.status_code == 200
    assert steps_of(answer) == ["-titles", '-columns ["Nr"]', '-columns ["short", "long"]']
    without = check(owner, draft, **chosen_on(answer) | {"choice": '-columns ["short", "long"]'})
    assert without.status_code == 422
    assert " is read as item." in without.content.decode()
    assert chosen_on(without)["use-1"] == "="
    titled = check(owner, draft, **chosen_on(answer) | {"choice": "-titles"})
    assert "' was read as a title and left out." not in titled.content.decode()
    assert json.loads(chosen_on(titled)["choices"]) == ["-titles"]


def test_questions_about_a_table_are_answered_by_buttons(draft, owner):
    table = "item,condition,text\n1,a,It rained.\n1,b,It hailed.\n1,a,It rained.\n"
    answer = check(owner, draft, file=upload(table))
    assert answer.status_code == 422
    assert steps_of(answer) == ["repeated"]
    answer = check(owner, draft, **chosen_on(answer) | {"choice": "repeated"})
    assert answer.status_code == 200
    assert "One row was left out:" in answer.content.decode()
    assert steps_of(answer) == ["-repeated"]
    owner.post(reverse("study:store_materials", args=[draft.slug]), stored_by(answer))
    assert type(draft).objects.get(pk=draft.pk).task.reading["rows_left_out"] == 1
    answer = check(owner, draft, file=upload("item,text\n1,パン屋が客を見た。\n".encode("shift_jis")))
    assert answer.status_code == 422
    assert "encoding shift_jis" in steps_of(answer)
    answer = check(owner, draft, **chosen_on(answer) | {"choice": "encoding shift_jis"})
    assert answer.status_code == 200
    assert "パン屋が客を見た。" in answer.content.decode()


def test_several_files_are_joined_and_their_faults_name_the_file(draft, owner):
    files = ["item,condition,text\n1,a,The path was dry.\n2,b,The dog slept.\n",
             "item,condition,text\n1,b,The path was wet.\n2,a,The dog barked.\n"]  # fmt: skip
    answer = check(owner, draft, file=[upload(text, f"list{n}.csv") for n, text in enumerate(files, start=1)])
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "2 files were joined. Line numbers continue from one file to the next; their headers are" in page
    assert "From list1.csv, list2.csv." in page
    broken = [upload(files[0], "list1.csv"), upload(b"item,text\n1,a,b\n", "list2.csv"), upload(b"%PDF", "list3.csv")]
    answer = check(owner, draft, file=broken)
    assert answer.status_code == 422
    assert "list2.csv: line 2: The row has 3 cells" in answer.content.decode()
    assert "list3.csv: the file is not a table" in answer.content.decode()
    answer = check(owner, draft, file=[upload(files[0], f"{number}.csv") for number in range(21)])
    assert "You chose 21 files, but at most 20 can be joined." in answer.content.decode()


@pytest.mark.parametrize("sent", [{}, {"column-0": "nowhere", "use-0": "text"}, {"column-0": "Nr", "use-0": "level"}])
def test_a_form_of_columns_that_makes_no_sense_is_answered_in_a_sentence(draft, owner, sent):
    answer = check(owner, draft, unread=WIDE, **sent)
    assert answer.status_code == 422
    assert "What is wrong" in answer.content.decode()


def test_the_download_for_excel_comes_back_as_it_was(draft, owner):
    given = csv_text(
        ("item", "text", "order", "metric_x"),
        [("a", "-5 degrees", "ab", -1.5), ("a", "=SUM of it", "ba", "-2"), ("b", "'-ed' ends it", "ab", 3),
         ("b", "@home", "ba", "+4e-2")],
    )  # fmt: skip
    owner.post(reverse("study:store_materials", args=[draft.slug]), {"table": given, "name": "materials.csv"})
    before = materials_csv(design_of(draft))
    download = reverse("study:download_materials", args=[draft.slug])
    excel = owner.get(download, {"for": "excel"}).content
    assert b"'=SUM" in excel
    looked = check(owner, draft, file=upload(excel))
    assert looked.status_code == 200, looked.content.decode()
    store = reverse("study:store_materials", args=[draft.slug])
    assert owner.post(store, {"table": carried(looked), "name": "materials.csv"}).status_code == 302
    assert materials_csv(design_of(draft)) == before
    assert "-5 degrees" in before


def test_a_correction_that_was_being_stored_is_kept_by_the_next_one(ready, owner, monkeypatch):
    """Whoever waited for the lock reads the design only then."""
    mine, theirs = ready.items.filter(is_practice=False, is_filler=False)[:2]

    def field(item, text):
        return {f"text-{n}": f"{text} {n}." for n in range(item.stimuli.count())}

    def waited(study):
        held = locked(study)
        stored = Stimulus.objects.filter(item=theirs).order_by("condition__position").first()
        Stimulus.objects.filter(pk=stored.pk).update(text="Corrected meanwhile.")
        return held

    monkeypatch.setattr("experiments.views.materials.items.locked", waited)
    address = reverse("study:item", args=[ready.slug, mine.pk])
    assert owner.post(address, field(mine, "Mine")).status_code == 302
    assert Stimulus.objects.filter(item=mine, text="Mine 0.").exists()
    assert Stimulus.objects.filter(item=theirs, text="Corrected meanwhile.").exists()


def test_what_was_looked_at_can_be_stored(draft, table, owner):
    looked = check(owner, draft, file=upload(table))
    answer = owner.post(
        reverse("study:store_materials", args=[draft.slug]), {"table": carried(looked), "name": "materials.csv"}
    )
    assert answer.status_code == 302
    assert draft.items.filter(is_filler=False, is_practice=False).count() == 4
    assert draft.lists.count() == 4
    assert Stimulus.objects.filter(item__part__study=draft).count() == 19
    assert [entry.action for entry in draft.audit_entries.all()[:2]] == ["looked at", "materials stored"]


def test_a_text_with_quotes_commas_breaks_and_markup_arrives_as_it_was_written(draft, owner):
    text = 'She said: "no, <b>never</b>" & left.\nThen she came back.'
    looked = check(owner, draft, file=upload(csv_text(["item", "text"], [["a", text], ["b", "Plain."]])))
    # Browsers send line breaks as two characters.
    sent = carried(looked).replace("\r\n", "\n").replace("\n", "\r\n")
    owner.post(reverse("study:store_materials", args=[draft.slug]), {"table": sent, "name": "x"})
    assert Stimulus.objects.get(item__code="a").text == text


def test_a_pasted_table_is_read_like_a_file(draft, rows_of, owner):
    pasted = "\n".join("\t".join(row) for row in [HEADER, *rows_of()])
    answer = check(owner, draft, pasted=pasted)
    assert answer.status_code == 200
    assert len(answer.context["matrix"]) == 4
    assert answer.context["name"] == "the pasted table"


def test_an_excel_workbook_is_read(draft, rows_of, owner):
    workbook = openpyxl.Workbook()
    for row in [HEADER, *rows_of()]:
        workbook.active.append(row)
    buffer = io.BytesIO()
    workbook.save(buffer)
    answer = check(owner, draft, file=upload(buffer.getvalue(), "materials.xlsx"))
    assert answer.status_code == 200
    assert len(answer.context["keys"]) == 4


def test_all_faults_are_listed_with_their_lines_and_nothing_is_stored(draft, rows_of, owner):
    rows = rows_of()
    rows[1] = ("item0", "", *rows[1][2:])
    del rows[6]
    answer = check(owner, draft, file=upload(csv_text(HEADER, rows)))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Nothing was stored." in page
    assert {fault.line for fault in answer.context["faults"]} >= {3}
    assert "The text is empty." in page
    assert not Item.objects.exists()


def test_holes_of_the_matrix_are_marked(draft, rows_of, owner):
    rows = rows_of()
    del rows[2]
    answer = check(owner, draft, file=upload(csv_text(HEADER, rows)))
    page = answer.content.decode()
    assert answer.context["preview"].n_holes == 1
    assert page.count('<td class="hole" id="empty-') == page.count(">missing</td>") == 1


def test_texts_that_are_missing_on_purpose_are_stored_when_the_page_was_told(draft, rows_of, owner):
    rows = rows_of()
    del rows[2]
    data = csv_text(HEADER, rows)
    assert "missing on purpose, tick it" in check(owner, draft, file=upload(data)).content.decode()
    answer = check(owner, draft, file=upload(data), incomplete="on")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Not every item is in every condition" in page
    assert 'class="hole"' not in page
    assert '<input type="hidden" name="incomplete" value="on">' in page
    owner.post(
        reverse("study:store_materials", args=[draft.slug]), {"table": answer.context["carried"], "incomplete": "on"}
    )
    assert draft.lists.count() == 12


def test_a_misspelt_column_gets_a_suggestion(draft, rows_of, owner):
    header = ("item", "txt", *HEADER[2:])
    page = check(owner, draft, file=upload(csv_text(header, rows_of()))).content.decode()
    assert "Did you mean" in page
    assert "txt" in page


def test_a_faulty_table_cannot_be_stored_by_sending_it_directly(ready, owner):
    before = materials_csv(design_of(ready))
    answer = owner.post(
        reverse("study:store_materials", args=[ready.slug]), {"table": "item,text\na,\n", "name": "forged"}
    )
    assert answer.status_code == 422
    assert materials_csv(design_of(ready)) == before


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "Choose a file, or paste a table"),
        ({"file": "both", "pasted": "item,text\na,b"}, "not both"),
    ],
)
def test_a_form_without_one_table_says_what_to_do(data, sentence, draft, table, owner):
    data = {**data, **({"file": upload(table)} if data.get("file") else {})}
    answer = check(owner, draft, **data)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_a_file_beyond_the_limit_is_refused_with_its_size(draft, owner, monkeypatch):
    monkeypatch.setattr(materials, "MAX_BYTES", 1024)
    answer = check(owner, draft, file=upload("item,text\n" + "a,b\n" * 600))
    assert answer.status_code == 422
    assert "Nothing was stored." in answer.content.decode()
    assert "can be read" in answer.content.decode()


def test_a_table_too_large_to_travel_through_the_page_is_refused_before_storing(draft, table, owner, monkeypatch):
    monkeypatch.setattr(materials, "MAX_CARRIED", 100)
    answer = check(owner, draft, file=upload(table))
    assert answer.status_code == 422
    assert "create_study" in answer.content.decode()


def test_hidden_characters_are_named_and_repaired_by_a_button(draft, table, owner):
    looked = check(
        owner, draft, file=upload(table.replace("Sentence 0 because ab.", "Sentence\u00a00 be\u00adcause ab."))
    )
    page = looked.content.decode()
    assert "U+00A0 NO-BREAK SPACE at character 9 and U+00AD SOFT HYPHEN at character 14" in page
    assert "Repair the characters" in page
    repaired = check(owner, draft, table=carried(looked), name="materials.csv")
    assert "Repair the characters" not in repaired.content.decode()
    store = reverse("study:store_materials", args=[draft.slug])
    owner.post(store, stored_by(repaired))
    stored = materials_csv(design_of(draft))
    owner.post(store, stored_by(check(owner, draft, file=upload(table))))
    assert materials_csv(design_of(draft)) == stored


def test_faults_that_come_of_hidden_characters_go_with_a_box_of_the_form(draft, table, owner):
    doubled = table.replace(",because,ab,", ",because\u200b,ab,", 1)
    assert "Repair characters" in check(owner, draft, file=upload(doubled)).content.decode()
    assert check(owner, draft, file=upload(doubled), repair="on").status_code == 200


@pytest.mark.full("a table that is too large for the form")
def test_a_large_table_travels_compressed_and_is_stored_whole(draft, owner):
    rows = "".join(
        f"i{n},The porter of house {n} opened the door to the garden {'very ' * 20}slowly.\n" for n in range(9_000)
    )
    looked = check(owner, draft, file=upload(f"item,text\n{rows}"))
    assert len(carried(looked)) < len(rows) / 2
    stored = owner.post(
        reverse("study:store_materials", args=[draft.slug]), {"table": carried(looked), "name": "large.csv"}
    )
    assert stored.status_code == 302
    assert draft.items.count() == 9_000


def test_replacing_names_what_is_replaced_and_what_changes(ready, table, owner):
    page = check(owner, ready, file=upload(table)).content.decode()
    assert "The table replaces the 7 stored items, with their texts and lists." in page
    assert "The table is the same as the present materials." in page
    changed = check(owner, ready, file=upload(table.replace("Sentence 0", "Phrase 0", 1))).content.decode()
    assert "Compared with the present materials: 1 text changed." in changed
    assert "Replace the materials" in page


def test_the_materials_of_an_opened_study_are_fixed(ready, table, owner, researcher):
    open_study(ready, researcher)
    before = materials_csv(design_of(ready))
    assert check(owner, ready, file=upload(table)).status_code == 302
    owner.post(reverse("study:store_materials", args=[ready.slug]), {"table": table, "name": "x"})
    assert materials_csv(design_of(ready)) == before
    assert "Replace" not in owner.get(reverse("study:materials", args=[ready.slug])).content.decode()


def test_the_download_makes_the_same_design_again(ready, draft, owner):
    answer = owner.get(reverse("study:download_materials", args=[ready.slug]))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="causal-materials.csv"'
    assert answer.content.decode() == materials_csv(design_of(ready))


def test_a_text_is_shown_as_text_and_never_as_markup(draft, owner):
    page = check(owner, draft, pasted="item,text\na,<script>alert(1)</script> hm\nb,ok").content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def edit(client, study, code, **texts):
    item = study.items.get(code=code)
    data = {f"text-{number}": text for number, text in enumerate(texts.get("texts", []))}
    return client.post(reverse("study:item", args=[study.slug, item.pk]), data)


def test_the_texts_of_one_item_can_be_corrected(ready, owner):
    before = design_of(ready)
    answer = edit(owner, ready, "item1", texts=["One.", "Two,\r\nin two lines.", "Three.", 'Four, "quoted".'])
    assert answer.status_code == 302
    after = design_of(ready)
    changed = next(item for item in after.items if item.code == "item1")
    assert [stimulus.text for stimulus in changed.stimuli] == [
        "One.",
        "Two,\nin two lines.",
        "Three.",
        'Four, "quoted".',
    ]
    assert [item for item in after.items if item.code != "item1"] == [i for i in before.items if i.code != "item1"]
    assert (after.factors, after.conditions, after.lists) == (before.factors, before.conditions, before.lists)


def test_a_correction_that_leaves_a_text_empty_is_refused(ready, owner):
    before = materials_csv(design_of(ready))
    answer = edit(owner, ready, "item1", texts=["One.", "", "Three.", "Four."])
    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()
    assert materials_csv(design_of(ready)) == before


def test_a_filler_is_corrected_like_an_item(ready, owner):
    edit(owner, ready, "filler1", texts=["Another filler."])
    assert Stimulus.objects.get(item__part__study=ready, item__code="filler1").text == "Another filler."


def test_the_texts_of_an_opened_study_cannot_be_corrected(ready, owner, researcher):
    open_study(ready, researcher)
    before = materials_csv(design_of(ready))
    edit(owner, ready, "item1", texts=["One.", "Two.", "Three.", "Four."])
    assert materials_csv(design_of(ready)) == before


def test_an_item_of_another_study_cannot_be_corrected_here(ready, owner, researcher):
    from experiments.study.lifecycle import copy_study

    other = copy_study(ready, "causal-2", researcher)
    address = reverse("study:item", args=[ready.slug, other.items.first().pk])
    assert owner.get(address).status_code == 404
    assert owner.post(address, {"text-0": "x"}).status_code == 404


def test_an_item_file_of_another_tool_is_checked_and_stored_like_a_table(draft, owner):
    items = (
        "# rel 1 a\nHe left early.\n# rel 1 b\nShe left early.\n# rel 2 a\nHe came late.\n# rel 2 b\nShe came late.\n"
    )
    looked = check(owner, draft, pasted=items)
    assert "He left early." in looked.content.decode()
    assert not Item.objects.exists()
    owner.post(reverse("study:store_materials", args=[draft.slug]), {"table": carried(looked), "name": "items.txt"})
    assert list(draft.items.values_list("code", flat=True)) == ["1", "2"]
    assert draft.conditions.count() == 2
    faulty = check(owner, draft, file=upload("# rel 1 a\n# rel 1 b\nShe left.\n", name="items.txt"))
    assert faulty.status_code == 422
    assert "There is no sentence below this line." in faulty.content.decode()

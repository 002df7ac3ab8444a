"""Files of every usual kind are read; broken ones are refused with the line and what to do."""

import io
import zipfile

import openpyxl
import pytest

from experiments.materials import MaterialsFaults, read_table
from experiments.materials.shapes import MAX_BYTES, MAX_ROWS

TEXT = "item,text,marker\nflut,Der Fluß trat über die Ufer.,weil\nflut,Weil es regnete.,denn\n"


def faults_of(data, name="materials.csv"):
    with pytest.raises(MaterialsFaults) as refusal:
        read_table(data, name)
    return [str(fault) for fault in refusal.value.faults]


def workbook(rows, *, sheets=1):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for number in range(1, sheets):
        book.create_sheet(f"More {number}")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings_delimiters_and_line_ends_make_no_difference(encoding, delimiter, newline):
    table = read_table(TEXT.replace(",", delimiter).replace("\n", newline).encode(encoding), "materials.csv")
    assert table.header == ("item", "text", "marker")
    assert [row.cells for row in table.rows] == [
        ("flut", "Der Fluß trat über die Ufer.", "weil"),
        ("flut", "Weil es regnete.", "denn"),
    ]
    assert [row.line for row in table.rows] == [2, 3]
    assert table.warnings == ()


def test_windows_1252_is_read_with_a_warning_that_names_the_first_such_line():
    table = read_table(TEXT.encode("cp1252"), "materials.csv")
    assert table.rows[0].cells[1] == "Der Fluß trat über die Ufer."
    assert str(table.warnings[0]).startswith("Line 2: The file is not UTF-8. It was read as Windows-1252")


def test_bytes_of_no_known_encoding_are_refused():
    assert "neither UTF-8 nor Windows-1252" in faults_of(b"item,text\na,\x81\x8d\n")[0]


def test_the_line_of_a_row_is_where_it_begins_even_after_texts_of_several_lines():
    table = read_table(b'item,text\na,"one\ntwo"\n\nb,three\n', "m.csv")
    assert [row.line for row in table.rows] == [2, 5]
    assert table.rows[0].cells[1] == "one\ntwo"


def test_excels_line_that_declares_the_delimiter_is_understood():
    table = read_table(b"sep=;\r\nitem;text\r\na;one, two\r\n", "m.csv")
    assert (table.header, table.rows[0].line, table.rows[0].cells) == (("item", "text"), 3, ("a", "one, two"))


def test_a_quotation_mark_that_is_never_closed_is_named_with_its_line():
    assert faults_of(b'item,text\na,one\nb,"two\n') == [
        "Line 3: A quotation mark opens here and never closes.",
        "Or the quotation marks belong to the texts.",
    ]


def test_a_row_with_too_many_cells_says_what_to_do():
    assert (
        "Line 2: The row has 3 cells, the header 2. If a text contains the delimiter"
        in faults_of(b"item,text\na,one, two\n")[0]
    )


def test_short_rows_and_empty_columns_at_the_end_are_filled_up_and_cut_off():
    table = read_table(b"item,text,marker,,\na,one\n", "m.csv")
    assert table.header == ("item", "text", "marker")
    assert table.rows[0].cells == ("a", "one", "")


def test_doubled_columns_are_reported():
    assert faults_of(b"item,,text,Item\na,b,c,d\n") == [
        "Line 1, column 'Item': Two columns have this name. Rename or delete one of them.",
    ]


def test_control_characters_are_named_by_line_and_column():
    assert faults_of(b"item,text\na,o\x00ne\nb,two\x07\n") == [
        "Line 2, column 'text': The cell contains the control character U+0000. Delete it; it cannot be stored.",
        "Line 3, column 'text': The cell contains the control character U+0007. Delete it; it cannot be stored.",
    ]


def test_spaces_around_cells_are_removed_and_said():
    table = read_table(b"item,text\n a ,one\nb,two\n", "m.csv")
    assert table.rows[0].cells == ("a", "one")
    assert "Spaces before or after the contents of cells were removed (line 2)" in str(table.warnings[0])


@pytest.mark.parametrize("data", [b"", b"   \n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_says_how_a_file_begins(data):
    assert "The first line must name the columns" in faults_of(data)[0]


def test_a_file_that_is_too_large_is_refused_unread():
    assert "at most 10 MB" in faults_of(b"x" * (MAX_BYTES + 1))[0]


def test_too_many_rows_and_columns_are_refused():
    assert f"at most {MAX_ROWS} can be read" in faults_of(b"item,text\n" + b"a,b\n" * (MAX_ROWS + 1))[0]
    header = ",".join(f"c{number}" for number in range(61))
    assert "The file has 61 columns; at most 60 can be read." in faults_of(header.encode() + b"\n1\n")[0]


def test_a_workbook_is_read_like_a_csv_file():
    table = read_table(
        workbook([("item", "text", "rank", "ok"), ("a", "Größe", 3, True), (), ("b", "zwei", 0.5, None)])
    )
    assert table.header == ("item", "text", "rank", "ok")
    assert [(row.line, row.cells) for row in table.rows] == [
        (2, ("a", "Größe", "3", "true")),
        (4, ("b", "zwei", "0.5", "")),
    ]


def test_only_the_first_sheet_is_read_and_that_is_said():
    table = read_table(workbook([("item", "text"), ("a", "b")], sheets=3))
    assert "has 3 sheets. Only the first, 'Sheet', is read" in str(table.warnings[0])


def test_an_error_of_the_spreadsheet_is_a_fault():
    assert (
        "Cell 2 of the row contains the spreadsheet error #REF!"
        in faults_of(workbook([("item", "text"), ("a", "#REF!")]), "m.xlsx")[0]
    )


def test_old_excel_files_are_refused_with_advice():
    assert faults_of(b"\xd0\xcf\x11\xe0" + b"x" * 100, "old.xls") == [
        "'old.xls' is an old Excel file (XLS), which the platform cannot read. Save it as XLSX or as CSV."
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n%",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"GIF89a",
        b"\x1f\x8b\x08",
    ],
)
def test_a_file_that_is_no_text_is_refused_as_such(data):
    assert faults_of(data) == [
        "The file is not a table: it does not contain text. Choose a table that was saved as XLSX or as CSV."
    ]


@pytest.mark.parametrize("cut", [30, 200, 2000])
def test_a_broken_workbook_is_refused(cut):
    assert "cannot be read as one" in faults_of(workbook([("item", "text"), ("a", "b")])[:cut])[0]


def test_any_other_archive_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("hello.txt", "hello")
    assert "cannot be read as one" in faults_of(buffer.getvalue())[0]


def test_a_workbook_that_explodes_is_refused_before_it_is_unpacked(monkeypatch):
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w") as sheet,
    ):
        for _ in range(100):
            sheet.write(b" " * 1024 * 1024)

    def unpack(*_args, **_options):
        raise AssertionError("a sheet of 100 MB is being unpacked")

    monkeypatch.setattr(zipfile.ZipExtFile, "read", unpack)
    assert "unpacks to more than" in faults_of(buffer.getvalue())[0]


def test_a_workbook_with_entities_is_refused():
    whole = workbook([("item", "text"), ("a", "b")])
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("sheet1.xml"):
                data = b'<!DOCTYPE x [<!ENTITY a "aaaa">]>' + data
            target.writestr(name, data)
    assert "cannot be read as one" in faults_of(buffer.getvalue())[0]


LAB_SHEET = [
    ("Experiment 1", None, None),
    ("as of Tuesday", None, None),
    ("item", "condition", "text"),
    (1, "a", "The baker left."),
    (None, "b", "The baker slept."),
    (2, "a", "The nurse left."),
    (None, "b", "The nurse slept."),
]


def saved(book):
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_titles_above_the_header_are_left_out_and_said():
    expected = [("1", "a", "The baker left."), ("", "b", "The baker slept.")]
    plain = "\n".join(",".join(str(cell or "") for cell in row) for row in LAB_SHEET)
    for data in (workbook(LAB_SHEET), plain.encode()):
        table = read_table(data)
        assert (table.header, table.header_line) == (("item", "condition", "text"), 3)
        assert [row.cells for row in table.rows[:2]] == expected
        assert [str(warning) for warning in table.warnings] == [
            "Line 1: The row 'Experiment 1' was read as a title and left out. The column names come from line 3.",
            "Line 2: The row 'as of Tuesday' was read as a title and left out. The column names come from line 3.",
        ]
        assert all(warning.is_doubtful for warning in table.warnings)


@pytest.mark.parametrize(
    "text", ["text\nA sentence.\nAnother, with a comma.\n", "item\nflut,ein Text\nweg,noch einer\n"]
)
def test_a_header_of_one_column_is_no_title(text):
    assert "The row has 2 cells, the header 1." in faults_of(text.encode())[0]


def test_cells_merged_over_several_rows_hold_their_value_in_each():
    book = openpyxl.load_workbook(io.BytesIO(workbook(LAB_SHEET)))
    for cells in ("A1:C1", "A4:A5", "A6:A7"):
        book.active.merge_cells(cells)
    table = read_table(saved(book))
    assert [row.cells[0] for row in table.rows] == ["1", "1", "2", "2"]
    (said,) = [warning for warning in table.warnings if "Merged" in warning.message]
    assert "(lines 4–5, 6–7)" in said.message
    assert said.is_doubtful


def test_merged_cells_that_overlap_cost_no_more_than_all_cells():
    rows = [("item", "text"), *((number, "A text.") for number in range(3_000))]
    archive = zipfile.ZipFile(io.BytesIO(workbook(rows)))
    buffer = io.BytesIO()
    merges = "".join(f'<mergeCell ref="A2:A{2_999 - n % 9}"/>' for n in range(30_000))
    with zipfile.ZipFile(buffer, "w") as forged:
        for name in archive.namelist():
            part = archive.read(name)
            if name.endswith("sheet1.xml"):
                part = part.replace(b"</sheetData>", f"</sheetData><mergeCells>{merges}</mergeCells>".encode())
            forged.writestr(name, part)
    table = read_table(buffer.getvalue())
    assert {row.cells[0] for row in table.rows[:2_990]} == {"0"}


def test_rows_of_several_colours_are_told_that_colours_are_not_read():
    book = openpyxl.load_workbook(io.BytesIO(workbook(LAB_SHEET[2:])))
    sheet = book.active
    for cell in sheet[1]:
        cell.fill = openpyxl.styles.PatternFill("solid", fgColor="DDDDDD")
    assert read_table(saved(book)).warnings == ()
    for line, colour in ((2, "FF0000"), (3, "00FF00"), (4, "FF0000"), (5, "00FF00")):
        sheet.cell(line, 3).fill = openpyxl.styles.PatternFill("solid", fgColor=colour)
    (said,) = read_table(saved(book)).warnings
    assert said.message == "The rows have 2 different colours. The platform does not read colours."


def test_a_cell_beyond_the_header_of_a_workbook_asks_for_the_name_of_its_column():
    (said,) = faults_of(workbook([("item", "text"), ("a", "b", "c")]))
    assert said == "Line 2: The row has 3 cells, the header 2. Give every column a name in line 1."

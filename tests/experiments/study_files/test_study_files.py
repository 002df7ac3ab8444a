"""A study comes from one readable file, and goes into an archive and back without loss; a fault stores nothing."""

import io
import json
import zipfile
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from experiments.materials import design_of
from experiments.models import Study
from experiments.procedure.texts import KINDS, current_text
from experiments.study.lifecycle import (
    open_study,
    opening_faults,
    save_details,
    save_procedure,
    save_questions,
    save_text,
)
from experiments.study_files import (
    StudyFileFaults,
    create_from_archive,
    create_from_toml,
    study_archive,
)
from tests.experiments.conftest import EXAMPLE

pytestmark = pytest.mark.slow

SMALL = """\
slug = "small"
title = "A small study"
paradigm = "magnitude-estimation"
responsible = "Ada Example"
contact = "ada@example.org"
estimated_minutes = 5
data_protection_note = "On our server."

[settings]
break_every = 10

[modulus]
text = "The reference."

[procedure]
leading_fillers = 1

[materials]
file = "materials.csv"

[[questions]]
name = "age"
label = "How old are you?"
kind = "number"
"""

MATERIALS = "item,text,marker,is_filler\n" + "".join(
    f"i{i},Sentence {i} {marker}.,{marker},no\n" for i in range(4) for marker in ("because", "so")
)
MATERIALS += "f0,A filler.,,yes\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "study.toml").write_text(SMALL)
    (tmp_path / "materials.csv").write_text(MATERIALS)
    return tmp_path


def create(folder, *, change=("", ""), materials=("", "")):
    (folder / "study.toml").write_text(SMALL.replace(*change) if change[0] else SMALL + change[1])
    (folder / "materials.csv").write_text(MATERIALS.replace(*materials) if materials[0] else MATERIALS)
    return create_from_toml(folder / "study.toml")


def faults_of(folder, **changes):
    with pytest.raises(StudyFileFaults) as refusal:
        create(folder, **changes)
    assert not Study.objects.exists()
    return [str(fault) for fault in refusal.value.faults]


def everything(study):
    """All of a study that an archive holds, in a form that two studies can be compared by."""
    study = Study.objects.get(pk=study.pk)
    design = design_of(study)
    fields = [
        getattr(study, name)
        for name in (
            "title",
            "description",
            "paradigm",
            "language",
            "responsible",
            "contact",
            "estimated_minutes",
            "settings",
            "procedure",
            "questions",
            "factors",
            "seed",
            "quota",
            "version",
            "data_protection_note",
            "retention_until",
        )
    ]
    texts = {kind: current_text(study, kind) for kind in KINDS}
    lists = {
        shown.name: list(shown.stimuli.order_by("item__position").values_list("item__code", "text"))
        for shown in study.lists.all()
    }
    return (
        fields,
        {kind: (text.body, text.required_boxes, text.optional_boxes) for kind, text in texts.items()},
        design,
        lists,
    )


def test_the_example_becomes_a_study_that_can_open_at_once(db):
    study = create_from_toml(EXAMPLE / "study.toml")
    assert (study.items.count(), study.conditions.count(), study.lists.count()) == (48, 8, 8)
    assert study.settings["modulus_text"].startswith("The visitors were")
    assert study.settings["break_every"] == 24
    assert study.procedure["max_same_condition_run"] == 2
    assert [question["name"] for question in study.questions][:2] == ["native_language", "english_variety"]
    consent = current_text(study, "consent")
    assert (consent.version, len(consent.required_boxes), len(consent.optional_boxes)) == (1, 3, 1)
    assert opening_faults(study) == []


def test_what_a_file_leaves_out_has_its_default(folder, db):
    study = create(folder)
    assert study.seed == 1
    assert study.settings["line_length_trials"] == 6
    assert study.procedure["stale_after_minutes"] == 180
    assert study.questions[0]["required"] is False
    assert "{title}" in current_text(study, "welcome").body
    assert opening_faults(study) == []


def test_faults_of_the_file_and_its_materials_are_reported_together_with_their_lines(folder, db):
    found = faults_of(
        folder,
        change=(
            "[settings]\nbreak_every = 10",
            'colour = "red"\n[settings]\nbreak_evry = 10\nallow_zero = "no"',
        ),
        materials=("i1,Sentence 1 so.,so,no\n", "i1,,so,no\n"),
    )
    assert found == [
        "Line 9: There is no key 'colour'. Possible keys here: 'slug', 'title', 'paradigm', 'language', "
        "'description', 'responsible', 'contact', 'seed', 'estimated_minutes', 'quota', 'data_protection_note', "
        "'retention_until', 'notice', 'settings', 'modulus', 'procedure', 'materials', 'questions', 'texts', "
        "'plan', 'error_codes', 'sources', 'criteria', 'look', 'wording', 'labels', 'languages', "
        "'translations'.",
        "Line 11, setting 'settings.break_evry': There is no such setting. Did you mean 'break_every'?",
        "Line 12, setting 'settings.allow_zero': 'no' is not true or false.",
        "materials.csv: line 5, column 'text': The text is empty.",
    ]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (('slug = "small"\n', ""), "'slug' is missing."),
        (('slug = "small"', 'slug = "Not a slug"'), "slug"),
        (('title = "A small study"', "title = 5"), "Line 2: 'title' must be a text, not 5."),
        (('"magnitude-estimation"', '"magnitude"'), "Line 3: There is no paradigm 'magnitude'."),
        (('contact = "ada@example.org"', 'contact = "ada"'), "valid email"),
        (("estimated_minutes = 5", "estimated_minutes = 5.5"), "'estimated_minutes' must be a whole number, not 5.5."),
        (('language = "en"', ""), ""),
        (("[modulus]", "[modulas]"), "There is no key 'modulas'. Did you mean 'modulus'?"),
        (('text = "The reference."', 'txt = "x"'), "There is no key 'modulus.txt'. Did you mean 'text'?"),
        (
            ("[settings]", '[settings]\nmodulus_text = "x"'),
            "The modulus sentence appears twice: as modulus.text and as settings.modulus_text.",
        ),
        (
            ("leading_fillers = 1", "leading_fillers = 3"),
            "The first 3 trials cannot be fillers, because there is only 1 filler.",
        ),
        (("leading_fillers = 1", "max_target_run = -1"), "Line 16, setting 'procedure.max_target_run'"),
        (('file = "materials.csv"', 'file = "nowhere.csv"'), "Line 19: The materials 'nowhere.csv' cannot be read"),
        (('file = "materials.csv"', ""), "'materials.file' is missing"),
        (('file = "materials.csv"', 'file = "a\\u0000b"'), "cannot be stored (U+0000)"),
        (('kind = "number"', 'kind = "numbr"'), "Did you mean 'number'?"),
        (("title = ", "title == "), "The file is not valid TOML"),
        (('text = "The reference."', ""), "The modulus sentence is empty."),
        (("[procedure]", '[texts.consnt]\nbody = "x"\n[procedure]'), "no key 'texts.consnt'. Did you mean 'consent'?"),
        (("[procedure]", '[texts.welcome]\nbody = " "\n[procedure]'), "'texts.welcome.body' must be a text"),
        (("[procedure]", '[texts.consent]\nbody = "x"\nrequired = [1]\n[procedure]'), "must be a list of statements"),
        (("[procedure]", "procedure = 3\n[proc]"), "There is no key"),
    ],
)
def test_each_fault_of_a_file_is_named_and_nothing_is_stored(folder, db, change, part):
    if part:
        assert part in "\n".join(faults_of(folder, change=change))


def test_an_unknown_language_is_named(folder, db):
    assert (
        "The platform does not have the language 'xx'. Possible languages: 'en', 'de', 'es'"
        in faults_of(folder, change=("responsible", 'language = "xx"\nresponsible'))[0]
    )


def test_keys_within_a_text_of_several_lines_do_not_shift_lines(folder, db):
    text = 'description = """\ntitle = 3\n[settings]\n"""\nresponsible = 7\n#'
    assert faults_of(folder, change=("responsible", text))[0].startswith("Line 8: 'responsible' must be a text")


def test_an_address_that_is_taken_is_refused(folder, db):
    create(folder)
    with pytest.raises(StudyFileFaults, match="already exists"):
        create(folder)
    assert Study.objects.count() == 1


def test_a_file_that_is_not_there_or_not_utf8_is_said(folder):
    with pytest.raises(StudyFileFaults, match="There is no file"):
        create_from_toml(folder / "none.toml")
    (folder / "study.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(StudyFileFaults, match="not UTF-8"):
        create_from_toml(folder / "study.toml")


def test_factors_can_be_named_in_the_file(folder, db):
    create(folder, change=('file = "materials.csv"', 'file = "materials.csv"\nfactors = ["marker"]'))
    Study.objects.all().delete()
    assert (
        "Did you mean 'marker'?"
        in faults_of(
            folder,
            change=('file = "materials.csv"', 'file = "materials.csv"\nfactors = ["marker"]'),
            materials=("item,text,marker", "item,text,maker"),
        )[0]
    )


def test_texts_that_are_missing_on_purpose_are_declared_in_the_file(folder, db):
    lost = ("i2,Sentence 2 so.,so,no\n", "")
    said = faults_of(folder, materials=lost)
    assert "The item 'i2' has no text in 'so'" in said[0]
    assert said[1].endswith("If these texts are missing on purpose, write here: incomplete = true.")
    declared = ('file = "materials.csv"', 'file = "materials.csv"\nincomplete = true')
    study = create(folder, change=declared, materials=lost)
    assert (study.lists.count(), study.items.get(code="i2").stimuli.count()) == (2, 1)
    again = create_from_archive(study_archive(study), slug="again")
    assert design_of(again) == design_of(study)
    Study.objects.all().delete()
    assert (
        "must be true or false"
        in faults_of(folder, change=('file = "materials.csv"', 'file = "materials.csv"\nincomplete = "yes"'))[0]
    )


def test_the_command_makes_a_study_for_its_owner_and_says_what_is_missing(folder, researcher, capsys):
    create_file = folder / "study.toml"
    create_file.write_text(SMALL.replace('contact = "ada@example.org"\n', ""))
    call_command("create_study", str(create_file), "--owner", "ada")
    assert Study.objects.get().owner == researcher
    said = capsys.readouterr().out
    assert "4 items, 2 conditions, 2 lists, 1 filler, 0 practice texts" in said
    assert "Before it can open: There is no address to which participants can write." in said


def test_the_command_exits_with_2_and_one_line_per_fault(folder, db):
    (folder / "study.toml").write_text(SMALL.replace("break_every", "break_evry").replace("contact", "contct"))
    with pytest.raises(CommandError) as refusal:
        call_command("create_study", str(folder / "study.toml"))
    assert refusal.value.returncode == 2
    lines = str(refusal.value).splitlines()
    assert lines[0].endswith("study.toml: 2 faults. Nothing was stored.")
    assert lines[1:] == [
        "  Line 5: There is no key 'contct'. Did you mean 'contact'?",
        "  Line 10, setting 'settings.break_evry': There is no such setting. Did you mean 'break_every'?",
    ]


def test_an_unknown_owner_is_refused(folder, db):
    with pytest.raises(CommandError, match="no user 'nobody'") as refusal:
        call_command("create_study", str(folder / "study.toml"), "--owner", "nobody")
    assert refusal.value.returncode == 2
    assert not Study.objects.exists()


def test_the_example_survives_the_way_through_an_archive(tmp_path, db):
    study = create_from_toml(EXAMPLE / "study.toml")
    call_command("export_study", study.slug, "--out", str(tmp_path / "study.zip"))
    call_command("import_study", str(tmp_path / "study.zip"), "--slug", "again")
    again = Study.objects.get(slug="again")
    assert everything(again) == everything(study)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["study.zip"]


def test_a_draft_that_has_hardly_begun_comes_back_as_it_was(draft, researcher):
    save_text(draft, "welcome", "", researcher)
    again = create_from_archive(study_archive(draft), user=researcher, slug="again")
    assert everything(again) == everything(draft)
    assert (again.settings, again.procedure) == ({}, {})


def test_an_archive_may_hold_an_order_that_cannot_be_kept_yet(ready, researcher):
    save_procedure(ready, {"leading_fillers": 9}, researcher)
    again = create_from_archive(study_archive(Study.objects.get(pk=ready.pk)), user=researcher, slug="again")
    assert everything(again) == everything(ready)
    assert opening_faults(again) == opening_faults(Study.objects.get(pk=ready.pk)) != []


def test_the_same_study_makes_the_same_bytes(ready):
    assert study_archive(ready) == study_archive(Study.objects.get(pk=ready.pk))


def test_a_study_that_was_opened_comes_back_as_a_draft_without_people(ready, researcher):
    save_text(ready, "consent", "Corrected.", researcher, optional_boxes=["May be shared."])
    open_study(ready, researcher)
    again = create_from_archive(study_archive(ready), user=researcher, slug="again")
    assert (again.status, again.opened_at, again.owner) == ("draft", None, researcher)
    assert everything(again) == everything(ready)
    assert opening_faults(again) == []


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=25).filter(
    lambda text: text.strip() == text
)


@given(
    title=words,
    note=words,
    text=words,
    modulus=words,
    boxes=st.lists(words, min_size=1, max_size=3),
    seed=st.integers(0, 2**31 - 1),
    quota=st.none() | st.integers(1, 500),
    until=st.none() | st.dates(date(2030, 1, 1), date(2090, 1, 1)),
    allow_zero=st.booleans(),
    fillers=st.integers(0, 2),
    sets=st.sampled_from(["together", "apart"]),
    question=st.booleans(),
)
@hypothesis_settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_study_survives_the_way_through_an_archive(
    draft,
    design,
    researcher,
    title,
    note,
    text,
    modulus,
    boxes,
    seed,
    quota,
    until,
    allow_zero,
    fillers,
    sets,
    question,
):
    from experiments.study.lifecycle import save_design

    Study.objects.exclude(pk=draft.pk).delete()
    save_design(draft, design, researcher)
    details = {
        "title": title,
        "description": note,
        "data_protection_note": note,
        "seed": seed,
        "quota": quota,
        "retention_until": until,
        "settings": {"modulus_text": modulus, "allow_zero": allow_zero},
    }
    save_details(draft, details, researcher)
    save_procedure(draft, {"leading_fillers": fillers, "item_sets": sets}, researcher)
    asked = [{"name": "q", "label": title, "kind": "choice", "choices": ["a", "b"]}] if question else []
    save_questions(draft, asked, researcher)
    save_text(draft, "consent", text, researcher, required_boxes=boxes)
    again = create_from_archive(study_archive(Study.objects.get(pk=draft.pk)), user=researcher, slug="again")
    assert everything(again) == everything(draft)


def archive_of(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def changed(study, change):
    with zipfile.ZipFile(io.BytesIO(study_archive(study))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    given = json.loads(members["study.json"])
    change(given)
    return archive_of({**members, "study.json": json.dumps(given)})


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"not a zip", "not a ZIP archive"),
        (b"PK\x03\x04" + b"\x00" * 50, "not a ZIP archive"),
        (b"x" * (67 * 1024 * 1024), "larger than 66 MB"),
        (archive_of({}), "this one is empty"),
        (archive_of({"study.json": "{}", "../../etc/passwd": "x"}), "'../../etc/passwd'"),
        (archive_of({"study.json": "{}", "/abs": "x"}), "'/abs'"),
        (archive_of({"study.json": "{}", "sub/materials.csv": "x"}), "this one contains 'sub/materials.csv'"),
        (archive_of({"materials.csv": "item,text"}), "The archive contains no 'study.json'"),
        (archive_of({"study.json": "{"}), "not valid JSON"),
        (archive_of({"study.json": '{"a": NaN}'}), "NaN is not a number"),
        (archive_of({"study.json": "[" * 100_000}), "not valid JSON"),
        (archive_of({"study.json": "[]"}), "must contain one object"),
        (archive_of({"study.json": "{}"}), "The archive is not a study of this platform."),
        (archive_of({"study.json": '{"format": "lectern-study", "format_version": 2}'}), "the format 2"),
        (archive_of({"study.json": "{}", "materials.csv": " " * (11 * 1024 * 1024)}), "unpacks to more than 10 MB"),
    ],
)
def test_an_archive_that_is_none_is_refused(db, data, part):
    with pytest.raises(StudyFileFaults) as refusal:
        create_from_archive(data)
    assert part in str(refusal.value)
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda given: given["study"].update(slug=None), "'slug' is missing"),
        (lambda given: given["study"].update(status="open"), "There is no key 'study.status'"),
        (lambda given: given["study"].update(title="a\x00b"), "cannot be stored (U+0000)"),
        (lambda given: given["study"].update(version=0), "'study.version' must be a whole number of 1 or more, not"),
        (lambda given: given["study"].update(retention_until="soon"), "must be a date"),
        (lambda given: given["settings"].update(break_every=-1), "settings.break_every"),
        (lambda given: given.update(settings=[]), "'settings' must be a table"),
        (lambda given: given.update(questions=[{"name": "A"}]), "Question 1"),
        (lambda given: given.update(factors=[{"name": "marker"}]), "'factors' must be a list of names"),
        (lambda given: given.update(factors=[{"name": "maker", "levels": ["a"]}]), "Did you mean 'maker'?"),
        (lambda given: given["texts"]["consent"].update(body=5), "'texts.consent.body' must be a text"),
        (lambda given: given.update(data=[]), "There is no key 'data'"),
    ],
)
def test_an_archive_that_was_tampered_with_is_refused_with_its_faults(ready, change, part):
    with pytest.raises(StudyFileFaults) as refusal:
        create_from_archive(changed(ready, change), slug="again")
    assert part in str(refusal.value)
    assert Study.objects.count() == 1


def test_importing_twice_needs_another_address(ready, tmp_path, capsys):
    (tmp_path / "study.zip").write_bytes(study_archive(ready))
    with pytest.raises(CommandError, match="already exists") as refusal:
        call_command("import_study", str(tmp_path / "study.zip"))
    assert refusal.value.returncode == 2
    call_command("import_study", str(tmp_path / "study.zip"), "--slug", "twice", "--owner", "ada")
    assert "The study 'twice' was created as a draft" in capsys.readouterr().out


def test_a_study_that_does_not_exist_is_not_exported(db, tmp_path):
    with pytest.raises(CommandError, match="no study 'none'") as refusal:
        call_command("export_study", "none", "--out", str(tmp_path / "x.zip"))
    assert refusal.value.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_cannot_be_written_leaves_nothing(ready, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written") as refusal:
        call_command("export_study", ready.slug, "--out", str(tmp_path / "file" / "x.zip"))
    assert refusal.value.returncode == 2


def test_the_address_that_the_platform_uses_itself_is_refused(folder, db):
    with pytest.raises(StudyFileFaults, match="The platform itself uses the address 'new'"):
        create(folder, change=('slug = "small"', 'slug = "new"'))
    assert not Study.objects.exists()

"""Scores of words join regions and visits by item, condition and order, with those of the regions before; words that do
not match are named, and all of it goes with the study and can be undone.
"""

from __future__ import annotations

import csv
import io
import random
from itertools import groupby

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.codebook.columns import names
from analysis.data.frames import data_stamp
from analysis.data.tables import columns_of
from analysis.exports import stream
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Stimulus, Study, WordScore
from experiments.paradigms.pieces.areas import without_marks
from experiments.study.lifecycle import copy_study, open_study
from experiments.study.word_scores import current_values
from experiments.study_files import create_from_archive, create_from_toml, study_archive
from tests.analysis.computed import execute
from tests.selection import only_in_full

EXAMPLES = settings.BASE_DIR / "experiments" / "examples"
JOINED = [
    ("relative-clauses", "regions", "region"),
    only_in_full("a table of choices whose words are put to the wrong ones", "maze-agents", "regions", "region"),
    only_in_full("areas of several words whose scores are put together wrongly", "mouse-reading", "visits", "aoi"),
]


def study_of(example: str) -> Study:
    owner = get_user_model().objects.create_user("owner", is_staff=True)
    return create_from_toml(EXAMPLES / example / "study.toml", user=owner, owner=owner)


def words_of(study: Study) -> list[list[str]]:
    """A line for every word of every text: item, condition, word, and a number of its own."""
    rng = random.Random(7)
    order = [factor["name"] for factor in study.factors]
    return [
        [
            one.item.code,
            ":".join(one.condition.levels[name] for name in order) if one.condition else "",
            word,
            f"{rng.uniform(0, 20):.3f}",
            f"{rng.uniform(1, 7):.2f}",
        ]
        for one in Stimulus.objects.filter(item__part=study.task).select_related("item", "condition").order_by("pk")
        for word in without_marks(one.text).split()
        if any(sign.isalnum() for sign in word)
    ]


def table_of(lines: list[list[str]]) -> str:
    return "\n".join(",".join(f'"{cell}"' for cell in line) for line in [HEADER, *lines])


HEADER = ["item", "condition", "word", "Surprisal", "zipf"]


def stored(study: Study, tmp_path, lines=None, **options) -> None:
    path = tmp_path / "surprisal.csv"
    path.write_text(table_of(words_of(study) if lines is None else lines), encoding="utf-8")
    call_command("word_scores", study.slug, str(path), note="a 5-gram model", **options)


def plain(scores) -> dict[str, list[str]]:
    return {one.name: sorted(str(of["values"]) for of in one.values.values()) for one in scores}


def rows_of(study: Study, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(stream(study, name)).decode("utf-8"), newline="")))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("example", "table", "place"), JOINED)
def test_every_region_has_the_scores_of_its_words_and_of_the_two_regions_before(example, table, place, tmp_path):
    study = study_of(example)
    open_study(study, study.owner)
    call_command("simulate", study.slug, participants=1, seed=3)
    study.refresh_from_db()
    before = b"".join(stream(study, f"{table}.csv"))
    earlier = data_stamp(study)
    lines = words_of(study)
    stored(study, tmp_path, lines)
    assert data_stamp(study) != earlier
    rows = rows_of(study, f"{table}.csv")
    added = [name for name in rows[0] if "surprisal" in name]
    assert added == ["surprisal", "previous_surprisal", "second_previous_surprisal"]
    assert next(csv.reader(io.StringIO(before.decode())))[: len(rows[0]) - 6] == list(rows[0])[:-6]
    numbers = {key: [float(line[3]) for line in of] for key, of in groupby(lines, key=lambda line: tuple(line[:2]))}
    checked = 0
    for _, of_trial in groupby(rows, key=lambda row: (row["participant"], row["position"])):
        trial = list(of_trial)
        sizes = {int(row[place]): int(row["words"]) for row in trial}
        left, sums = list(numbers[trial[0]["item"], trial[0]["condition"]]), {}
        for number in range(1, max(sizes) + 1):
            size = sizes.get(number)
            if size is None:  # an area that was never entered: what comes after cannot be counted from here
                break
            sums[number], left = sum(left[:size]), left[size:]
        for row in trial:
            for back, name in enumerate(added):
                expected = sums.get(int(row[place]) - back) if int(row[place]) in sums else None
                if expected is not None:
                    assert float(row[name]) == pytest.approx(expected)
                    checked += 1
                elif int(row[place]) - back < 1:
                    assert row[name] == ""
    assert checked > 50
    assert {*added, "previous_zipf"} <= {row["column"] for row in rows_of(study, "codebook.csv")}
    call_command("word_scores", study.slug, remove="surprisal")
    call_command("word_scores", study.slug, remove="zipf")
    study = Study.objects.get(pk=study.pk)
    assert b"".join(stream(study, f"{table}.csv")) == before
    actions = AuditEntry.objects.filter(study=study, action__startswith="scores of words")
    assert [one.action for one in actions.order_by("pk")] == [
        "scores of words stored",
        *["scores of words removed"] * 2,
    ]


@pytest.mark.django_db
def test_words_that_do_not_match_are_named_by_item_condition_and_place(tmp_path):
    study = study_of("relative-clauses")
    lines = words_of(study)
    item, condition, word, *_ = lines[2]
    cases = [
        (
            [*lines[:2], [item, condition, "xyz", "1", "1"], *lines[3:]],
            f"word 3: the text has '{word}', the table 'xyz'",
        ),
        ([*lines[:2], *lines[3:]], f"word 3: the text has '{word}'"),
        ([*lines[:2], [item, condition, word, "much", "1"], *lines[3:]], "'much' is not a number"),
        ([*lines[:2], [item, condition, word, "1,5", "inf"], *lines[3:]], "zipf: 'inf' is not a number"),
        ([["i99", condition, "x", "1", "1"], *lines], "the study has no text with item 'i99'"),
    ]
    for altered, said in cases:
        with pytest.raises(CommandError, match=said.replace("(", r"\(")) as refused:
            stored(study, tmp_path, altered)
        assert "Nothing was stored" in str(refused.value)
        assert item in str(refused.value) or "i99" in str(refused.value)
    with pytest.raises(CommandError, match="needs the columns item, condition"):
        call_command("word_scores", study.slug, str(EXAMPLES / "relative-clauses" / "materials.csv"), note="x")
    stored(study, tmp_path, check=True)
    assert not WordScore.objects.exists()
    punctuated = [[*line[:2], line[2].strip(".,").upper(), "NA", ""] for line in lines]
    stored(study, tmp_path, punctuated)
    with pytest.raises(CommandError, match="are already stored"):
        stored(study, tmp_path)
    stored(study, tmp_path, replace=True)
    assert WordScore.objects.count() == 2


@pytest.mark.django_db
def test_the_page_checks_shows_and_stores(client, tmp_path):
    study = study_of("relative-clauses")
    client.force_login(study.owner)
    address = reverse("analysis:word_scores", args=[study.slug])
    text = table_of(words_of(study))
    given = {"note": "a 5-gram model", "together": "mean"}
    checked = client.post(address, {**given, "file": SimpleUploadedFile("surprisal.csv", text.encode())})
    page = checked.content.decode()
    assert "Nothing is stored yet" in page
    assert '<th scope="col">surprisal</th>' in page
    assert not WordScore.objects.exists()
    carried = checked.context["form"].initial
    done = client.post(
        address, {**given, **{k: carried[k] for k in ("carried", "carried_name")}, "store": "1"}, follow=True
    )
    assert "2 scores of" in done.content.decode()
    score = WordScore.objects.get(name="surprisal")
    assert (score.together, score.provenance) == ("mean", "a 5-gram model. From surprisal.csv.")
    wrong = client.post(address, {**given, "file": SimpleUploadedFile("a.csv", text.replace("The", "A", 1).encode())})
    assert (wrong.status_code, "word 1" in wrong.content.decode()) == (422, True)
    assert client.post(address, given).status_code == 422
    removal = reverse("analysis:remove_word_score", args=[study.slug, score.pk])
    assert "its values for the words of" in client.get(removal).content.decode()
    client.post(removal)
    assert [one.name for one in WordScore.objects.all()] == ["zipf"]


@pytest.mark.django_db
def test_scores_of_words_go_with_copies_archives_and_study_files(tmp_path):
    study = study_of("relative-clauses")
    stored(study, tmp_path)
    values = {
        one.name: sorted(map(str, (of["values"] for of in one.values.values()))) for one in WordScore.objects.all()
    }
    copied = copy_study(study, "copied", study.owner)
    imported = create_from_archive(study_archive(study), user=study.owner, owner=study.owner, slug="imported")
    for other in (copied, imported):
        scores = WordScore.objects.filter(part=other.task)
        assert plain(scores) == values
        assert {one.provenance for one in scores} == {"a 5-gram model. From surprisal.csv."}
    assert study_archive(imported) == study_archive(Study.objects.get(pk=imported.pk))
    folder = EXAMPLES / "relative-clauses"
    file = (folder / "study.toml").read_text(encoding="utf-8")
    (tmp_path / "materials.csv").write_bytes((folder / "materials.csv").read_bytes())
    said = 'words = "surprisal.csv"\nwords_source = "a 5-gram model"\n'
    (tmp_path / "study.toml").write_text(file.replace("[materials]\n", f"[materials]\n{said}"), encoding="utf-8")
    Study.objects.filter(pk=study.pk).update(slug="elsewhere")
    described = create_from_toml(tmp_path / "study.toml", user=study.owner, owner=study.owner)
    assert set(WordScore.objects.filter(part=described.task).values_list("name", flat=True)) == set(values)
    (tmp_path / "surprisal.csv").write_text(table_of(words_of(study)[1:]), encoding="utf-8")
    Study.objects.filter(pk=described.pk).update(slug="elsewhere-too")
    with pytest.raises(ValueError, match=r"surprisal\.csv: .*word 1"):
        create_from_toml(tmp_path / "study.toml", user=study.owner, owner=study.owner)


@pytest.mark.django_db(transaction=True)
def test_they_are_covariates_of_models_also_after_opening(tmp_path):
    study = study_of("relative-clauses")
    open_study(study, study.owner)
    call_command("simulate", study.slug, participants=6, seed=3)
    study = Study.objects.get(pk=study.pk)
    stored(study, tmp_path)
    assert "previous_surprisal" in names(columns_of(study, "regions"))
    formula = "log(rt_ms) ~ surprisal + previous_surprisal + characters + (1|participant)"
    run = request_run(study, method="lmm", params={"formula": formula, "keep": "simulated"}, table="regions", user=None)
    execute(run.pk)
    run.refresh_from_db()
    assert run.status == run.Status.DONE, run.error
    assert '"previous_surprisal"' in run.report


@pytest.mark.django_db
def test_a_text_that_changed_has_no_scores_any_more(tmp_path):
    study = study_of("relative-clauses")
    stored(study, tmp_path)
    first = Stimulus.objects.filter(item__part=study.task).earliest("pk")
    assert first.pk in current_values(study.task)
    Stimulus.objects.filter(pk=first.pk).update(text=f"{first.text} Again.")
    assert first.pk not in current_values(study.task)

"""Every alteration of an archive is found, also where its hashes were made anew; an untouched one is never refused."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from django.core.management import call_command
from django.db import transaction

from analysis.exports import zip_pieces
from analysis.exports.reports import report_files
from analysis.management.commands.verify import CANNOT_KNOW
from analysis.models import AnalysisRun
from analysis.papers.run_files import archive_files
from analysis.papers.whole import paper_files
from analysis.verification.recomputing import Asked, recomputed
from analysis.verification.whole import verify
from experiments.models import AuditEntry, Study
from experiments.study.registration import OPENED, plan_sha256, registration_of
from tests.analysis.studies import add_participants
from tests.analysis.verification.archives import (
    exported,
    of_json,
    of_rows,
    registered_study,
    with_hashes,
    zipped,
)

# The archives that all tests share are made in a database, which no test but these may ask for.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def archives(django_db_setup, django_db_blocker):
    """The files of an export, of a paper and of the archive of one report; nothing stays in the database."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = registered_study()
        run = AnalysisRun.objects.get(method="rm-anova")
        found = {
            "export": exported(study),
            "paper": dict(paper_files(study)),
            "report": {name: b"".join(pieces) for name, pieces in archive_files(run)},
        }
        transaction.set_rollback(True)
    return found


def row(number, name, value):
    def change(rows):
        rows[number][name] = value

    return change


def judged(rows):
    """The first row of a target that is analysed."""
    return next(row for row in rows if row["phase"] == "main" and row["rating_z"] and row["excluded"] == "false")


def of_report(method, change):
    return of_json(f"/{method}-report.json" if not method else "report.json", change)


def sentence(told):
    told["sentences"][0] = re.sub(
        r"= (\d+)\.(\d)", lambda found: f"= {int(found[1]) + 1}.{found[2]}", told["sentences"][0], count=1
    )


def cell_of_means(rows):
    rows[0]["mean"] = str(float(rows[0]["mean"]) + 0.5)


def in_anova(change):
    def alter(files):
        name = next(one for one in files if re.fullmatch(r"reports/rm-anova-\d+/report\.json", one))
        return of_json(name, change)(files)

    return alter


def p_of(told):
    table = next(table for table in told["tables"] if table["name"] == "anova")
    place = [column["name"] for column in table["columns"]].index("p")
    table["rows"][0][place] = 0.012345


def beside_anova(name, change):
    def alter(files):
        path = next(one for one in files if re.fullmatch(rf"reports/rm-anova-\d+/{name}", one))
        return of_rows(path, change)(files)

    return alter


def without_anova(files):
    return {name: content for name, content in files.items() if not name.startswith("reports/rm-anova")}


def moved_session(rows):
    rows[0]["started_at"] = "2026-02-20T09:00:00.000Z"


ALTERATIONS = {
    "a cell of the data": of_rows("trials.csv", lambda rows: judged(rows).update(rating_z="3.21")),
    "a p in a table": in_anova(p_of),
    "a row left out": of_rows("trials.csv", lambda rows: rows.remove(judged(rows))),
    "an exclusion": of_rows("trials.csv", lambda rows: judged(rows).update(excluded="true", exclusion_reason="tired")),
    "the hypotheses of the plan": of_json("provenance.json", lambda known: known["plan"].update(hypotheses="None")),
    "the date of the opening": of_json("provenance.json", lambda known: known.update(opened_at="2025-12-01T00:00Z")),
    "a number in a sentence": in_anova(sentence),
    "a row put in twice": of_rows("trials.csv", lambda rows: rows.append(dict(judged(rows)))),
    "a row moved to another condition": of_rows("trials.csv", lambda rows: judged(rows).update(marker="since")),
    "a simulated row as a person": of_rows("trials.csv", lambda rows: judged(rows).update(simulated="true")),
    "a participant's name": of_rows("trials.csv", lambda rows: judged(rows).update(participant="P0099")),
    "a table beside its report": beside_anova(r"cells\.csv", cell_of_means),
    "a rule of the plan": of_json("provenance.json", lambda known: known["plan"]["exclusion_rules"][0].update(ms=3000)),
    "an analysis planned afterwards": of_json(
        "provenance.json",
        lambda known: known["plan"]["analyses"].append(
            {"title": "M", "method": "condition-means", "table": "trials", "params": {"measures": "rating,z(rating)"}}
        ),
    ),
    "the hash of the plan, too": of_json("provenance.json", lambda known: known.update(plan_sha256="0" * 64)),
    "when the first participant came": of_rows("sessions.csv", moved_session),
    "when a participant came": of_rows("participants.csv", moved_session),
    "a text": of_rows("materials.csv", row(0, "text", "Another sentence.")),
    "a parameter of a report": in_anova(lambda told: told["params"].update(dv="rating")),
    "a word of a sentence": in_anova(
        lambda told: told["sentences"].__setitem__(0, told["sentences"][0].replace("F", "G", 1))
    ),
    "a warning left out": in_anova(lambda told: told.update(notes=told["notes"][:-1])),
    "the method of a report": in_anova(lambda told: told.update(method="friedman")),
    "a report left out": without_anova,
    "a report put in": lambda files: {**files, "reports/lmm-9/report.json": files["datapackage.json"]},
    "the data of a report": of_json("provenance.json", lambda known: known["reports"][0].update(data="texts.csv")),
}  # fmt: skip
SAMPLE = (
    "a cell of the data", "a p in a table", "a row left out", "an exclusion", "the hypotheses of the plan",
    "the date of the opening", "a number in a sentence",
)  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        name if name in SAMPLE else pytest.param(name, marks=pytest.mark.full("alterations of further kinds"))
        for name in ALTERATIONS
    ],
)
def test_an_alteration_is_found_though_the_hashes_were_made_anew(name, archives, tmp_path):
    altered = with_hashes(ALTERATIONS[name](archives["export"]))
    verdict = verify([zipped(altered, tmp_path / "altered.zip")])
    assert verdict.files_as_listed == verdict.files
    assert verdict.wrong, verdict.as_dict()


def test_archives_as_they_were_made_are_reproduced_to_the_last_number(archives, tmp_path, capsys):
    export, paper, report = (zipped(files, tmp_path / f"{name}.zip") for name, files in archives.items())
    call_command("verify", export, paper)
    said = capsys.readouterr().out
    verdict = verify([export, paper])
    assert verdict.wrong == []
    assert verdict.same == verdict.numbers > 400
    assert [said for said in verdict.told if "flow.csv" not in said and "settings.csv" not in said] == []
    assert [one.standing for one in verdict.reports] == ["exploratory", "planned"]
    assert said.rstrip().endswith(
        f"{verdict.same} of {verdict.numbers} numbers reproduced; plan fixed 28 days before the first participant."
    )
    alone = verify([report])
    assert (alone.wrong, alone.same) == ([], alone.numbers)


def test_without_new_hashes_any_byte_is_found(archives, tmp_path):
    for name in ("start.py", "trials.csv", "README.md"):
        altered = {**archives["export"], name: archives["export"][name] + b" "}
        assert any(name in said for said in verify([zipped(altered, tmp_path / f"{name}.zip")]).wrong)


def test_a_number_of_the_manuscript_that_no_report_gives_is_found(archives, tmp_path):
    export = zipped(archives["export"], tmp_path / "export.zip")
    text = archives["paper"]["paper.md"].decode()
    number = re.findall(r"= (\d+\.\d\d)", text.partition("# Results")[2])[0]
    table = next(name for name in archives["paper"] if re.fullmatch(r"tables/rm-anova-\d+-anova\.csv", name))
    in_text = {**archives["paper"], "paper.md": text.replace(number, "77.77").encode()}
    in_table = of_rows(table, row(0, "p", "0.0123"))(archives["paper"])
    for altered, said in ((in_text, "77.77"), (in_table, "0.0123")):
        verdict = verify([export, zipped(with_hashes(altered), tmp_path / f"{said}.zip")])
        assert [one for one in verdict.wrong if said in one]


def forged(files):
    """Alter a datum, and compute report, tables, figures and every hash anew, as the platform would."""
    files = of_rows("trials.csv", lambda rows: judged(rows).update(rating_z="3.21"))(files)
    known = json.loads(files["provenance.json"])
    for entry in known["reports"]:
        entry["data_sha256"] = hashlib.sha256(files["trials.csv"]).hexdigest()
        params = json.loads(files[f"{entry['path']}/report.json"])["params"]
        again = recomputed(Asked(entry["method"], params, files["trials.csv"]))
        text = json.dumps(again, ensure_ascii=False, indent=2) + "\n"
        files |= {f"{entry['path']}/{name}": content for name, content in report_files(text)}
    return with_hashes({**files, "provenance.json": json.dumps(known).encode()})


def test_what_was_computed_anew_as_a_whole_verifies_and_the_verdict_says_what_it_cannot_know(
    archives, tmp_path, capsys
):
    path = zipped(forged(archives["export"]), tmp_path / "forged.zip")
    assert verify([path]).wrong == []
    call_command("verify", path)
    assert CANNOT_KNOW in capsys.readouterr().out


def test_a_plan_that_was_forged_as_a_whole_is_found_by_the_history_of_its_platform(archives, tmp_path, capsys):
    study = registered_study()
    honest = zipped(exported(study), tmp_path / "honest.zip")
    call_command("verify", honest, study=study.slug)
    files = exported(study)
    known = json.loads(files["provenance.json"])
    known["plan"]["hypotheses"] = "What was found."
    known["plan_sha256"] = known["registered"]["plan_sha256"] = plan_sha256(known["plan"])
    path = zipped(with_hashes({**files, "provenance.json": json.dumps(known).encode()}), tmp_path / "forged.zip")
    assert verify([path]).wrong == []
    with pytest.raises(SystemExit) as ended:
        call_command("verify", path, study=study.slug)
    assert ended.value.code == 1
    assert "On this platform the plan of" in capsys.readouterr().out


def test_an_archive_of_before_is_verified_as_far_as_it_goes(archives, tmp_path):
    old = {name: content for name, content in archives["export"].items() if name != "provenance.json"}
    verdict = verify([zipped(with_hashes(old), tmp_path / "old.zip")])
    assert verdict.wrong == []
    assert verdict.same == verdict.numbers > 200
    assert verdict.claims.plan_in_words == ""
    assert "before archives said when their plan was fixed" in verdict.lacking[0]
    report = {n: c for n, c in archives["report"].items() if n not in ("provenance.json", "manifest.json")}
    verdict = verify([zipped(report, tmp_path / "report.zip")])
    assert (verdict.wrong, verdict.same) == ([], verdict.numbers)
    altered = with_hashes(in_anova(p_of)(old))
    assert verify([zipped(altered, tmp_path / "altered.zip")]).wrong


def test_an_archive_in_which_a_report_is_older_than_the_data_is_not_refused(tmp_path):
    study = registered_study()
    add_participants(study, 2, first=20)
    verdict = verify([zipped(exported(study), tmp_path / "older.zip")])
    assert verdict.wrong == []
    assert verdict.numbers == 0 < verdict.unchecked
    assert [one.reason for one in verdict.reports] == ["it is older than the data beside it."] * 2


def test_the_registration_is_in_the_history_and_the_first_opening_counts():
    study = registered_study()
    entry = AuditEntry.objects.create(study=study, action=OPENED, detail="plan SHA-256 " + "0" * 64)
    found = registration_of(study)
    assert (found.at < entry.at, found.plan_sha256) == (True, plan_sha256(study.plan))
    Study.objects.filter(pk=study.pk).update(plan={"hypotheses": "changed"})
    assert plan_sha256(Study.objects.get(pk=study.pk).plan) != found.plan_sha256


def test_the_zip_that_pages_stream_can_be_read(archives, tmp_path):
    path = tmp_path / "streamed.zip"
    path.write_bytes(b"".join(zip_pieces((name, [content]) for name, content in archives["export"].items())))
    assert verify([path]).wrong == []

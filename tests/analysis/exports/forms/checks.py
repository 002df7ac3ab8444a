"""The published rules of the forms, as checks of a folder; their own programs are asked as well where they are here.

Sources: the BIDS specification 1.10 (entities, participants file, tabular files, dataset description), the Croissant
format specification 1.0, the README and the checks of pull requests of PsychLing-101, and the IBM SPSS Statistics
command syntax reference (variable names, GET DATA, VARIABLE LABELS, VARIABLE LEVEL).
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

BEHAVIOUR = re.compile(r"sub-([0-9A-Za-z]+)/beh/sub-\1_task-([0-9A-Za-z]+)(_run-\d+)?_beh\.tsv")
AT_ROOT = re.compile(r"dataset_description\.json|README\.md|participants\.(tsv|json)|task-[0-9A-Za-z]+_beh\.json")
LEGAL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.@#$]*(?<![._])")
DATA_TYPES = {"sc:Text", "sc:Integer", "sc:Float", "sc:Boolean", "sc:DateTime"}
MOST_CHARACTERS = 128_000


def paths_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def table(path: Path, *, delimiter: str = ",") -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        if delimiter == "\t":
            return [line.split("\t") for line in file.read().split("\n")[:-1]]
        return list(csv.reader(file))


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def check_manifest(folder: Path) -> None:
    """Every file but the manifest is in it, with its size and hash."""
    listed = {one["path"]: (one["bytes"], one["sha256"]) for one in read(folder / "manifest.json")["files"]}
    there = {}
    for path in paths_in(folder):
        content = (folder / path).read_bytes()
        there[path] = (len(content), hashlib.sha256(content).hexdigest())
    del there["manifest.json"]
    assert listed == there


def asked(program: str, *arguments: str) -> str:
    """Return what a validator says, where it is installed; nothing where it is not."""
    found = shutil.which(program)
    if found is None:
        return ""
    done = subprocess.run([found, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_bids(folder: Path) -> None:
    paths = paths_in(folder)
    ignored = (folder / ".bidsignore").read_text().split()
    description = read(folder / "dataset_description.json")
    assert description["Name"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", description["BIDSVersion"])
    assert description["DatasetType"] == "raw"
    assert isinstance(description["Authors"], list)
    assert "README.md" in paths
    if "participants.tsv" not in paths:  # nobody has a trial
        assert not [path for path in paths if path.startswith(("sub-", "task-"))]
        return
    people = table(folder / "participants.tsv", delimiter="\t")
    assert people[0][0] == "participant_id"
    assert len({row[0] for row in people}) == len(people)
    assert set(read(folder / "participants.json")) == set(people[0])
    labels = {row[0] for row in people[1:]}
    tasks = set()
    for path in paths:
        if path in ignored or path.startswith(("sourcedata/", "stimuli/")) or path == ".bidsignore":
            continue
        if matched := BEHAVIOUR.fullmatch(path):
            assert f"sub-{matched[1]}" in labels
            tasks.add(matched[2])
            rows = table(folder / path, delimiter="\t")
            about = read(folder / f"task-{matched[2]}_beh.json")
            assert about["TaskName"]
            assert set(rows[0]) <= set(about), "every column is described"
            assert len(set(rows[0])) == len(rows[0])
            assert len(rows) > 1
        else:
            assert AT_ROOT.fullmatch(path), path
            rows = people
        assert all(len(row) == len(rows[0]) for row in rows)
        assert all(cell and cell == cell.strip() for row in rows for cell in row), "n/a where a value is missing"
    assert tasks == {path.split("-")[1].removesuffix("_beh.json") for path in paths if path.startswith("task-")}
    found = asked("bids-validator-deno", str(folder), "--max-rows", "-1", "--format", "json")
    assert not [one for one in (json.loads(found)["issues"]["issues"] if found else []) if one["severity"] == "error"]


def check_croissant(folder: Path) -> None:
    described = read(folder / "croissant.json")
    needed = {"name", "description", "license", "url", "creator", "datePublished", "version", "distribution"}
    assert needed <= set(described)
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert re.fullmatch(r"\d+\.\d+\.\d+", described["version"])
    ids = [one["@id"] for kind in ("distribution", "recordSet") for one in described[kind]]
    for file in described["distribution"]:
        content = (folder / file["contentUrl"]).read_bytes()
        assert (file["sha256"], file["contentSize"]) == (hashlib.sha256(content).hexdigest(), f"{len(content)} B")
    assert {file["contentUrl"] for file in described["distribution"]} == set(paths_in(folder)) - {
        "manifest.json", "croissant.json",
    }  # fmt: skip
    for records in described["recordSet"]:
        fields = records["field"]
        ids += [field["@id"] for field in fields]
        assert all(field["dataType"] in DATA_TYPES for field in fields)
        (path,) = {field["source"]["fileObject"]["@id"] for field in fields}
        assert [field["source"]["extract"]["column"] for field in fields] == table(folder / path)[0]
    assert len(set(ids)) == len(ids)
    asked("mlcroissant", "validate", "--jsonld", str(folder / "croissant.json"))


def check_psychling(folder: Path) -> list[dict[str, Any]]:
    """Check a dataset of PsychLing-101 and return the lines of its prompts."""
    paths = paths_in(folder)
    assert {"README.md", "CODEBOOK.csv", "preprocess_data.py", "generate_prompts.py", "prompts.jsonl.zip"} <= set(paths)
    codebook = table(folder / "CODEBOOK.csv")
    assert codebook[0] == ["Recommended Column Name", "Description"]
    assert all(name and said for name, said in codebook)
    tables = [path for path in paths if path.startswith("processed_data/")]
    assert tables == [f"processed_data/exp{number}.csv" for number in range(1, len(tables) + 1)]
    columns = set()
    for path in tables:
        head, *rows = table(folder / path)
        assert "participant_id" in head
        assert len(set(head)) == len(head)
        assert all(any(row) for row in rows)
        columns |= set(head)
    assert columns == {name for name, _said in codebook[1:]}
    with zipfile.ZipFile(folder / "prompts.jsonl.zip") as archive:
        assert archive.namelist() == ["prompts.jsonl"]
        prompts = archive.read("prompts.jsonl")
    found = [json.loads(line) for line in prompts.decode("utf-8").splitlines()]
    for line in found:
        assert {"text", "experiment", "participant_id"} <= set(line)
        assert re.findall("<<([^>]*)>>", line["text"])
        assert not set("<>") & set(re.sub("<<([^>]*)>>", "", line["text"]))
        assert len(line["text"]) <= MOST_CHARACTERS
    # The scripts of the folder make from the original data what the platform wrote.
    before = {path: (folder / path).read_bytes() for path in tables}
    for script in ("preprocess_data.py", "generate_prompts.py"):
        subprocess.run([sys.executable, "-I", str(folder / script)], check=True, timeout=60)
    assert {path: (folder / path).read_bytes() for path in tables} == before
    with zipfile.ZipFile(folder / "prompts.jsonl.zip") as archive:
        assert archive.read("prompts.jsonl") == prompts
    return found


def check_spss(folder: Path) -> None:
    for path in sorted(folder.glob("*.csv")):
        if path.name == "variables.csv":
            continue
        head, *rows = table(path)
        assert len({name.casefold() for name in head}) == len(head)
        assert all(LEGAL_NAME.fullmatch(name) and len(name.encode()) <= 64 for name in head), head
        said = statements(path.with_suffix(".sps").read_text(encoding="utf-8"))
        assert f"/FILE='{path.name}'" in said["GET DATA"]
        formats = dict(re.findall(r"^\s+(\S+) ([AF]\d+(?:\.\d)?)$", said["GET DATA"].split("/VARIABLES=")[1], re.M))
        assert list(formats) == head
        labels = re.findall(r"^\s+/?(\S+) ('(?:[^']|'')*')$", said["VARIABLE LABELS"], re.M)
        assert [name for name, _label in labels] == head
        assert all(len(label.encode()) <= 2 + 256 + label.count("''") for _name, label in labels)
        levels = dict(re.findall(r"^\s+/?(\S+) \((NOMINAL|ORDINAL|SCALE)\)$", said["VARIABLE LEVEL"], re.M))
        assert list(levels) == head
        truths = set(re.findall(r"^\s+/?(\S+) 0 'no' 1 'yes'$", said.get("VALUE LABELS", ""), re.M))
        for place, name in enumerate(head):
            cells = {row[place] for row in rows} - {""}
            assert not any("\n" in cell or "\r" in cell for cell in cells)
            if formats[name].startswith("A"):
                assert max((len(cell.encode()) for cell in cells), default=0) <= int(formats[name][1:])
                assert levels[name] == "NOMINAL"
            else:
                assert all(float(cell) is not None for cell in cells)
            if name in truths:
                assert cells <= {"0", "1"}
            assert not cells & {"true", "false"} or formats[name].startswith("A")


def statements(text: str) -> dict[str, str]:
    """Return the statements of SPSS syntax by the words with which they begin; each ends with a period."""
    found = {}
    for statement in re.split(r"\.\n", text):
        words = re.match(r"[A-Z]+(?: [A-Z]+)?", statement.strip("\n"))
        if words:
            found[words[0]] = statement
    return found


CHECKS = {"bids": check_bids, "croissant": check_croissant, "psychling-101": check_psychling, "spss": check_spss}

"""Fit the maximal mixed models of published data sets, and compare criterion and CPU time with lme4.

    python -m benchmarks published -- --data FOLDER

FOLDER holds the data of the R package RePsychLing (Baayen, Bates, Kliegl & Vasishth 2015, MIT), which are not part of
this project, as one CSV file each: `write.csv(RePsychLing::kb07, "FOLDER/kb07.csv", row.names = FALSE)`. The models are
the maximal ones of its vignettes (Bates, Kliegl, Vasishth & Baayen 2015, arXiv 1506.04967) and, for the two data sets
without a vignette, those that their designs allow; by maximum likelihood. lme4 fits each twice: as it is usually called
(bobyqa), and from there with a tight optimiser. Writes benchmarks/results/published.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.methods import registry
from benchmarks import needs

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
MODELS = {
    "bs10": "dif ~ S + F + SF + (1 + S + F + SF | subj) + (1 + S + F + SF | item)",
    "gb12": "sottrunc2 ~ T + P + F + TP + TF + PF + TPF + (1 + T + F + TF | session) + (1 + T + P + TP | item)",
    "KWDYZ": "rt ~ c1 + c2 + c3 + (1 + c1 + c2 + c3 | subj)",
    "KKL": "lrt ~ sze * (spt + obj + grv) * orn + (1 + spt + obj + grv + orn + spt_orn + obj_orn + grv_orn | subj)",
    "kbbb": "tlatTrunc ~ cond + (1 + cond | subj) + (1 + cond | item)",
    "lfbg": "rt ~ pres * extrap + (1 + pres * extrap | subj) + (1 + pres * extrap | item)",
    "kb07": "RTtrunc ~ S + P + C + SP + SC + PC + SPC + (1 + S + P + C + SP + SC + PC + SPC | subj)"
    " + (1 + S + P + C + SP + SC + PC + SPC | item)",
}
HEAD = """# Maximal mixed models of published data

Data of RePsychLing; maximum likelihood; seconds of one processor. Lectern's are those of the whole report, with tests,
means and figures; lme4's those of the fit alone, as it is usually called, whose criterion stands beside the lowest that
a tight optimiser found from there.

| data | rows | parameters | criterion | report, s | lme4 as usual | lme4, tight | lme4, s |
|---|---:|---:|---:|---:|---:|---:|---:|"""


def fitted(name: str, folder: Path) -> dict[str, Any]:
    """Return rows, parameters, criterion and processor seconds of the model of one data set."""
    # Types as they are read here: codes such as -1 and 1 are numbers in these models, as lme4 takes them.
    frame = pd.read_csv(folder / f"{name}.csv")
    params = {"formula": MODELS[name], "reml": False, "contrasts": "treatment"}
    started = time.process_time()
    report = registry.run(registry.method_named("lmm"), frame, params)
    seconds = time.process_time() - started
    fit = report.table("fit").frame().iloc[0]
    parameters, criterion = int(fit["parameters"]), float(fit["criterion"])
    return {"rows": len(frame), "parameters": parameters, "criterion": criterion, "seconds": seconds}


def by_lme4(names: list[str], folder: Path) -> dict[str, Mapping[str, Any]]:
    """Return what lme4 finds for the same models; nothing where it is not installed."""
    if needs.missing(needs.PUBLISHED):
        return {}
    models = folder / "models.json"
    models.write_text(json.dumps({name: MODELS[name] for name in names}), encoding="utf-8")
    command = ["Rscript", str(HERE / "published_models.R"), str(folder), str(models)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {found["data"]: found for found in map(json.loads, done.stdout.splitlines())}


def written(ours: Mapping[str, Mapping[str, Any]], theirs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page: a row for every data set, and how long all of them take together."""
    lines = [HEAD]
    for name, found in ours.items():
        cells = [name, f"{found['rows']:,}", str(found["parameters"]), f"{found['criterion']:.4f}"]
        cells.append(f"{found['seconds']:.2f}")
        other = theirs.get(name)
        cells += (
            [f"{other['criterion']:.4f}", f"{other['tight']:.4f}", f"{other['seconds']:.1f}"] if other else ["–"] * 3
        )
        lines.append(f"| {' | '.join(cells)} |")
    together = sum(found["seconds"] for found in ours.values())
    versions = {other["version"] for other in theirs.values()}
    lines += ["", f"All reports together: {together:.1f} s.{''.join(f' lme4 {one}.' for one in sorted(versions))}", ""]
    return "\n".join(lines)


def main() -> None:
    """Fit the models whose data are there, print the table and keep it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, help="the folder with the CSV files")
    options.add_argument("--results", type=Path, default=RESULTS, help="the folder for published.md")
    given = options.parse_args()
    present = [name for name in MODELS if given.data is not None and (given.data / f"{name}.csv").is_file()]
    if not present:
        print("Not run: name the folder with the data of RePsychLing as CSV files, --data FOLDER (see --help).")
        return
    for sentence in needs.missing(needs.PUBLISHED):
        print(f"The columns of lme4 stay empty: {sentence}", flush=True)
    ours = {}
    for name in present:
        ours[name] = fitted(name, given.data)
        print(name, ours[name], flush=True)
    page = written(ours, by_lme4(present, given.data))
    print(page)
    given.results.mkdir(parents=True, exist_ok=True)
    (given.results / "published.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()

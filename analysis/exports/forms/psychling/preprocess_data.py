"""Make the tables in processed_data/ of those in original_data/, as experiments.json says.

Every row keeps its cells; columns get the names of CODEBOOK.csv, and trials their order. Run it in the folder of the
dataset: python preprocess_data.py
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

TRUTH = {"true": "1", "false": "0"}


def processed(rows: Iterable[Mapping[str, str]], experiment: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the rows of one experiment under the names of CODEBOOK.csv, `trial_order` counted from 0 in a session."""
    session, trial, order = "", "", -1
    for row in rows:
        if not all(row[name] in allowed for name, allowed in experiment["only"].items()):
            continue
        made = {str(to): row[name] for name, to in experiment["columns"]}
        for name in experiment["truth"]:
            made[name] = TRUTH.get(made[name], made[name])
        if made["session_id"] != session:
            session, trial, order = made["session_id"], "", -1
        if made["trial_id"] != trial:
            trial, order = made["trial_id"], order + 1
        yield {**made, "trial_order": str(order)}


def main() -> None:
    """Write processed_data/ below the folder in which this file is."""
    csv.field_size_limit(2**31 - 1)
    folder = Path(__file__).resolve().parent
    experiments = json.loads((folder / "experiments.json").read_text(encoding="utf-8"))["experiments"]
    (folder / "processed_data").mkdir(exist_ok=True)
    for experiment in experiments:
        source = folder / "original_data" / experiment["source"]
        target = folder / "processed_data" / f"{experiment['name']}.csv"
        with source.open(encoding="utf-8", newline="") as given, target.open("w", encoding="utf-8", newline="") as made:
            names = [*(to for _name, to in experiment["columns"]), "trial_order"]
            table = csv.DictWriter(made, names, lineterminator="\r\n")
            table.writeheader()
            table.writerows(processed(csv.DictReader(given), experiment))


if __name__ == "__main__":
    main()

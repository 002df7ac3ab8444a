"""A baseline of every report that the examples of the methods give, to show that a change of code changes none.

    python -m tests.conformance.baseline write FOLDER [METHOD ...]
    python -m tests.conformance.baseline compare FOLDER [METHOD ...]

Every method of the catalogue runs on its example and on variants of it. Of each run the folder holds `report.json`
(without the versions of packages), every table as CSV, and the tables as HTML, both as a page shows them and as the
file of a report has them; a refusal is kept as its sentence. `compare` says in one line per file what differs and
ends with 1 where something does.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from analysis.methods.declarations import TextFile

Given = dict[str, Any]

# Their example takes seconds: the variants that change a choice are enough.
SLOW = {"power", "glmm", "ordinal", "regions", "robustness", "consistency", "maze-distractors"}

# What cannot be guessed from the declaration of a parameter.
FURTHER: dict[str, list[Given]] = {
    "rm-anova": [
        {"simple": "marker"},
        {"simple": "order", "unit": "item"},
        {"contrasts": "marker: pairs; order: first * marker: polynomial"},
        {"contrasts": "marker: because=1, cause=-1", "simple": "marker,order"},
        {"within": "marker"},
        {"within": "marker", "between": "order", "unit": "item"},
        {"within": "marker,order", "between": "group"},
        {"within": "", "between": "group"},
        {"within": "order", "between": "group", "contrasts": "group: pairs", "simple": "group"},
        {"within": "marker", "between": "group,half", "intervals": "between"},
        {"within": "marker,order", "between": "group,half"},
        {"dv": "z01", "within": "marker"},
    ],
    "signal-detection": [
        {"within": ""},
        {"within": "band,group"},
        {"within": "group"},
        {"within": "participant_half"},
        {"within": "band", "common_noise": "yes", "drop_noise": True},
        {"where": "participant=P01"},
        {"where": "participant=P01 or participant=P02"},
        {"signal": "word,old"},
    ],
    "metric-vs-human": [
        {"lower_is_better": ("length",)},
        {"metrics": ("overlap",), "where": "condition=S0 or condition=S1"},
        {"drop_columns": ["condition"]},
        {"scale": "z", "direction": "absolute"},
    ],
    "overlap": [
        {"drop_columns": ["source"], "source": None},
        {"resamples": 0, "trials": 0},
        {"references": ("reference_1",)},
    ],
    "perturb": [
        {"drop_columns": ["source"], "source": None},
        {"resamples": 0, "repetitions": 1},
        {"edits": "random-period", "shares": "30"},
    ],
    "ranking": [
        {"splits": 3, "system_level": "within-folds"},
        {"classes": "continuity"},
        {"dataset": "participant", "train": "R1"},
    ],
    "reading": [
        {"drop_columns": ["condition"]},
        {"drop_columns": ["condition"], "wide": True, "paths": 0, "aois": 3},
        {"where": "participant=P1"},
    ],
    "text-profile": [
        {"norms": TextFile("norms.csv", "word,value\nrain,3\nprices,2\nwind,1.5\ndoctor,4\n")},
        {"source": "text", "confidence": 0.9, "bound": 3},
        {"list": "condition", "condition": ("item",), "farthest": 2},
    ],
    "lmm": [
        {"formula": "z ~ order*group + (1 + order || participant) + (1 | item)", "means": "order", "by": "group"},
        {"formula": "z ~ order*group*half + (1 | participant)", "contrasts": "sum", "means": "order,group,half"},
        {"compare": "z ~ 1 + (1 + order | participant) + (1 + order | item)"},
        {"compare": "z ~ order + (1 | participant) + (1 | item)", "reml": False},
        {"formula": "z ~ 1 + (1 | participant)"},
        {"formula": "z ~ 0 + order + (1 | participant)", "levels": "order=ba,ab"},
        {"formula": "z ~ order + number + (1 | participant)", "contrasts": "own: order = ba-ab"},
        {"formula": "z ~ order*half + (1 + order | participant) + (1 | item)", "reduce": "parsimonious"},
        {"reduce": "parsimonious", "compare": "z ~ 1 + (1 + order | participant) + (1 + order | item)"},
        {"reduce": "keep-maximal", "compare": "z ~ 1 + (1 | participant)"},
        {"by": "order"},
    ],
    "glmm": [
        {"means": "order", "compare": "correct ~ 1 + (1 | participant) + (1 | item)"},
        {"formula": "~ order + (1 | participant)", "outcome": "correct,odd", "means": "order"},
        {"formula": "~ order + (1 | participant)", "outcome": "correct,half,odd", "tests": "f"},
        {"formula": "count ~ order + (1 | participant)", "family": "poisson", "means": "order"},
        {"formula": "count ~ order + (1 | participant)", "family": "negative-binomial", "exposure": "time"},
        {"formula": "time ~ order + (1 | participant)", "family": "gamma", "means": "order"},
        {"formula": "time ~ order + (1 | participant)", "family": "inverse-gaussian", "link": "identity"},
        {"formula": "count ~ order + (1 | participant)", "trials": "time"},
        {"formula": "~ 1 + (1 | participant)", "outcome": "count,time", "family": "gamma", "where": "count>0"},
        {"formula": "correct ~ order*group + (1 + order | participant)", "reduce": "keep-maximal", "by": "order"},
        {"formula": "correct ~ order + (1 + order | participant)", "reduce": "parsimonious"},
        {"formula": "log(time) ~ order + (1 | participant)", "family": "gamma"},
    ],
    "ordinal": [
        {"means": "order", "compare": "rating ~ 1 + (1 | participant) + (1 | item)"},
        {"formula": "rating ~ order*group", "tests": "f", "means": "order", "by": "group"},
        {"formula": "rating ~ 1 + (1 | participant)"},
        {"formula": "log(rating) ~ order + (1 | participant)"},
        {"order": "4,3,2,1"},
        {"compare": "order ~ 1"},
    ],
    "regions": [
        {"formula": "log(rt_ms) ~ 1 + (1 | participant)"},
        {"formula": "log(rt_ms) ~ clause*group + (1 | participant)", "where": "from_critical>=0"},
        {"formula": "rt_ms ~ from_critical + (1 | participant)"},
    ],
    "power": [
        {"method": "f1,f2,f1-and-f2,min-f,lmm,lmm-intercepts", "simulations": 20, "null": True},
        {
            "method": "glmm",
            "dv": "",
            "within": "",
            "design": "order=2",
            "effect": "1",
            "probability": "0.7",
            "sds": "participant=0.5",
            "n_participants": "8",
            "n_items": "6",
            "simulations": 4,
        },
        {
            "method": "ordinal",
            "dv": "",
            "within": "",
            "design": "order=2",
            "effect": "1",
            "probability": "0.2,0.3,0.5",
            "sds": "participant=0.5",
            "n_participants": "8",
            "n_items": "6",
            "simulations": 4,
        },
        {"within": "order,group", "between_participants": "group", "effect": "order=0.5"},
        {"effect": "nothing=1"},
    ],
    "tukey": [
        {"by": ""},
        {"by": "", "within": "marker", "error": "univariate"},
        {"by": "order", "error": "multivariate", "confidence": 0.9},
        {"by": "", "between": "group", "compare": "group", "error": "multivariate"},
        {"between": "group", "compare": "group,order", "error": "univariate"},
        {"by": "group", "between": "group", "within": "marker", "error": "multivariate"},
        {"between": "group", "unit": "item"},
    ],
    "friedman": [{"where": "marker!=cause"}, {"unit": "item"}, {"within": "item", "unit": "participant"}],
    "min-f": [
        {"within": "order"},
        {"within": "marker", "between_participants": "group"},
        {"within": "marker,group"},
        {"within": "marker", "where": "participant!=P1 and participant!=P2"},
    ],
    "equivalence": [
        {"within": "marker,order", "scale": "d_z"},
        {"within": "marker", "contrasts": "marker: pairs; marker: because=1, cause=-1"},
        {"within": "order", "between": "group"},
        {"within": "", "between": "group", "variances": "welch"},
        {"within": "", "between": "group", "scale": "d_z", "lower": -0.9},
        {"within": "order", "between": "group", "scale": "d_z"},
    ],
    "bayes-factor": [
        {"within": "marker,order"},
        {"within": "order", "between": "group"},
        {"within": "", "between": "group"},
        {"within": "marker", "contrasts": "marker: pairs; marker: because=1, cause=-1"},
        {"within": "marker", "r": 1, "r_fixed": 1},
    ],
    "agreement": [{"where": "code!='2+3'", "metric": metric} for metric in ("nominal", "ordinal", "interval", "ratio")]
    + [
        {"where": "code!='2+3' and code!=3 and code!=4"},
        {"where": "code=0"},
        {"where": "unit=R1", "metric": "interval"},
    ],
    "incidence": [
        {"by": ""},
        {"by": "marker,group"},
        {"weights": "0:1,1:2,2:3,3:4,4:5,5:0,6:-1"},
        {"where": "codes!='2+3' and codes!='3+4'", "weights": "0:1,1:2,3:3,4:4,5:5,6:6"},
        {"by": "participant"},
    ],
    "proportions": [
        {"unit": "participant", "where": "item!=I2 and item!=I4"},
        {"unit": "participant", "where": "item!=I1 and item!=I3", "ci": "wald"},
        {"success": "", "group": None, "counts": "12/40,25/41"},
        {"success": "", "group": None, "counts": "because:0/4,cause:0/5"},
        {"success": "", "group": None, "counts": "because:3/3,cause:0/5"},
        {"levels": "cause,because"},
        {"group": "item", "levels": "I1+I2,I3+I4"},
    ],
    "logistic": [
        {"blocks": None, "sets": "Ratings = fluency; Times = pace, genre"},
        {"blocks": "z(pace)|fluency:genre", "select": "backward"},
        {"outcome": "genre", "positive": None, "blocks": "fluency", "words": "pace"},
        {"blocks": "fluency", "ladder": "gold,lin", "positive": None},
    ],
    "reliability": [{"items": "calm,rested", "reverse": ""}, {"reverse": ""}, {"where": "participant=P01"}],
    "condition-means": [
        {"measures": "pace,log(pace)"},
        {"condition": "group", "measures": "pace"},
        {"where": "participant=P1", "measures": "pace"},
    ],
    "correlation": [{"unit": "item", "how": "pearson"}, {"where": "words>20"}],
    "n-best": [{"condition": "condition,group"}, {"where": "participant=P1"}, {"condition": "group"}],
    "normalise": [
        {"how": "z", "compare": "condition,group"},
        {"how": "log", "offset": 1},
        {"by": "condition", "how": "z"},
        {"how": "ratio", "standard": 10},
        {"how": "z", "modulus": None},
    ],
    "preference": [
        {"random": "participant", "where": "choice!=tie"},
        {"random": "participant,item", "where": "choice!=tie"},
        {"random": "participant"},
        {"side": None, "where": "choice!=tie"},
        {"judged": "rank"},
        {"judged": "best_worst"},
        {"judged": "best_worst", "model": "maxdiff", "random": "participant"},
    ],
    "production-norms": [
        {"by": ""},
        {"by": "", "target": None},
        {"by": "version,group", "fold": "none"},
        {"fold": "case,space,accents,punctuation"},
    ],
    "consistency": [
        {"tails": "one"},
        {"n_participants": 24},
        {"alpha": 0.01},
        {"where": "test=t"},
        {"p": None},
    ],
}


def variants(slug: str) -> Iterator[tuple[str, pd.DataFrame, Given]]:
    """Yield a name, a frame and parameters for every run of a method; the first is its example."""
    from analysis.methods import registry

    method = registry.method_named(slug)
    assert method.example is not None
    frame, usual = method.example()
    yield "example", frame, usual
    for parameter in method.parameters:
        name = parameter.name
        if parameter.kind in ("choice", "text"):
            values: list[Any] = list(parameter.choices)
        elif parameter.kind == "boolean":
            values = [not (usual.get(name, parameter.default) or False)]
        else:
            values = []
        if slug not in SLOW:
            if parameter.kind in ("integer", "number") and isinstance(parameter.default, int | float):
                values = [0.9] if name == "confidence" else [parameter.default + 1]
            if parameter.kind in ("column", "columns") and name not in usual:
                values = [column for column in frame.columns if frame[column].nunique() <= 6][:3]
            if name in usual and not parameter.required:
                yield f"without-{name}", frame, {key: value for key, value in usual.items() if key != name}
        for value in values:
            yield f"{name}={value}", frame, {**usual, name: value}
    for number, further in enumerate(FURTHER.get(slug, []), start=1):
        own = with_groups(frame)
        given = {**usual, **further}
        own = own.drop(columns=given.pop("drop_columns", []))
        if given.pop("drop_noise", False):
            own.loc[own["target"] == "nonword", "band"] = ""
        if how := given.pop("judged", ""):
            own, given = (
                ranked(best_worst=how == "best_worst"),
                {"participant": "participant"}
                | {key: given[key] for key in ("model", "random", "bootstrap") if key in given},
            )
        yield f"further-{number:02d}", own, given
    if slug in SLOW:
        return
    numbers = [name for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name])]
    for name in numbers[:3]:
        gaps = frame.assign(**{name: frame[name].astype(object).where(frame.index % 7 != 3, None)})
        yield f"gaps-in-{name}", gaps, usual
    for name in ("participant", "item", "system", "text", "rater"):
        if name in frame:
            yield f"one-{name}", frame[frame[name] == frame[name].iloc[0]].reset_index(drop=True), usual
            yield f"two-{name}s", frame[frame[name].isin(frame[name].unique()[:2])].reset_index(drop=True), usual
            yield f"no-{name}", frame.drop(columns=name), usual
    yield "two-thirds", frame[frame.index % 3 != 1].reset_index(drop=True), usual


def with_groups(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with groups of participants, unequal in size, and with a share of yes and no answers."""
    if "participant" not in frame:
        return frame
    people = frame["participant"].astype("category").cat.codes
    own = frame.assign(
        group=(people % 3 == 0).map({True: "g1", False: "g2"}),
        half=(people % 2 == 0).map({True: "h1", False: "h2"}),
    )
    if "z" in own:
        own["z01"] = (own["z"] > own["z"].median()).astype(int)
    if "band" in own:
        own["participant_half"] = own["group"].where(own["group"] == "g1", own["band"])
    if "number" not in own:
        own = own.assign(
            number=own.index % 7, odd=own.index % 5 % 2, count=own.index * 7 % 5, time=300 + own.index % 37
        )
    return own


def ranked(*, best_worst: bool) -> pd.DataFrame:
    """Return rankings of four options by eight people, with ties, or the best and the worst of them."""
    lines = [
        {
            "participant": f"P{p}",
            "item": f"I{i}",
            "comparison": f"{p}-{i}",
            "option": "abcd"[o],
            "rank": 1 + o * p * i % 5,
        }
        for p in range(1, 9)
        for i in range(1, 4)
        for o in range(4)
    ]
    frame = pd.DataFrame(lines)
    if not best_worst:
        return frame
    order = frame.groupby("comparison")["rank"].rank(method="first")
    return frame.drop(columns="rank").assign(best=(order == 1).astype(int), worst=(order == 4).astype(int))


def files_of(slug: str, frame: pd.DataFrame, given: Given) -> dict[str, bytes]:
    """Return what one run leaves, by name of file."""
    from django.template.loader import render_to_string

    from analysis.exports.report_page import sections_of
    from analysis.exports.reports import report_from, report_json, table_csv
    from analysis.methods import registry
    from analysis.methods.columns import undeclared
    from analysis.methods.report import BadInput
    from analysis.reports.symbols import sentence_html

    method = registry.method_named(slug)
    try:
        report = replace(registry.run(method, frame, given), versions={})
    except BadInput as refusal:
        return {"refusal.txt": f"{refusal}\n".encode()}
    except Exception as fault:  # noqa: BLE001 - a fault of today must be one tomorrow, or be seen
        return {"fault.txt": f"{type(fault).__name__}: {fault}\n".encode()}
    text = report_json(report)
    shown = report_from(text)
    sections = sections_of(shown)
    page = render_to_string(
        "analysis/reports/page.html",
        {
            "run": SimpleNamespace(method=slug, table="", data_hash="", code_version="", finished_at=None),
            "study": SimpleNamespace(title=""),
            "label": slug,
            "report": shown,
            "sentences": [sentence_html(sentence) for sentence in shown.sentences],
            "sections": [{"section": section, "figures": []} for section in sections],
            "params": [(name, value) for name, value in shown.params.items()],
            "versions": "",
        },
    )
    whole = [
        render_to_string("analysis/reports/table.html", {"table": section.table, "shown": section.table})
        for section in sections
    ]
    tables = {f"{table.name}.csv": table_csv(table) for table in shown.tables}
    # A file that no baseline has: `compare` names it as new.
    wrong = undeclared(method.tables, report.tables) if method.tables else []
    return {
        "report.json": text.encode(),
        "page.html": page.encode(),
        "tables.html": "\n".join(whole).encode(),
        **tables,
        **({"undeclared.txt": "\n".join(wrong).encode()} if wrong else {}),
    }


def write_method(slug: str, folder: Path) -> int:
    """Write all runs of a method and return how many there were."""
    set_up()
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, frame, given in variants(slug):
            count += 1
            place = folder / slug / "".join(sign if sign.isalnum() or sign in "-=_." else "_" for sign in name)[:80]
            place.mkdir(parents=True, exist_ok=True)
            for file, content in files_of(slug, frame, given).items():
                (place / file).write_bytes(content)
    return count


def set_up() -> None:
    """Load the platform's settings; no database is opened."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()


def write(folder: Path, slugs: list[str]) -> int:
    """Write the runs of these methods, two at a time, and return how many there were."""
    with ProcessPoolExecutor(max_workers=2, max_tasks_per_child=None) as pool:
        return sum(pool.map(write_method, slugs, [folder] * len(slugs)))


def compare(folder: Path, slugs: list[str]) -> list[str]:
    """Return one line for every file that differs from the one in the folder."""
    with tempfile.TemporaryDirectory() as place:
        now = Path(place)
        write(now, slugs)
        before = {path.relative_to(folder) for slug in slugs for path in (folder / slug).rglob("*") if path.is_file()}
        after = {path.relative_to(now) for path in now.rglob("*") if path.is_file()}
        told = [f"{path}: gone" for path in before - after] + [f"{path}: new" for path in after - before]
        for path in before & after:
            first, second = (folder / path).read_bytes(), (now / path).read_bytes()
            if first != second:
                told.append(f"{path}: {difference(first.decode(), second.decode())}")
        return sorted(told)


def difference(before: str, after: str) -> str:
    """Say where two texts part.

    >>> difference("a\\nb\\n", "a\\nc\\n")
    "line 2 was 'b' and is 'c'"
    """
    first, second = before.splitlines(), after.splitlines()
    for number, (was, is_now) in enumerate(zip(first, second, strict=False), start=1):
        if was != is_now:
            same = (one == other for one, other in zip(was, is_now, strict=False))
            at = max(sum(takewhile(bool, same)) - 20, 0)
            return f"line {number} was '{was[at : at + 60]}' and is '{is_now[at : at + 60]}'"
    return f"{len(first)} lines were there and {len(second)} are"


def main() -> int:
    """Write the baseline, or compare with one that is there."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.baseline")
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("method", nargs="*")
    given = parser.parse_args()
    set_up()
    from analysis.methods.catalogue import MODULES

    slugs = given.method or list(MODULES)
    if given.what == "write":
        sys.stdout.write(f"{write(given.folder, slugs)} runs of {len(slugs)} methods in {given.folder}\n")
        return 0
    told = compare(given.folder, slugs)
    sys.stdout.write("\n".join(told or [f"No file of {len(slugs)} methods differs from {given.folder}."]) + "\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())

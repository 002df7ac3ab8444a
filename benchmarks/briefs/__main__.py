"""`python -m benchmarks.briefs FOLDER [--out FILE]`: how many facts of thirty methods sections do drafted studies have?

FOLDER has a folder for every brief, named like it, with `study.toml` and with tables that differ from those of the
brief. Each fact that the brief states is a point; a study that the platform refuses has none. The checker compares what
studies mean and not how they are written, asks no model, and gives the same numbers each time. Without FOLDER the right
studies are checked, which have every point.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results"


def main(arguments: list[str] | None = None) -> int:
    """Check answers, print a line for each, and write everything as JSON; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="the answers; the right studies if left out")
    parser.add_argument("--out", type=Path, help="the file for the whole report (JSON)")
    parser.add_argument("--results", type=Path, help="the folder for the report; its name is briefs.json")
    parser.add_argument("--only", action="append", default=[], help="only this brief, by its name or number")
    options = parser.parse_args(arguments)
    if options.folder is not None and not options.folder.is_dir():
        sys.stderr.write(f"There is no folder {options.folder}.\n")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        # Settings keep their keys somewhere; nothing here needs a database.
        os.environ.setdefault("VAR_DIR", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        return _checked(options)


def _checked(options: argparse.Namespace) -> int:
    from benchmarks.briefs.answers import STUDIES, briefs, check

    answers: Path = options.folder or STUDIES
    wanted = [one for one in briefs() if not options.only or {one.name, one.name[:2]} & set(options.only)]
    found = [check(brief, answers / brief.name) for brief in wanted]
    if not found:
        sys.stderr.write("There is no such brief.\n")
        return 2
    for one in found:
        said = f"{one.points:>3} of {len(one.facts):>2}" if one.is_valid else "not valid"
        print(f"{one.brief:<24} {said:>10}  {', '.join(one.lost) if one.is_valid else one.faults[0][:100]}")
    points, of = sum(one.points for one in found), sum(len(one.facts) for one in found)
    complete = sum(one.points == len(one.facts) for one in found)
    valid = sum(one.is_valid for one in found)
    print(f"{points} of {of} facts ({100 * points / of:.1f} %); {valid} valid and {complete} complete of {len(found)}.")
    report = {
        "points": points,
        "of": of,
        "valid": valid,
        "complete": complete,
        "briefs": [one.told() for one in found],
    }
    target = options.out or (options.results or (RESULTS if options.folder is None else None))
    if target is None:
        return 0
    path = target if options.out else target / "briefs.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

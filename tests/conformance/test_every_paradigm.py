"""What every registered paradigm promises, without a browser, and what a newcomer still owes, in words."""

from __future__ import annotations

import copy
import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from analysis.codebook.people import PARTICIPANT_FACTS
from experiments.languages import LANGUAGES
from experiments.paradigms import PARADIGMS
from experiments.paradigms.base import Measure, Paradigm
from experiments.procedure.default_texts import DEFAULTS
from experiments.procedure.sessions import plan_session
from experiments.study_files.examples import example_studies
from participants.intake.payloads import payload_faults
from tests.conformance.paradigm_sessions import (
    HERE,
    AnsweredTrial,
    answered_session,
    answered_sessions,
    is_of_package,
    snapshot_of,
    study_of_package,
)

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"number": (int, float), "integer": (int,), "text": (str,), "boolean": (bool,)}

every_paradigm = pytest.mark.parametrize("paradigm", PARADIGMS, ids=lambda paradigm: paradigm.slug)


def owed(paradigm: Paradigm, *, root: Path = ROOT) -> list[str]:
    """Return one sentence for each thing that a paradigm still lacks beside its class."""
    return [*_owed_to_readers(paradigm, root), *_owed_to_researchers(paradigm), *_owed_to_the_house(paradigm, root)]


def _owed_to_readers(paradigm: Paradigm, root: Path) -> Iterator[str]:
    if is_of_package(paradigm):
        return
    pages = [f"{paradigm.slug}.md", f"{paradigm.slug}-study.md"]
    page = next((page for page in pages if (root / "docs" / page).is_file()), None)
    if page is None:
        yield f"a page docs/{pages[0]}: settings, materials, trials, measures, quality"
    elif f"]({page})" not in (root / "docs" / "README.md").read_text(encoding="utf-8"):
        yield f"a line in docs/README.md that leads to {page}"


def _owed_to_researchers(paradigm: Paradigm) -> Iterator[str]:
    if is_of_package(paradigm):
        if study_of_package(paradigm) is None:
            yield "a study.toml with materials beside the module of its class, by which it can be tried"
        return
    if paradigm.slug not in {example.paradigm for example in example_studies()}:
        yield f'an example study: experiments/examples/<name>/study.toml with paradigm = "{paradigm.slug}"'
    tags = [language.tag for language in LANGUAGES.values() if language.has_texts]
    paths = [DEFAULTS / tag / f"{paradigm.slug}.toml" for tag in tags]
    # A paradigm without texts of its own begins with general ones; one that has some has them in every language.
    for path in paths if any(path.is_file() for path in paths) else ():
        if not path.is_file():
            yield f"default texts of its own: {path.relative_to(DEFAULTS.parents[2])}"


def _owed_to_the_house(paradigm: Paradigm, root: Path) -> Iterator[str]:
    if is_of_package(paradigm):
        return
    module = type(paradigm).__module__
    registry = (root / "frontend" / "src" / "session" / "registry.ts").read_text(encoding="utf-8")
    for plugin in paradigm.responses:
        if not re.search(rf"""(?:"{plugin}"|\b{plugin}): ?(?:async )?\(\)""", registry):
            yield f"a plugin '{plugin}' in frontend/src/session/registry.ts, for `responses` names it"
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    rooms = next(contract for contract in contracts if contract.get("containers") == [HERE.removesuffix(".")])
    room = module.removeprefix(HERE).partition(".")[0]
    if room not in rooms["layers"][0].split(" | "):
        yield f'"{room}" in pyproject.toml, in the layer of paradigms, which do not know each other'


@every_paradigm
def test_a_paradigm_has_its_page_its_example_its_texts_and_its_lines(paradigm: Paradigm) -> None:
    lacking = owed(paradigm)
    assert not lacking, f"{paradigm.slug} still owes:\n" + "\n".join(f"- {sentence}" for sentence in lacking)


def test_a_newcomer_reads_everything_that_it_owes() -> None:
    class Newcomer(Paradigm):
        slug = "newcomer"
        responses = {"newcomer": next(iter(PARADIGMS[0].responses.values()))}

    Newcomer.__module__ = f"{HERE}newcomer.paradigm"
    told = " / ".join(owed(Newcomer()))
    for place in ("docs/newcomer.md", "study.toml", "registry.ts", "pyproject.toml"):
        assert place in told
    with pytest.raises(LookupError, match="newcomer has no example study"):
        snapshot_of(Newcomer())


@every_paradigm
def test_the_same_seed_gives_the_same_session(paradigm: Paradigm) -> None:
    snapshot = snapshot_of(paradigm)
    assert plan_session(snapshot, seed=11) == plan_session(snapshot, seed=11)
    assert any(plan_session(snapshot, seed=seed) != plan_session(snapshot, seed=11) for seed in range(5))


@every_paradigm
def test_what_is_planned_comes_back_from_json_as_it_was(paradigm: Paradigm) -> None:
    for trial in answered_sessions(paradigm):
        for what in (trial.plan.params, trial.plan.private, trial.payload):
            text = json.dumps(what, allow_nan=False)
            assert json.dumps(json.loads(text)) == text, f"{trial.plan.plugin}: keys must be texts"


@every_paradigm
def test_what_the_browser_must_not_learn_is_not_in_its_parameters(paradigm: Paradigm) -> None:
    for trial in answered_sessions(paradigm):
        leaked = set(trial.plan.private) & set(_keys(trial.plan.params))
        assert not leaked, f"{trial.plan.plugin} tells the browser {sorted(leaked)}, which is private"


@every_paradigm
def test_what_a_virtual_participant_sends_is_accepted(paradigm: Paradigm) -> None:
    for trial in answered_sessions(paradigm):
        assert trial.plan.plugin in paradigm.responses, f"`responses` owes a serializer for '{trial.plan.plugin}'"
        assert _faults(paradigm, trial, trial.payload) == []
        assert math.isfinite(trial.rt_ms)
        assert trial.rt_ms > 0


@every_paradigm
def test_a_field_that_nobody_declared_is_refused(paradigm: Paradigm) -> None:
    for trial in answered_sessions(paradigm):
        faults = _faults(paradigm, trial, {**trial.payload, "smuggled": 1})
        assert any("smuggled" in fault for fault in faults), f"the serializer of '{trial.plan.plugin}' owes a refusal"


@every_paradigm
def test_measures_are_those_that_are_declared(paradigm: Paradigm) -> None:
    declared = paradigm.measures_of(snapshot_of(paradigm).settings)
    shown: set[str] = set()
    for trial in answered_sessions(paradigm):
        before = copy.deepcopy((trial.params, trial.payload))
        measured = paradigm.measure(trial.params, trial.payload, [])
        assert (trial.params, trial.payload) == before, "`measure` must change nothing"
        assert measured == paradigm.measure(trial.params, trial.payload, [])
        assert _wrong(declared, measured) == []
        shown |= set(measured)
    # A measure of something that the example does not ask, such as a question about the text, may be missing.
    assert shown, "no trial of the example yields a measure"


@every_paradigm
def test_what_people_code_follows_from_the_answer_alone(paradigm: Paradigm) -> None:
    if not paradigm.coded_measure:
        return
    assert paradigm.coded_measure in {measure.name for measure in paradigm.measures if measure.type == "text"}
    for trial in answered_sessions(paradigm):
        whole = paradigm.measure(trial.params, trial.payload, [])
        alone = paradigm.measure(trial.plan.params, trial.payload, ())
        assert whole.get(paradigm.coded_measure) == alone.get(paradigm.coded_measure)


@every_paradigm
def test_long_tables_have_the_columns_that_are_declared(paradigm: Paradigm) -> None:
    for table in paradigm.long_tables_of(snapshot_of(paradigm).settings):
        rows = [
            row
            for trial in answered_sessions(paradigm)
            for row in paradigm.long_rows(table.name, trial.params, trial.payload, [])
        ]
        assert rows, f"no answer of a virtual participant has a row in '{table.name}'"
        assert [wrong for row in rows for wrong in _wrong(table.columns, row)] == []


@every_paradigm
def test_the_quality_of_a_session_is_what_is_declared(paradigm: Paradigm) -> None:
    answered = [(trial.plan.plugin, trial.params, trial.payload) for trial in answered_session(paradigm)]
    assert _wrong(paradigm.quality_measures(), paradigm.quality(answered)) == []
    taken = {column.name for column in PARTICIPANT_FACTS} & {one.name for one in paradigm.quality_measures()}
    assert not taken, f"participants.csv has columns called {sorted(taken)} for everybody"


def _faults(paradigm: Paradigm, trial: AnsweredTrial, payload: Mapping[str, Any]) -> list[str]:
    plan = trial.plan
    return payload_faults(paradigm, plugin=plan.plugin, params=plan.params, private=plan.private, payload=payload)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _keys(inner)


def _wrong(declared: Sequence[Measure], measured: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each value that is not what was declared; None stands for no value."""
    by_name = {measure.name: measure for measure in declared}
    sentences = [f"'{name}' is not declared" for name in measured if name not in by_name]
    for name, value in measured.items():
        measure = by_name.get(name)
        if measure is None or value is None:
            continue
        is_boolean = isinstance(value, bool)
        if not isinstance(value, TYPES[measure.type]) or is_boolean != (measure.type == "boolean"):
            sentences.append(f"'{name}' is declared as {measure.type} and is {value!r}")
        elif isinstance(value, float) and not math.isfinite(value):
            sentences.append(f"'{name}' is {value!r}, which no table can hold")
        elif measure.values and str(value) not in measure.values:
            sentences.append(f"'{name}' is {value!r}, which is none of {measure.values}")
    return sentences

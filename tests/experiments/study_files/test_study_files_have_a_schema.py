"""The JSON Schema of study files and the check of them say the same: same keys, types and limits.

Files that use every key are changed in every place, one change at a time. What the schema refuses, the check refuses;
what the check refuses because of a key or a type, the schema refuses.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from django.core.management import call_command

from experiments.formats.faults import Fault
from experiments.procedure.default_texts import DEFAULTS
from experiments.study_files.examples import ExampleStudyFile, example_studies
from experiments.study_files.parts import nowhere
from experiments.study_files.schema import ADDRESS, FILE_NAME, plain_of_toml, study_file_schema, written_schema
from experiments.study_files.toml import checked_study

MATERIALS = "item,text,marker,is_practice\n" + "".join(
    f"{item},The {item} text with {marker}.,{marker},false\n" for item in "abcd" for marker in ("because", "so")
)
CONDITION = {"question": "age", "operator": "at-least", "value": 18}
QUESTIONS: list[dict[str, Any]] = [
    {"name": "age", "label": "Age?", "kind": "number", "required": True, "minimum": 0, "maximum": 120, "unit": "years"},
    {"name": "hand", "label": "Hand?", "kind": "choice", "choices": ["left", "right"], "random_order": True},
    {"name": "check", "label": "Choose red.", "kind": "choice", "choices": ["red", "blue"], "expected": "red"},
    {"name": "first", "label": "First?", "kind": "text", "help": "One word.", "decline": True, "shown_if": CONDITION},
    {"name": "mood", "label": "Mood?", "kind": "scale", "points": 7, "labels": ["bad", "good"],
     "score": {"scale": "wellbeing", "how": "mean", "reverse": True}},
    {"name": "habits", "label": "Habits", "kind": "matrix", "points": 3, "score": {"scale": "reading"},
     "items": [{"name": "books", "label": "Books", "reverse": True}, {"name": "red", "label": "Two", "expected": 2}]},
    {"name": "sure", "label": "Sure?", "kind": "slider", "labels": ["no", "yes"]},
    {"name": "agree", "label": "I agree.", "kind": "statement", "required": True},
    {"name": "note", "label": "Thank you.", "kind": "information"},
]  # fmt: skip
SOURCE = {
    "name": "pool",
    "kind": "prolific",
    "parameters": ["PROLIFIC_PID", "STUDY_ID"],
    "id_only": True,
    "outcomes": {"completed": {"text": "Thanks.", "link": "https://example.org/{participant_id}", "code": "C1"}},
}
SHARED: dict[str, Any] = {
    "slug": "every-key",
    "title": "Every key",
    "language": "en",
    "description": "For you.",
    "responsible": "Example Laboratory",
    "contact": "laboratory@example.org",
    "seed": 7,
    "estimated_minutes": 20,
    "quota": 24,
    "data_protection_note": "Ten years.",
    "retention_until": datetime.date(2040, 12, 31),
    "notice": "Come back.",
    "sources": [SOURCE],
    "criteria": [{"name": "adults", "quota": 12, "when": [CONDITION], "part": "background", "per_group": True}],
    "look": {"logo": "logo.png", "logo_text": "Example University", "colour": "#1c4c5c"},
    "labels": {"marker": {"label": "Marker", "levels": {"so": "so"}, "order": ["so", "because"]}},
    "wording": {},
    "languages": ["en", "de"],
    "translations": {"de": {"title": "Jeder Schlüssel", "texts": {"consent": {"body": "Ja?", "required": ["Ja."]}}}},
}
CONSENT = {
    "body": "Take part?", "markup": "markdown", "required": ["I agree."], "optional": ["Keep it."], "standard": False,
    "mentions": ["task"],
}  # fmt: skip
RULES: list[dict[str, Any]] = [
    {"rule": "fast-participant", "ms": 300, "share": 0.1},
    {"rule": "zero-variance"},
    {"rule": "outlying-sd", "k": 2.5},
    {"rule": "answer", **CONDITION},
]
ANALYSIS = {
    "title": "F1", "method": "rm-anova", "table": "trials", "params": {"dv": "clarity", "within": ["marker"]},
    "family": "main", "sequential": {"effect": "marker", "looks": [12, 24], "spending": "pocock", "alpha": 0.05},
}  # fmt: skip
RATING = {"questions": [{"name": "clarity", "text": "How clear?", "kind": "scale", "points": 5,
                         "labels": ["not", "very"], "required": True}]}  # fmt: skip
PROCEDURE = {"leading_fillers": 0, "conditions": "one", "resume": "continue", "recruitment_parameters": ["ID"]}
ONE_TASK = SHARED | {
    "paradigm": "rating",
    "settings": RATING,
    "modulus": {},
    "procedure": PROCEDURE | {"block_by": "marker", "block_instructions": {"so": "Now so."}},
    "materials": {"file": "materials.csv", "factors": ["marker"], "incomplete": False},
    "questions": QUESTIONS,
    "texts": {"consent": CONSENT, "instructions": {"body": "Rate."}},
    "plan": {"hypotheses": "H1", "exclusion_rules": RULES[:1] + RULES[3:], "analyses": [ANALYSIS]},
}
TASK = {
    "name": "judging", "kind": "task", "title": "Judging", "groups": ["one"], "order_set": "both",
    "shown_if": [CONDITION], "paradigm": "rating", "settings": RATING, "procedure": {"conditions": "one"},
    "materials": {"file": "materials.csv"}, "instructions": "Rate.", "markup": "plain",
}  # fmt: skip
PARTS = SHARED | {
    "groups": [{"name": "one", "weight": 2, "quota": 10}, {"name": "two"}],
    "order_sets": {"both": "random"},
    "procedure": {"resume": "continue", "supervised": False},
    "texts": {"consent": CONSENT, "debriefing": {"body": "Thanks."}},
    "plan": {"exclusion_rules": [{"rule": "fast-trial", "ms": 200, "part": "judging"}]},
    "parts": [
        {"name": "background", "kind": "questionnaire", "title": "You", "questions": QUESTIONS[:1], "attempts": 2,
         "screening": [{**CONDITION, "operator": "below", "outcome": "screened-out", "message": "Sorry."}]},
        {"name": "page", "kind": "page", "title": "Read", "body": "Please read.", "minimum_seconds": 5},
        TASK,
        {**TASK, "name": "again", "groups": ["one"]},
    ],
}  # fmt: skip
CODED = {
    "slug": "coded", "title": "Coded", "paradigm": "sentence-recall", "materials": {"file": "materials.csv"},
    "error_codes": [{"code": "0", "description": "right", "weight": 0.5, "is_exclusive": True}],
    "modulus": {},
}  # fmt: skip
FILES = {"one task": ONE_TASK, "parts": PARTS, "codes": CODED}

# What these may be depends on something else: the question, the language, a date of TOML in place of a text.
JUDGED_BY_OTHERS = ("value", "expected", "wording", "retention_until")
SCHEMA_OF_EXAMPLES = DEFAULTS.parent / FILE_NAME
Place = tuple[str | int, ...]


def walk(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every place of a file with what is there."""
    yield path, value
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from walk(one, (*path, key))


def changes(value: Any) -> Iterator[tuple[Any, bool]]:
    """Yield what may be written in place of a value, with whether that is another type or another key."""
    for other in ("some text", 3, True, [1], {"strange": 1}):
        yield other, type(other) is not type(value)
    if isinstance(value, dict):
        yield value | {"no_such_key": 1}, True
    limits: tuple[Any, ...] = ()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        limits = (-1, 10**9, 1.5)
    elif isinstance(value, str):
        limits = ("", "a" * 30_000)
    yield from ((other, False) for other in limits)


def fresh(value: Any) -> Any:
    """Return a copy that shares nothing, not even with itself."""
    if isinstance(value, dict):
        return {key: fresh(one) for key, one in value.items()}
    return [fresh(one) for one in value] if isinstance(value, list) else value


def changed(given: dict[str, Any], path: Place, value: Any) -> dict[str, Any]:
    made: dict[str, Any] = fresh(given)
    place: Any = made
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return made


@pytest.fixture(scope="module")
def validator() -> Any:
    return jsonschema_rs.validator_for(study_file_schema())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "materials.csv").write_text(MATERIALS, encoding="utf-8")
    return tmp_path


def faults_of(given: dict[str, Any], folder: Path) -> list[Fault]:
    _described, faults = checked_study(given, nowhere, folder, repaired=False)
    return faults


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(study_file_schema())


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "share",
    [7, pytest.param(1, marks=pytest.mark.full("one of all 2,500 changes that schema and check judge otherwise"))],
)
def test_schema_and_check_refuse_the_same_keys_and_types(name: str, share: int, folder: Path, validator: Any) -> None:
    given = FILES[name]
    assert [error.message for error in validator.iter_errors(plain_of_toml(given))] == []
    assert list(map(str, faults_of(given, folder))) == []
    strict, lax = [], []
    every = [(path, *change) for path, value in walk(given) if path for change in changes(value)]
    # Seven and the number of changes of a place have no divisor in common: every place and every change has its turn.
    for path, other, is_another_type in every[::share]:
        made = changed(given, path, other)
        faults, is_valid = faults_of(made, folder), validator.is_valid(plain_of_toml(made))
        if not faults and not is_valid:
            strict.append((path, other))
        elif faults and is_valid and is_another_type and path[-1] not in JUDGED_BY_OTHERS:
            lax.append((path, other, str(faults[0])))
    assert strict == []
    assert lax == []


@pytest.mark.parametrize("example", example_studies(), ids=lambda example: example.slug)
def test_every_example_is_valid_and_says_where_its_schema_is(example: ExampleStudyFile, validator: Any) -> None:
    text = example.path.read_text(encoding="utf-8")
    assert [error.message for error in validator.iter_errors(plain_of_toml(tomllib.loads(text)))] == []
    first = text.partition("\n")[0]
    assert first.startswith("#:schema ")
    assert (example.path.parent / first.removeprefix("#:schema ")).resolve() == SCHEMA_OF_EXAMPLES.resolve()


def test_the_schema_beside_the_examples_is_that_of_the_declarations() -> None:
    assert SCHEMA_OF_EXAMPLES.read_text(encoding="utf-8") == written_schema()


def test_a_required_key_that_is_missing_is_refused_by_both(folder: Path, validator: Any) -> None:
    for name in ("slug", "title", "paradigm"):
        made = {key: value for key, value in ONE_TASK.items() if key != name}
        assert faults_of(made, folder)
        assert not validator.is_valid(plain_of_toml(made))


def test_the_schema_is_served_and_printed(client: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answer = client.get(f"/{ADDRESS}")
    assert answer.headers["Content-Type"] == "application/schema+json"
    assert answer.json() == study_file_schema()
    call_command("study_file_schema")
    assert capsys.readouterr().out == written_schema()

"""Create a study from a TOML file and the materials that it names."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.shapes import Design
from experiments.media.checking import CheckedFile
from experiments.models import Part, Study
from experiments.models.parts import ONLY_TASK
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.rules.procedure import TASK_KEYS
from experiments.rules.shape import group_faults, order_set_faults
from experiments.sentences import Sentence
from experiments.study_files.beside import design_beside, media_beside, media_of_parts
from experiments.study_files.description import StudyDescription, StudyFileFaults, soundness_faults, store_description
from experiments.study_files.lines import lines_of
from experiments.study_files.part_tables import checked_parts
from experiments.study_files.parts import (
    FIELDS,
    Locate,
    checked_error_codes,
    checked_fields,
    checked_form,
    checked_plan,
    checked_procedure,
    checked_questions,
    checked_texts,
    table_of,
    unknown_key_faults,
    unstorable_faults,
)
from experiments.study_files.recruitment import TABLES, checked_recruitment, parts_of_questions
from experiments.study_files.words import WordsDescription, words_beside, words_of_parts

MAX_TOML_BYTES = 1024 * 1024
MOST_DOTS = 1_000
WITH_PARTS = ("parts", "groups", "order_sets", "procedure", "texts", "plan", "error_codes", *TABLES)
PARTS = ("settings", "modulus", "procedure", "materials", "questions", "texts", "plan", "error_codes", *TABLES)


def create_from_toml(path: Path, *, user: Any = None, owner: Any = None) -> Study:
    """Return the draft that a TOML file describes, whatever it warns of.

    Raises StudyFileFaults with all faults; nothing is stored then.
    """
    return store_description(read_toml(path), user=user, owner=owner, origin=f"file {path.name}")


def parsed(text: str) -> dict[str, Any]:
    """Return what TOML says. Raises what `tomllib` raises, and RecursionError for keys of more than `MOST_DOTS` dots.

    For such keys the parser takes time and memory that grow with the square of their length.

    >>> parsed("a.b = 1")
    {'a': {'b': 1}}
    """
    if any(run.count(".") > MOST_DOTS for run in re.split(r"[=,\n\[\]{}]", text)):
        raise RecursionError
    return tomllib.loads(text)


def read_toml(path: Path, *, repaired: bool = False) -> StudyDescription:
    """Return what a TOML file and its materials say; `repaired`: with the characters of the materials repaired.

    Raises StudyFileFaults with all faults of both, each with its line.
    """
    text = _text_of(path)
    try:
        given = parsed(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        message = Sentence("The file is not valid TOML: {error}.", error=str(error).partition("(at ")[0].rstrip())
        raise StudyFileFaults(
            [Fault(line=int(place[1]) if place else None, message=message)], file=path.name
        ) from error
    except RecursionError as error:
        raise StudyFileFaults([Fault(message=Sentence("The file is nested too deeply."))], file=path.name) from error
    except ValueError as error:
        # Such as a whole number of thousands of digits.
        raise StudyFileFaults(
            [Fault(message=Sentence("The file contains a value that the platform cannot read."))], file=path.name
        ) from error
    described, faults = checked_study(given, lines_of(text), path.parent, repaired=repaired)
    if faults:
        raise StudyFileFaults(faults, file=path.name)
    return described


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_TOML_BYTES:
            raise StudyFileFaults(
                [
                    Fault(
                        message=Sentence(
                            "The file '{name}' is larger than 1 MB, which is too large for a study file.",
                            name=path.name,
                        )
                    )
                ]
            )
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise StudyFileFaults([Fault(message=Sentence("There is no file '{path}'.", path=str(path)))]) from error
    except OSError as error:
        raise StudyFileFaults(
            [
                Fault(
                    message=Sentence(
                        "The file '{path}' cannot be read: {reason}.", path=str(path), reason=error.strerror
                    )
                )
            ]
        ) from error
    except UnicodeDecodeError as error:
        message = Sentence("The file '{name}' is not UTF-8.", name=path.name)
        raise StudyFileFaults([Fault(message=message, suggestion=Sentence("Save it as UTF-8."))]) from error


def checked_study(
    given: dict[str, Any], locate: Locate, folder: Path, *, repaired: bool
) -> tuple[StudyDescription, list[Fault]]:
    """Return what the values of a study file describe, with the files that they name in a folder, and every fault."""
    if "parts" in given:
        return _described_by_parts(given, locate, folder, repaired=repaired)
    faults = unknown_key_faults(given, (*FIELDS, *PARTS), locate=locate)
    faults += unstorable_faults(given)
    fields, paradigm, wrong = checked_fields(given, locate=locate)
    faults += wrong
    settings = dict(table_of(given, "settings", faults, locate=locate))
    modulus = table_of(given, "modulus", faults, locate=locate)
    procedure, wrong = checked_procedure(table_of(given, "procedure", faults, locate=locate), locate=locate)
    is_procedure_sound = not wrong
    faults += wrong
    questions, wrong = checked_questions(given.get("questions", []), locate=locate)
    faults += wrong
    texts, wrong = checked_texts(
        table_of(given, "texts", faults, locate=locate), language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    recruitment, wrong = checked_recruitment(
        given, parts_of_questions(given.get("questions")), language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    design, codes = None, None
    media: Sequence[CheckedFile] = ()
    words: dict[str, WordsDescription] = {}
    plan: dict[str, Any] = {}
    if paradigm is not None:
        settings, wrong = _settings(settings, modulus, paradigm, locate)
        faults += wrong
        stated = table_of(given, "plan", faults, locate=locate)
        if not wrong:
            plan, wrong = checked_plan(stated, tasks={ONLY_TASK: (paradigm, settings)}, locate=locate)
            faults += wrong
        codes, wrong = checked_error_codes(given.get("error_codes"), paradigm, locate=locate)
        faults += wrong
        materials = table_of(given, "materials", faults, locate=locate)
        item_sets = procedure.get("item_sets", "together")
        design, wrong = design_beside(materials, paradigm, item_sets, locate, folder, repaired=repaired)
        faults += wrong
        media = media_beside(materials, locate, folder, faults)
        if (of_words := words_beside(materials, locate, folder, faults)) is not None:
            words = {"": of_words}
    described = StudyDescription(
        fields, settings, procedure, questions, texts, design, plan, codes, media, words, **recruitment
    )
    if paradigm is not None and is_procedure_sound:
        faults += soundness_faults(described, paradigm)
    return described, faults


def _described_by_parts(
    given: dict[str, Any], locate: Locate, folder: Path, *, repaired: bool
) -> tuple[StudyDescription, list[Fault]]:
    def design(
        part: Mapping[str, Any], name: str, paradigm: Paradigm, item_sets: str
    ) -> tuple[Design | None, list[Fault]]:
        materials = part.get("materials")
        materials = materials if isinstance(materials, Mapping) and materials else {"file": f"materials-{name}.csv"}
        return design_beside(materials, paradigm, item_sets, locate, folder, repaired=repaired)

    of_study = [name for name in FIELDS if name != "paradigm"]
    faults = unknown_key_faults(given, (*of_study, *WITH_PARTS), locate=locate)
    faults += unstorable_faults(given)
    fields, _paradigm, wrong = checked_fields(given, locate=locate, has_parts=True)
    faults += wrong
    conduct = table_of(given, "procedure", faults, locate=locate)
    procedure, wrong = checked_procedure(conduct, locate=locate)
    faults += wrong
    faults += [
        Fault(
            line=locate(["procedure", name]),
            message=Sentence("'procedure.{name}' is a rule of a task. Write it in the task.", name=name),
        )
        for name in conduct
        if name in TASK_KEYS
    ]
    texts, wrong = checked_texts(
        table_of(given, "texts", faults, locate=locate), language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    if "instructions" in texts:
        message = Sentence("Instructions belong to a task. Write them in the task as 'instructions'.")
        faults.append(Fault(line=locate(["texts", "instructions"]), message=message))
    parts, wrong = checked_parts(given["parts"], read_design=design, locate=locate)
    faults += wrong
    media = media_of_parts(given["parts"], locate, folder, faults)
    recruitment, wrong = checked_recruitment(
        given, [Part(**part.fields) for part in parts], language=fields.get("language", "en"), locate=locate
    )
    faults += wrong
    groups = given.get("groups", [])
    tasks = [part for part in parts if part.fields.get("paradigm")]
    plan: dict[str, Any] = {}
    codes = None
    if tasks and not faults:
        pooled = Counter(part.fields.get("pool") for part in tasks if part.fields.get("pool"))
        of_tasks: dict[str, tuple[Paradigm, Mapping[str, Any]]] = {}
        for part in tasks:
            # Tasks of a pool are one task for the plan.
            pool = part.fields.get("pool", "")
            name = pool if pooled[pool] > 1 else part.fields["name"]
            of_tasks.setdefault(name, (paradigm_named(part.fields["paradigm"]), part.fields["settings"]))
        stated = table_of(given, "plan", faults, locate=locate)
        plan, wrong = checked_plan(stated, tasks=of_tasks, locate=locate)
        faults += wrong
        paradigms = [paradigm for paradigm, _settings in of_tasks.values()]
        coded = next((one for one in paradigms if one.coded_measure), paradigms[0])
        codes, wrong = checked_error_codes(given.get("error_codes"), coded, locate=locate)
        faults += wrong
    described = StudyDescription(
        fields,
        procedure={name: value for name, value in procedure.items() if name not in TASK_KEYS},
        texts={kind: text for kind, text in texts.items() if kind != "instructions"},
        plan=plan,
        error_codes=codes,
        parts=parts,
        groups=groups if isinstance(groups, list) else [],
        order_sets=table_of(given, "order_sets", faults, locate=locate),
        media=media,
        words=words_of_parts(given["parts"], locate, folder, faults),
        **recruitment,
    )
    faults += [replace(fault, line=locate(["groups"])) for fault in group_faults(groups)]
    members = [part.fields.get("order_set", "") for part in parts]
    return described, faults + [
        replace(fault, line=locate(["order_sets", fault.setting]) or locate(["order_sets"]))
        for fault in order_set_faults(described.order_sets, members)
    ]


def _settings(
    settings: dict[str, Any], modulus: Mapping[str, Any], paradigm: Paradigm, locate: Locate
) -> tuple[dict[str, Any], list[Fault]]:
    """The table [modulus] is a readable place for the setting `modulus_text`, where the paradigm has one."""
    faults = unknown_key_faults(modulus, ("text",), path=["modulus"], locate=locate)
    if modulus and "modulus_text" not in paradigm.settings_form.base_fields:
        faults.append(
            Fault(
                line=locate(["modulus"]),
                message=Sentence("The paradigm '{paradigm}' has no modulus.", paradigm=paradigm.slug),
            )
        )
    elif "text" in modulus and "modulus_text" in settings:
        message = Sentence("The modulus sentence appears twice: as modulus.text and as settings.modulus_text.")
        faults.append(
            Fault(line=locate(["modulus", "text"]), message=message, suggestion=Sentence("Delete one of them."))
        )
    elif "text" in modulus:
        settings["modulus_text"] = modulus["text"]
    values, wrong = checked_form(paradigm.settings_form, settings, path=["settings"], locate=locate)
    return values, faults + wrong

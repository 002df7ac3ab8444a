"""Match the files of a study with the names in its materials: used, missing and unused files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.formats.media_names import is_media_name
from experiments.media.kinds import Kind
from experiments.media.storage import files_of
from experiments.models import MediaFile, Part, Stimulus, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.paradigms.base import Paradigm
from experiments.paradigms.pieces.media import has_sound
from experiments.sentences import Sentence, counting


@dataclass
class Named:
    """One file named by the materials: its column, the kinds that are shown there, and its items."""

    name: str
    kinds: tuple[Kind, ...]
    column: str
    items: dict[str, None] = field(default_factory=dict)
    without_alt: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True)
class MediaState:
    """The files of a study compared with those that its materials name."""

    files: tuple[MediaFile, ...]
    named: tuple[Named, ...]
    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]
    # The logo, which pages show before and after the trials.
    logo: str = ""

    @property
    def unused(self) -> list[str]:
        """Files that no text names."""
        wanted = {named.name for named in self.named}
        return [file.name for file in self.files if file.name not in wanted and file.name != self.logo]


def named_files(study: Study) -> list[Named]:
    """Return the files that the materials name, in the order of the materials."""
    return files_named_by(study.tasks)


def files_named_by(tasks: Sequence[Part]) -> list[Named]:
    """Return the files that materials and settings of these tasks name, in their order."""
    named: dict[tuple[str, str], Named] = {}
    for task in tasks:
        with contextlib.suppress(UnknownParadigm):
            _name_files(task, paradigm_named(task.paradigm), named)
    return list(named.values())


def _name_files(task: Part, paradigm: Paradigm, named: dict[tuple[str, str], Named]) -> None:
    for setting, kind in paradigm.media_settings.items():
        if name := str(task.settings.get(setting, "")):
            named[setting, name] = Named(name, (kind,), setting, {setting: None})
    for setting in sorted(paradigm.text_or_file):
        if is_media_name(name := str(task.settings.get(setting, ""))):
            named[setting, name] = Named(name, paradigm.kinds_of(setting), setting, {setting: None})
    for item, extra in _stimuli(task) if paradigm.media_columns else ():
        for key, (name, alt) in paradigm.media_names(extra).items():
            column = key.split(" ")[0]
            one = named.setdefault((column, name), Named(name, paradigm.kinds_of(column), column))
            one.items[item] = None
            if one.kinds == ("image",) and not alt:
                one.without_alt[item] = None


def _stimuli(task: Part) -> list[tuple[str, Mapping[str, Any]]]:
    """Return item and extra columns of every text of a task; the only place where media meet the materials."""
    rows = Stimulus.objects.filter(item__part=task).order_by("item__position", "pk")
    return list(rows.values_list("item__code", "extra"))


def _may_be_silent(task: Part) -> bool:
    """Return whether a task's settings switch its sounds off."""
    with contextlib.suppress(UnknownParadigm):
        paradigm = paradigm_named(task.paradigm)
        names_sounds = "audio" in paradigm.media_columns.values()
        return names_sounds and "sound" in paradigm.settings_form.base_fields and not has_sound(task.settings)
    return False


def media_state(study: Study) -> MediaState:
    """Return files, names, faults that prevent the study from opening, and warnings."""
    files = files_of(study)
    named = named_files(study)
    by_name = {file.name: file for file in files}
    faults = []
    for one in named:
        file = by_name.get(one.name)
        if file is None:
            faults.append(_missing(one, by_name))
        elif file.kind not in one.kinds:
            items = listed(list(one.items))
            message = Sentence("Items {items}: '{name}' is a picture.", items=items, name=one.name)
            if file.kind == "audio":
                message = Sentence("Items {items}: '{name}' is a sound.", items=items, name=one.name)
            if file.kind == "video":
                message = Sentence("Items {items}: '{name}' is a video.", items=items, name=one.name)
            faults.append(Fault(None, one.column, message, Sentence("Name a file of the other kind."), "materials"))
    for task in study.tasks:
        sounds = [one.name for one in files_named_by([task]) if one.kinds == ("audio",)] if _may_be_silent(task) else []
        if sounds:
            message = Sentence(
                "The materials name sounds, such as '{name}', but sounds are switched off in the settings.",
                name=sounds[0],
            )
            if study.has_several_tasks:
                message = Sentence("Part '{part}': {said}", part=task.name, said=message)
            suggestion = Sentence("On the page Procedure, choose how often a sound is played, or delete the column.")
            faults.append(Fault(message=message, suggestion=suggestion, step="procedure"))
    logo = str(study.look.get("logo", ""))
    of_materials = [file for file in files if file.name != logo]
    return MediaState(tuple(files), tuple(named), tuple(faults), tuple(_warnings(of_materials, named)), logo)


def _missing(one: Named, files: Mapping[str, MediaFile]) -> Fault:
    by_capitals = next((name for name in files if name.casefold() == one.name.casefold()), None)
    meant = (
        Sentence("Did you mean '{name}'? Capital letters count.", name=by_capitals)
        if by_capitals
        else did_you_mean(one.name, files)
    )
    items = listed(list(one.items))
    message = counting(
        "Item {items}: the file '{name}' is missing.",
        "Items {items}: the file '{name}' is missing.",
        len(one.items),
        items=items,
        name=one.name,
    )
    if len(one.kinds) > 1:
        message = counting(
            "Item {items}: '{name}' is a file name, but there is no such file.",
            "Items {items}: '{name}' is a file name, but there is no such file.",
            len(one.items),
            items=items,
            name=one.name,
        )
    if one.column in one.items:
        message = Sentence("Setting {setting}: the file '{name}' is missing.", setting=items, name=one.name)
    return Fault(None, one.column, message, meant or Sentence("Upload it under Pictures and sound."), "materials")


def _warnings(files: list[MediaFile], named: list[Named]) -> Iterator[Fault]:
    wanted = {one.name for one in named}
    unused = [file.name for file in files if file.name not in wanted]
    if unused:
        message = counting(
            "No text names the file {names}.", "No text names the files {names}.", len(unused), names=listed(unused)
        )
        yield Fault(message=message, suggestion=Sentence("No item uses these files yet."), step="materials")
    lacking = list(dict.fromkeys(one.name for one in named if one.without_alt))
    if lacking:
        message = counting(
            "{names} has no alternative text.", "{names} have no alternative text.", len(lacking), names=listed(lacking)
        )
        suggestion = Sentence(
            "In the column 'alt', say what the picture shows for people who cannot see it. Leave it out if it "
            "would give the answer away."
        )
        yield Fault(None, "alt", message, suggestion, "materials")
    by_hash: dict[str, list[str]] = {}
    for file in files:
        by_hash.setdefault(file.content_hash, []).append(file.name)
    yield from (
        Fault(message=Sentence("{names} are the same file.", names=listed(names)), step="materials")
        for names in by_hash.values()
        if len(names) > 1
    )

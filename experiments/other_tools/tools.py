"""The tools whose projects become studies, each declared once: commands, the page and what is said follow from here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from experiments.formats.faults import Fault
from experiments.other_tools.jspsych import reading as jspsych
from experiments.other_tools.labjs import reading as labjs
from experiments.other_tools.motr import reading as motr
from experiments.other_tools.opensesame import reading as opensesame
from experiments.other_tools.pcibex.study import study_files
from experiments.other_tools.projects import Project, ProjectFaults
from experiments.other_tools.reports import Report
from experiments.other_tools.screens.composing import Naming
from experiments.sentences import Sentence

Files = tuple[dict[str, bytes], Report]


@dataclass(frozen=True)
class Tool:
    """A tool: its name in commands and for people, what of it is given, how its projects are known and read.

    `recognises` says that a project is surely, or perhaps, of the tool: the first tool that does has it.
    """

    slug: str
    label: str
    given: str
    recognises: Callable[[Project], bool]
    read: Callable[[Project, Naming], Files]


def _pcibex(project: Project, naming: Naming) -> Files:
    return study_files(project, slug=naming.slug, title=naming.title, language=naming.language)


TOOLS = (
    Tool(
        "opensesame",
        "OpenSesame",
        Sentence("An experiment (.osexp), packed or as plain text."),
        opensesame.recognises,
        opensesame.study_files,
    ),
    Tool(
        "labjs",
        "lab.js",
        Sentence("The study file that the builder saves (.json), or the folder of an export with its script.js."),
        labjs.recognises,
        labjs.study_files,
    ),
    Tool(
        "motr",
        "MoTR",
        Sentence("The folder of an experiment with src/App.vue and its tables in trials/."),
        motr.recognises,
        motr.study_files,
    ),
    Tool(
        "jspsych",
        "jsPsych",
        Sentence("The page (.html) with its scripts and files, or a timeline as JSON."),
        jspsych.recognises,
        jspsych.study_files,
    ),
    Tool(
        "pcibex",
        "PCIbex",
        Sentence(
            "The folder or the archive that PCIbex exports, with data_includes (or Scripts) and chunk_includes (or "
            "Resources)."
        ),
        lambda project: bool(project.scripts()),
        _pcibex,
    ),
)
BY_SLUG = {tool.slug: tool for tool in TOOLS}


def tool_of(project: Project) -> Tool:
    """Return the tool that a project is of, by what its files hold. Raises ProjectFaults where it is of none."""
    for tool in TOOLS:
        if tool.recognises(project):
            return tool
    message = Sentence("The files come from none of the tools that the platform can read.")
    faults = [Fault(message=Sentence("{tool}: {what}", tool=tool.label, what=tool.given)) for tool in TOOLS]
    raise ProjectFaults([Fault(message=message, suggestion=Sentence("You can use one of these:")), *faults])


def named(slug: str, project: Project) -> Tool:
    """Return the tool of this name. Raises ProjectFaults where the project is not one of it."""
    tool = BY_SLUG[slug]
    if not tool.recognises(project):
        message = Sentence("The project contains nothing of {tool}.", tool=tool.label)
        if slug == "pcibex":
            message = Sentence("The project contains no script (.js).")
        raise ProjectFaults([Fault(message=message, suggestion=Sentence("Choose this: {what}", what=tool.given))])
    return tool

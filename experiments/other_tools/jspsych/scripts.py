"""Find the scripts of an experiment of jsPsych in the order in which its page loads them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import PurePosixPath

from experiments.other_tools.projects import Project

LARGEST_OWN = 1_500_000
_LIBRARY = re.compile(
    r"(?:^|/)(?:jspsych|plugin|extension|jquery|bootstrap|lodash|underscore|survey|mathjs|d3|papaparse|seedrandom|p5|"
    r"webgazer|math|pavlovia|polyfill|favicon|firebase|three|vue|react)[^/]*\.m?js$|\.min\.js$|(?:^|/)(?:dist|lib|libs|"
    r"vendor|plugins?|jspsych[^/]*|_site|build|extensions?)/",
    re.IGNORECASE,
)
_OF_JSPSYCH = re.compile(r"initJsPsych\s*\(|jsPsych\.(?:init|run)\s*\(|jspsych[^\"'<>]{0,200}\.js|type\s*:\s*jsPsych")


@dataclass
class Scripts:
    """The scripts of a page: file and text each, with the lines of their files; pages and scripts that are left."""

    page: str
    scripts: list[tuple[str, str]] = field(default_factory=list)
    missing: list[tuple[str, int]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def is_of_jspsych(path: str, text: str) -> bool:
    """Return whether a page or a script is of an experiment of jsPsych, and no library."""
    lower = path.casefold()
    return lower.endswith((".html", ".htm", ".js", ".mjs")) and not _LIBRARY.search(path) and bool(
        _OF_JSPSYCH.search(text[:2_000_000])
    )  # fmt: skip


def scripts_of(project: Project) -> Scripts:
    """Return the scripts of the page nearest to the top, or of no page, those of the project."""
    ours = [path for path, text in project.texts.items() if is_of_jspsych(path, text)]
    pages = sorted(
        (path for path in ours if path.casefold().endswith((".html", ".htm"))),
        key=lambda path: (path.count("/"), PurePosixPath(path).stem.casefold() not in ("index", "experiment"), path),
    )
    if not pages:
        own = sorted(
            path for path in project.texts if path.casefold().endswith((".js", ".mjs")) and _is_own(project, path)
        )
        return Scripts(own[0] if own else project.name, [(path, project.texts[path]) for path in own])
    found = Scripts(pages[0], others=pages[1:])
    reader = _Page()
    reader.feed(project.texts[pages[0]][:LARGEST_OWN])
    reader.close()
    folder = PurePosixPath(pages[0]).parent
    for source, line, text in reader.scripts:
        if not source:
            found.scripts.append((pages[0], "\n" * (line - 1) + text))
            continue
        if re.match(r"[a-z]+:|//", source) or _LIBRARY.search(source):
            continue
        wanted = _joined(folder, source)
        path = wanted if wanted in project.texts else project.named(source)
        if path is None or path not in project.texts:
            found.missing.append((source, line))
        elif _is_own(project, path):
            found.scripts.append((path, project.texts[path]))
    return found


def _is_own(project: Project, path: str) -> bool:
    return not _LIBRARY.search(path) and len(project.texts[path]) <= LARGEST_OWN


def _joined(folder: PurePosixPath, source: str) -> str:
    parts: list[str] = []
    for part in (folder / source.split("?")[0]).parts:
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", "/"):
            parts.append(part)
    return "/".join(parts)


class _Page(HTMLParser):
    """Scripts of a page in their order: the source of each or none, its line, its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[tuple[str, int, str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "script":
            return
        given = {name: value or "" for name, value in attrs}
        if given.get("type", "") not in ("", "text/javascript", "module", "application/javascript"):
            return
        self.inside = not given.get("src")
        if given.get("src"):
            self.scripts.append((given["src"], self.getpos()[0], ""))

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.scripts.append(("", self.getpos()[0], data))

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self.inside = False

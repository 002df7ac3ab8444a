"""MkDocs hooks: add pages from outside docs/, build the navigation, move inline scripts into files, keep the Markdown.

Beside every page that somebody wrote is its Markdown (`first-study/` has `first-study.md`), and `llms.txt` lists these
pages for programs that read text.

Documents link to each other by their places in the repository, which must keep working where the repository is
browsed. On the site everything from outside docs/ is below project/, and the reference of the Python code below api/;
it is extracted from the sources without importing them.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "frontend/README.md",
    "benchmarks/results/*.md",
    "benchmarks/results/*.json",
)
# The packages that can be used without the platform: pure functions, and declarations for extensions.
REFERENCE = ("analysis/methods", "analysis/text", "experiments/design", "experiments/paradigms")
FOR_DEVELOPERS = ("api/", "decisions/", "project/", "architecture", "adding-a-")
SUMMARY = """# Lectern

> Lectern runs psycholinguistic experiments: from a table of texts to a report. A study is one file, whose keys the
> [JSON Schema](/schemas/study.json) describes. [Assistants](/docs/assistants.md) draft studies by `lectern mcp`."""
LINKED = re.compile(r"\[([^\]]*)\]\([^)]*\)")
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#|/)([^)#\s]+)")
RECORDING = re.compile(r"<img\b[^<>]*?\bsrc=\"([^\"]{0,100}?pictures/)([\w-]{1,60})\.webp\"[^<>]*>")
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)

_scripts: dict[str, str] = {}
_markdown: dict[str, str] = {}


def on_files(files: Files, config: Any) -> Files:
    """Add what is outside docs/, and a page of reference for every package."""
    _scripts.clear()
    _markdown.clear()
    for pattern in OUTSIDE:
        for path in sorted(ROOT.glob(pattern)):
            place = f"project/{path.relative_to(ROOT).as_posix()}"
            files.append(File.generated(config, place, abs_src_path=str(path)))
    for name in ("icon.svg", "identity.css"):
        source = ROOT / "experiments" / "static" / "studies" / name
        files.append(File.generated(config, name, abs_src_path=str(source)))
    style = Path(__file__).with_name("pages.css")
    files.append(File.generated(config, "lectern.css", abs_src_path=str(style)))
    for package, modules in packages().items():
        text = "\n\n".join([f"# `{package}`", *(f"::: {module}" for module in modules)])
        files.append(File.generated(config, f"api/{package}.md", content=text + "\n"))
    config["nav"] = expanded(config["nav"], files)
    return files


def packages() -> dict[str, list[str]]:
    """Return the modules of the reference by package; tests and what begins with an underscore are left out."""
    found: dict[str, list[str]] = {}
    for folder in REFERENCE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not any(part.startswith(("_", "test_")) for part in parts):
                found.setdefault(".".join(parts[:-1]), []).append(".".join(parts))
    return found


def expanded(nav: list[Any], files: Files) -> list[Any]:
    """Return the navigation with `folder/*.md` replaced by those pages of the folder that are named nowhere else."""
    named = set(re.findall(r"'([^'*]+\.md)'", repr(nav)))

    def pages(pattern: str) -> list[str]:
        folder = posixpath.dirname(pattern)
        pages = (file.src_uri for file in files.documentation_pages())
        return sorted(page for page in pages if posixpath.dirname(page) == folder and page not in named)

    def filled(entries: list[Any]) -> list[Any]:
        found: list[Any] = []
        for entry in entries:
            if isinstance(entry, dict):
                (title, inner), *_ = entry.items()
                inner = filled(inner) if isinstance(inner, list) else inner
                found += [{title: inner}] if inner else []
            else:
                found += pages(entry) if "*" in entry else [entry]
        return found

    return filled(nav)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links between places of the repository into links between pages of the site."""
    here = page.file.src_uri
    if here.startswith("api/"):
        return markdown
    source = here.removeprefix("project/") if here.startswith("project/") else f"docs/{here}"

    def on_site(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        place = target.removeprefix("docs/") if target.startswith("docs/") else f"project/{target}"
        if (ROOT / target).is_dir():
            first = sorted((ROOT / target).glob("*.md"))
            place = f"{place}/{first[0].name}" if first else place
        return found[1] + posixpath.relpath(place, posixpath.dirname(here) or ".")

    text = LINK.sub(on_site, markdown)
    _markdown[here] = text
    return text


def listed(nav: list[Any], pages: Mapping[str, str]) -> str:
    """Return the list of all pages for programs that read text, by the headings of the navigation (llmstxt.org).

    >>> print(listed([{"Begin": ["first.md"]}], {"first.md": "# A first study\\n\\nIn ten minutes.\\n"}))
    # Lectern
    <BLANKLINE>
    > Lectern runs psycholinguistic experiments: from a table of texts to a report. A study is one file, whose keys the
    > [JSON Schema](/schemas/study.json) describes. [Assistants](/docs/assistants.md) draft studies by `lectern mcp`.
    <BLANKLINE>
    ## Begin
    <BLANKLINE>
    - [A first study](/docs/first.md): In ten minutes.
    <BLANKLINE>
    """
    lines = [SUMMARY]
    left = dict(pages)

    def entry(place: str) -> str:
        title, _line, rest = left.pop(place).strip().partition("\n")
        prose = (block for block in rest.split("\n\n") if block.strip() and block.strip()[0] not in "|#!<-`:>")
        first = LINKED.sub(r"\1", " ".join(next(prose, "").split()))
        sentence = re.split(r"(?<=[.:])\s", first, maxsplit=1)[0]
        return f"- [{title.lstrip('# ')}](/docs/{place}): {sentence}"

    def of(entries: list[Any], heading: str) -> None:
        own = [
            next(iter(one.values())) if isinstance(one, dict) else one
            for one in entries
            if isinstance(one, str) or not isinstance(next(iter(one.values())), list)
        ]
        lines.extend([*([f"\n## {heading}\n"] if own else []), *(entry(place) for place in own if place in left)])
        for one in entries:
            if isinstance(one, dict):
                (title, inner), *_ = one.items()
                if isinstance(inner, list):
                    of(inner, title)

    of(nav, "Overview")
    return "\n".join(lines) + "\n"


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Show developers' pages last in the search; show the still of a recording to people who prefer reduced motion."""
    if page.file.src_uri.startswith(FOR_DEVELOPERS):
        page.meta.setdefault("search", {}).setdefault("boost", 0.5)

    def with_still(found: re.Match[str]) -> str:
        folder, name = found[1], found[2]
        if not (ROOT / "docs" / "pictures" / f"{name}-still.webp").is_file():
            return found[0]
        still = f'<source media="(prefers-reduced-motion: reduce)" srcset="{folder}{name}-still.webp">'
        return f"<picture>{still}{found[0]}</picture>"

    return RECORDING.sub(with_still, html)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Move inline scripts of the theme into files: the platform's policy runs nothing that stands within a page."""

    def as_file(found: re.Match[str]) -> str:
        name = f"assets/inline/{hashlib.sha256(found[1].encode()).hexdigest()[:12]}.js"
        _scripts[name] = found[1]
        return f'<script src="{posixpath.relpath(name, page.url or ".")}"></script>'

    return INLINE_SCRIPT.sub(as_file, output)


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Leave out the page for addresses that are not there; the platform has one of its own."""
    return "" if template_name == "404.html" else output_content


def on_post_build(config: Any) -> None:
    """Write the scripts that pages refer to, the Markdown of the pages, and the list of them."""
    plain = {place: text for place, text in _markdown.items() if not place.startswith("project/")}
    for name, text in {**_scripts, **plain, "llms.txt": listed(config["nav"], plain)}.items():
        path = Path(config["site_dir"]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

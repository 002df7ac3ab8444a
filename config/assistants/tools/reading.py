"""Tools that read: documents, the schema, examples, methods, studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from config.assistants import documents
from config.assistants.allowed import REFUSED
from config.assistants.platform import NotDone, Platform
from config.assistants.tools.declarations import CURSOR, PART, STUDY, Tool, as_text, without_codes
from experiments.formats.faults import did_you_mean

Arguments = Mapping[str, Any]
WHAT = {
    "study": "get_study",
    "settings": "get_settings",
    "materials": "get_materials",
    "texts": "list_texts",
    "plan": "get_plan",
    "criteria": "get_criteria",
    "media": "list_media",
    "readiness": "get_readiness",
}
OF_TASK = ("settings", "materials")


def search_documents(platform: Platform, given: Arguments) -> str:
    """Return the paragraphs nearest to some words."""
    found = documents.search(given["query"], given.get("limit", 8))
    if not found:
        return "Nothing was found. Try other words: of the field, of methods sections, or of the platform."
    return "\n\n".join(f"{one.place}: {one.heading}\n{text}" for one, text in found)


def read_document(platform: Platform, given: Arguments) -> str:
    """Return a page, or the list of pages."""
    name = given.get("page", "")
    if not name:
        return "\n".join(f"{page}: {documents.title_of(documents.page(page) or '')}" for page in documents.pages())
    text = documents.page(name)
    if text is None:
        known = list(documents.pages())
        raise NotDone(f"There is no page “{name}”. {did_you_mean(name, known)} Without a page all are listed.")
    return text


def read_schema(platform: Platform, given: Arguments) -> str:
    """Return one definition of the schema of study files, or the list of definitions."""
    name = given.get("definition", "")
    found = documents.definition(name)
    if found is None:
        raise NotDone(f"There is no definition “{name}”. Without a definition all are listed.")
    return as_text(found)


def read_example(platform: Platform, given: Arguments) -> str:
    """Return a file of a bundled study, or the list of files."""
    name = given.get("file", "")
    files = documents.examples()
    if not name:
        return "\n".join(files)
    if name not in files:
        raise NotDone(f"There is no example “{name}”. {did_you_mean(name, list(files))} Without a file all are listed.")
    return files[name].read_text(encoding="utf-8")


def list_methods(platform: Platform, given: Arguments) -> str:
    """Return all methods with their summaries, or one with its parameters."""
    methods = platform.ask("list_methods").content["items"]
    name = given.get("method", "")
    if not name:
        return "\n".join(f"{one['method']}: {one['label']}. {one['summary']}" for one in methods)
    found = next((one for one in methods if one["method"] == name), None)
    if found is None:
        known = [one["method"] for one in methods]
        raise NotDone(f"There is no method “{name}”. {did_you_mean(name, known)} Without a method all are listed.")
    return as_text(found)


def about_connection(platform: Platform, given: Arguments) -> str:
    """Return what the token may do, and what cannot be done here whatever it may do."""
    token = platform.ask("get_token").content
    never = [{"because": reason, "operations": list(names)} for reason, names in REFUSED.items()]
    return as_text({"platform": platform.base_url, "token": token, "never_possible_here": never})


def list_studies(platform: Platform, given: Arguments) -> str:
    """Return a page of the studies that the token sees."""
    query = {name: str(given[name]) for name in ("status", "search") if given.get(name)}
    if given.get("after"):
        query["cursor"] = given["after"]
    found = platform.ask("list_studies", query={**query, "limit": "50"}).content
    shown = [
        {name: one[name] for name in ("slug", "title", "status", "language", "parts", "role")} for one in found["items"]
    ]
    return as_text({"studies": shown, "after": found["next_cursor"]})


def read_study(platform: Platform, given: Arguments) -> str:
    """Return one aspect of a study."""
    what = given.get("what", "study")
    query = {"part": given["part"]} if given.get("part") and what in OF_TASK else None
    content = platform.ask(WHAT[what], query=query, slug=given["study"]).content
    if what == "settings":
        content = without_codes(content)
    return content if isinstance(content, str) else as_text(content)


TOOLS = (
    Tool(
        "search_documents", "Search the documents",
        "Find paragraphs of the documents by words: of the platform, of the field, or of a methods section, such as "
        "“counterbalancing” or “SOA”. Read the page of a result with read_document.",
        search_documents,
        {
            "query": {"type": "string", "maxLength": 400, "description": "Some words."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 20, "description": "How many; 8 if left out."},
        },
        ("query",),
    ),
    Tool(
        "read_document", "Read a page of the documents",
        "A page as Markdown, such as timed-choice.md or writing-materials.md. Without `page`: the list of pages.",
        read_document,
        {"page": {"type": "string", "maxLength": 200, "description": "The name of the page."}, "cursor": CURSOR},
    ),
    Tool(
        "read_schema", "Read the schema of study files",
        "The JSON Schema of study files by its definitions, such as settings-timed-choice or question. Without "
        "`definition`: the list of definitions; with “whole”: everything.",
        read_schema,
        {"definition": {"type": "string", "maxLength": 100, "description": "A definition."}, "cursor": CURSOR},
    ),
    Tool(
        "read_example", "Read a bundled study",
        "A file of a study that comes with the platform: its study.toml or a table of materials. Without `file`: the "
        "list of files. There is at least one study of every paradigm.",
        read_example,
        {"file": {"type": "string", "maxLength": 200, "description": "Such as stroop/study.toml."}, "cursor": CURSOR},
    ),
    Tool(
        "list_methods", "List analyses",
        "The methods for the plan of a study. With `method`: its parameters.",
        list_methods,
        {"method": {"type": "string", "maxLength": 100, "description": "The name of a method."}, "cursor": CURSOR},
        operations=("list_methods",),
    ),
    Tool(
        "about_connection", "What is possible here",
        "What the token may do, and what assistants can never do.",
        about_connection, operations=("get_token",),
    ),
    Tool(
        "list_studies", "List studies",
        "The studies that the token sees, newest first. Only drafts can be changed.",
        list_studies,
        {
            "status": {"type": "string", "enum": ["draft", "open", "closed"], "description": "Only in this state."},
            "search": {"type": "string", "maxLength": 100, "description": "A part of title, address or tag."},
            "after": {"type": "string", "maxLength": 200, "description": "`after` of the answer before."},
            "cursor": CURSOR,
        },
        operations=("list_studies",),
    ),
    Tool(
        "read_study", "Read a study",
        "What a study is made of, never the data of its participants: facts and parts (study), settings and procedure "
        "of a task (settings), its table (materials), texts, plan, quotas by criterion (criteria), names of files "
        "(media), and what opening would ask for (readiness).",
        read_study,
        {
            "study": STUDY,
            "what": {"type": "string", "enum": list(WHAT), "description": "Which aspect; “study” if left out."},
            "part": PART,
            "cursor": CURSOR,
        },
        ("study",),
        operations=tuple(WHAT.values()),
    ),
)  # fmt: skip

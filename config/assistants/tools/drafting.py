"""Tools that check studies, make and change drafts, and let simulated participants go through them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from config.assistants.allowed import FIELDS
from config.assistants.platform import Answered, NotDone, Platform, fault_line
from config.assistants.tools.declarations import CURSOR, MOST_TEXT, PART, STUDY, Tool, as_text, without_codes
from experiments.study_files.lines import lines_of
from experiments.study_files.schema import plain_of_toml

Arguments = Mapping[str, Any]
TOML: Mapping[str, Any] = {
    "type": "string",
    "maxLength": MOST_TEXT,
    "description": "The study file as TOML. Tables of materials are named by plain file names.",
}
TABLES: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "The tables that the study file names, as CSV by their names, such as materials.csv.",
}
ACCEPT: Mapping[str, Any] = {
    "type": "boolean",
    "description": "Store it although its table may not be read as it was meant; ask people first.",
}
_INDEX = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)


def validate_study(platform: Platform, given: Arguments) -> str:
    """Return everything that is to be said of a study file; nothing is stored."""
    verdict = platform.ask("validate_study", body=_described(given)).content
    lines = [
        "The study can be stored." if verdict["is_sound"] else "The study cannot be stored. Correct the faults.",
        "It could be opened as it is." if verdict["can_open"] else "It could not be opened as it is.",
    ]
    locate = lines_of(given["study_toml"])
    for heading, name in (("Faults", "faults"), ("Missing before it opens", "opening"), ("Remarks", "warnings")):
        if verdict[name]:
            lines += ["", f"{heading}:", *(fault_line(_with_line(fault, locate)) for fault in verdict[name])]
    return "\n".join(lines)


def create_draft(platform: Platform, given: Arguments) -> str:
    """Store a study file as a draft."""
    body = _described(given)
    if given.get("accept"):
        body["accept"] = True
    made = platform.ask("create_study", body=body).content
    return _made(platform, made)


def copy_to_draft(platform: Platform, given: Arguments) -> str:
    """Copy a study, in any state, as a new draft."""
    made = platform.ask("copy_study", body={"slug": given["new_slug"]}, slug=given["study"]).content
    return _made(platform, made)


def check_materials(platform: Platform, given: Arguments) -> str:
    """Return what a table makes in a draft; nothing is stored."""
    _draft(platform, given["study"])
    answered = platform.ask("check_materials", table=given["table"], query=_how(given), slug=given["study"])
    return as_text(answered.content)


def change_draft(platform: Platform, given: Arguments) -> str:
    """Change fields of a draft."""
    wrong = [name for name in given["fields"] if name not in FIELDS]
    if wrong:
        raise NotDone(
            f"These fields cannot be changed here: {', '.join(wrong)}. Nothing was changed. Possible fields: "
            f"{', '.join(FIELDS)}."
        )
    draft = _draft(platform, given["study"])
    answered = platform.ask("change_study", body=given["fields"], etag=draft.etag, slug=given["study"])
    return as_text(answered.content)


def change_settings(platform: Platform, given: Arguments) -> str:
    """Change settings and procedure of a task of a draft."""
    body = {name: given[name] for name in ("settings", "procedure") if name in given}
    return as_text(without_codes(_changed(platform, given, "get_settings", "change_settings", body, _of_task(given))))


def replace_materials(platform: Platform, given: Arguments) -> str:
    """Replace the table of a task of a draft."""
    _draft(platform, given["study"])
    etag = platform.ask("get_materials", query=_of_task(given), slug=given["study"]).etag
    how = {**_how(given), **({"accept": "true"} if given.get("accept") else {})}
    answered = platform.ask("put_materials", table=given["table"], query=how, etag=etag, slug=given["study"])
    return as_text(answered.content)


def replace_text(platform: Platform, given: Arguments) -> str:
    """Replace a text of a draft."""
    names = ("body", "markup", "required_boxes", "optional_boxes")
    body = {name: given[name] for name in names if name in given}
    return as_text(_changed(platform, given, "get_text", "put_text", body, _of_task(given), kind=given["kind"]))


def replace_plan(platform: Platform, given: Arguments) -> str:
    """Replace the plan of a draft."""
    return as_text(_changed(platform, given, "get_plan", "put_plan", given["plan"]))


def replace_criteria(platform: Platform, given: Arguments) -> str:
    """Replace the quotas by criterion of a draft."""
    return as_text(_changed(platform, given, "get_criteria", "put_criteria", {"criteria": given["criteria"]}))


def simulate_draft(platform: Platform, given: Arguments) -> str:
    """Let simulated participants go through a draft; nothing is stored."""
    _draft(platform, given["study"])
    body = {name: given[name] for name in ("participants", "seed") if name in given}
    return as_text(platform.ask("preview_simulation", body=body, slug=given["study"]).content)


def _described(given: Arguments) -> dict[str, Any]:
    """Return a study file with its tables as the API takes them. Raises NotDone where the TOML cannot be read."""
    try:
        study = plain_of_toml(tomllib.loads(given["study_toml"]))
    except (ValueError, RecursionError) as error:
        raise NotDone(f"The study file is not valid TOML: {error}. Nothing was stored.") from error
    tables = given.get("tables", {})
    wrong = [name for name, text in tables.items() if not isinstance(text, str)]
    if wrong:
        raise NotDone(f"These tables are not texts: {', '.join(wrong)}. Send each as CSV. Nothing was stored.")
    body: dict[str, Any] = {"study": study, "tables": tables}
    if given.get("slug"):
        body["slug"] = given["slug"]
    return body


def _with_line(fault: Mapping[str, Any], locate: Any) -> Mapping[str, Any]:
    """Return a fault of a place in JSON with the line of the TOML file, where that says it."""
    place = str(fault["place"])
    if fault["line"] or not place.startswith("/"):
        return fault
    # Lists are counted from 0 in pointers, and from 1 in study files.
    steps: list[str | int] = [
        int(step) + 1 if _INDEX.fullmatch(step) else step.replace("~1", "/").replace("~0", "~")
        for step in place[1:].split("/")
    ]
    while steps:
        if line := locate(steps):
            return {**fault, "line": line}
        steps.pop()
    return fault


def _draft(platform: Platform, slug: str) -> Answered:
    """Return a study that is a draft. Raises NotDone for any other; the platform asks again when it changes it."""
    answered = platform.ask("get_study", slug=slug)
    status = answered.content["status"]
    if status != "draft":
        raise NotDone(
            f"The study “{slug}” is {status}, and only drafts can be changed or simulated here. Nothing was changed. "
            "copy_to_draft makes a draft of it."
        )
    return answered


def _changed(
    platform: Platform,
    given: Arguments,
    read: str,
    change: str,
    body: Any,
    query: Mapping[str, str] | None = None,
    **path: str,
) -> Any:
    slug = given["study"]
    _draft(platform, slug)
    etag = platform.ask(read, query=query, slug=slug, **path).etag
    return platform.ask(change, body=body, query=query, etag=etag, slug=slug, **path).content


def _of_task(given: Arguments) -> dict[str, str]:
    return {"part": given["part"]} if given.get("part") else {}


def _how(given: Arguments) -> dict[str, str]:
    return {**_of_task(given), **({"incomplete": "true"} if given.get("incomplete") else {})}


def _made(platform: Platform, study: Mapping[str, Any]) -> str:
    ready = platform.ask("get_readiness", slug=study["slug"]).content
    address = f"{platform.base_url}/admin/studies/{study['slug']}/"
    lines = [f"The draft “{study['slug']}” was made: {address}. People open it there."]
    for heading, name in (("Missing before it opens", "faults"), ("Remarks", "warnings")):
        if ready[name]:
            lines += ["", f"{heading}:", *map(fault_line, ready[name])]
    return "\n".join(lines)


_TABLE: Mapping[str, Any] = {"type": "string", "maxLength": MOST_TEXT, "description": "The table as CSV."}
_INCOMPLETE: Mapping[str, Any] = {"type": "boolean", "description": "Texts are missing on purpose."}
_BOXES: Mapping[str, Any] = {"type": "array", "description": "Statements of the consent, as texts."}
_OBJECT: Mapping[str, Any] = {"type": "object", "description": "Keys to change; what is left out stays."}
TOOLS = (
    Tool(
        "validate_study", "Check a study file",
        "Say everything that is wrong with a study file and its tables, each fault with its line. Nothing is stored.",
        validate_study, {"study_toml": TOML, "tables": TABLES, "slug": STUDY, "cursor": CURSOR}, ("study_toml",),
        operations=("validate_study",),
    ),
    Tool(
        "create_draft", "Make a draft",
        "Store a study file with its tables as a draft. Check it with validate_study first. People open it later.",
        create_draft, {"study_toml": TOML, "tables": TABLES, "slug": STUDY, "accept": ACCEPT}, ("study_toml",),
        operations=("create_study", "get_readiness"), changes=True,
    ),
    Tool(
        "copy_to_draft", "Copy a study as a draft",
        "Make a draft of a study in any state, without its participants.",
        copy_to_draft, {"study": STUDY, "new_slug": STUDY}, ("study", "new_slug"),
        operations=("copy_study", "get_readiness"), changes=True,
    ),
    Tool(
        "check_materials", "Check a table",
        "Say what a table of materials makes in a draft: items, conditions, lists, remarks. Nothing is stored.",
        check_materials, {"study": STUDY, "table": _TABLE, "part": PART, "incomplete": _INCOMPLETE, "cursor": CURSOR},
        ("study", "table"), operations=("get_study", "check_materials"),
    ),
    Tool(
        "replace_materials", "Replace the table of a draft",
        "Store a table of materials in a draft in place of the one before.",
        replace_materials,
        {"study": STUDY, "table": _TABLE, "part": PART, "incomplete": _INCOMPLETE, "accept": ACCEPT},
        ("study", "table"), operations=("get_study", "get_materials", "put_materials"), changes=True,
    ),
    Tool(
        "change_draft", "Change fields of a draft",
        f"Change what a draft is called and who answers for it: {', '.join(FIELDS)}.",
        change_draft, {"study": STUDY, "fields": _OBJECT}, ("study", "fields"),
        operations=("get_study", "change_study"), changes=True,
    ),
    Tool(
        "change_settings", "Change settings of a draft",
        "Change settings and procedure of a task of a draft. read_schema describes both.",
        change_settings, {"study": STUDY, "part": PART, "settings": _OBJECT, "procedure": _OBJECT}, ("study",),
        operations=("get_study", "get_settings", "change_settings"), changes=True,
    ),
    Tool(
        "replace_text", "Replace a text of a draft",
        "Replace what participants read: welcome, consent, instructions or debriefing.",
        replace_text,
        {
            "study": STUDY,
            "kind": {
                "type": "string",
                "enum": ["welcome", "consent", "instructions", "debriefing"],
                "description": "Which text.",
            },
            "body": {"type": "string", "maxLength": 100_000, "description": "The text."},
            "markup": {"type": "string", "enum": ["plain", "markdown"], "description": "How it is marked up."},
            "required_boxes": _BOXES,
            "optional_boxes": _BOXES,
            "part": PART,
        },
        ("study", "kind", "body"), operations=("get_study", "get_text", "put_text"), changes=True,
    ),
    Tool(
        "replace_plan", "Replace the plan of a draft",
        "Hypotheses, exclusion rules and analyses, as [plan] of a study file has them.",
        replace_plan, {"study": STUDY, "plan": {"type": "object", "description": "The plan."}}, ("study", "plan"),
        operations=("get_study", "get_plan", "put_plan"), changes=True,
    ),
    Tool(
        "replace_criteria", "Replace the quotas by criterion of a draft",
        "Quotas by criterion, as [[criteria]] of a study file has them.",
        replace_criteria, {"study": STUDY, "criteria": {"type": "array", "description": "The criteria."}},
        ("study", "criteria"), operations=("get_study", "get_criteria", "put_criteria"), changes=True,
    ),
    Tool(
        "simulate_draft", "Simulate participants in a draft",
        "Let simulated participants go through a draft: design of every part, flow, and means of the measures in every "
        "condition. Nothing is stored. Their effects are made up: they show that the study works, never a finding.",
        simulate_draft,
        {
            "study": STUDY,
            "participants": {"type": "integer", "minimum": 1, "maximum": 20, "description": "How many; 4 if left out."},
            "seed": {"type": "integer", "minimum": 0, "maximum": 2147483647, "description": "Of the answers; 1."},
            "cursor": CURSOR,
        },
        ("study",), operations=("get_study", "preview_simulation"),
    ),
)  # fmt: skip

"""Texts of earlier answers in later pages, questions and instructions: `{answer:name|what stands there without one}`.

An answer is put into blocks and labels, never into markup, so that nothing in it is interpreted; it is isolated in its
direction. Only answers that are stored when a part is planned can be named; a part that names a later one is planned
when that is there (`experiments.procedure.stages`). A placeholder is never shown as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.formats.faults import Fault, did_you_mean, listed
from experiments.models import Part
from experiments.paradigms.base import TrialPlan
from experiments.paradigms.pieces.shared_pages import BACKGROUND_QUESTIONS, BREAK, BREAK_FEEDBACK, PAGES
from experiments.questionnaire.conditions import named
from experiments.questionnaire.kinds import Answers
from experiments.questionnaire.scores import all_values
from experiments.questionnaire.variables import Variable, answer_variables
from experiments.rules.criteria import Questionnaire
from experiments.sentences import Sentence

BEGIN = "{answer:"
_PIPED = re.compile(r"\{answer:\s*([^\s{}|]*)\s*(?:\|([^{}]*))?\}")
# First strong isolate, and what ends it: the answer has the direction of its own first letter.
_ISOLATED = "\u2068{}\u2069"
# What of a trial is read by people; names, choices and addresses are not.
_READ = frozenset({"title", "text", "label", "help", "items", "labels", "pages", "questions", "spans", "item_spans"})
_PLUGINS = frozenset({PAGES, BACKGROUND_QUESTIONS, BREAK, BREAK_FEEDBACK})

Texts = Mapping[str, str]


def pipes(*texts: Any) -> bool:
    """Return whether one of these texts, or a text within them, names an earlier answer."""
    return any(BEGIN in (text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)) for text in texts)


def part_pipes(part: Part) -> bool:
    """Return whether a page or a questionnaire names an earlier answer."""
    return pipes(part.title, part.body, part.questions)


def named_answers(part: Part) -> set[str]:
    """Return the names of the answers that a page or a questionnaire names."""
    if not part_pipes(part):
        return set()
    return {name for raw in _strings([part.title, part.body, part.questions]) for name, _ in _found(raw) if name}


def texts_of_answers(questionnaires: Sequence[Questionnaire], answers: Mapping[str, Answers]) -> dict[str, str]:
    """Return the answers as texts, by the names of their questions; those that were not given are left out.

    >>> asked = [{"name": "pet", "label": "?", "kind": "text"}, {"name": "age", "label": "?", "kind": "number"}]
    >>> texts_of_answers([Questionnaire("start", asked)], {"start": {"pet": " an  otter ", "age": 31.0}})
    {'pet': 'an otter', 'age': '31'}
    """
    found = {}
    for each in questionnaires:
        values = all_values(each.questions, answers.get(each.name, {}))
        # A choice is stored as the main language names it, and shown as its people read it.
        said = {question["name"]: question["said"] for question in each.questions if "said" in question}
        for variable in _nameable(each):
            if text := _text_of(values.get(variable.name), said.get(variable.name, {})):
                found[variable.name] = text
    return found


def _nameable(questionnaire: Questionnaire) -> list[Variable]:
    return [one for one in answer_variables(questionnaire.questions) if one.type != "truth"]


def _text_of(value: Any, said: Mapping[str, str]) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, (int, float)):
        return f"{value:.15g}"
    words = [" ".join(str(one).split()) for one in (said.get(str(one), one) for one in named(value)) if one]
    return ", ".join(word for word in words if word)


def with_answers(plans: Sequence[TrialPlan], answers: Callable[[], Texts] | None) -> list[TrialPlan]:
    """Return trials with earlier answers in their texts; `answers` is asked only where one is named.

    Without `answers`, as in a preview, the name of the question is there in place of its answer.
    """
    found: list[TrialPlan] = []
    for plan in plans:
        if plan.plugin in _PLUGINS and pipes(plan.params):
            texts = answers() if answers else None
            plan = replace(plan, params=_filled(dict(plan.params), texts))
        found.append(plan)
    return found


def _filled(value: Any, texts: Texts | None) -> Any:
    if isinstance(value, str):
        return filled_text(value, texts)
    if isinstance(value, Mapping):
        return {key: _filled(inner, texts) if key in _READ else inner for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_filled(inner, texts) for inner in value]
    return value


def filled_text(text: str, texts: Texts | None) -> str:
    """Return a text with answers in place of their placeholders.

    >>> filled_text("You have {answer:pet|no animal}.", {"pet": "an otter"}) == "You have \\u2068an otter\\u2069."
    True
    >>> filled_text("You have {answer:pet|no animal}.", {}), filled_text("You have {answer:pet}.", None)
    ('You have no animal.', 'You have ‹pet›.')
    """

    def put(match: re.Match[str]) -> str:
        name, otherwise = match[1], (match[2] or "").strip()
        if texts is None:
            return f"‹{name}›"
        return _ISOLATED.format(texts[name]) if name in texts else otherwise

    return _PIPED.sub(put, text)


def piping_faults(
    place: str,
    texts: Any,
    questionnaires: Sequence[Questionnaire],
    later: Sequence[str] = (),
    *,
    of_some: Collection[str] = (),
    step: str = "parts",
) -> list[Fault]:
    """Return what is wrong with the placeholders of one part, of which `place` is what it is called.

    `later`: what is asked only when these texts are made already. `of_some`: questionnaires that some people do not
    have.
    """
    known = {one.name: one for each in questionnaires for one in _nameable(each)}
    may_lack = {one.name for each in questionnaires if each.name in of_some for one in _nameable(each)}
    faults = []
    for raw in dict.fromkeys(_strings(texts)):
        for name, otherwise in dict.fromkeys(_found(raw)):
            shown = f"{BEGIN}{name}}}"
            if name is None:
                message = Sentence("a placeholder for an answer is not complete or contains markup.")
                hint: str = Sentence("Write it as {form}.", form="{answer:name|otherwise}")
            elif name not in known and name in later:
                message = Sentence("{shown} names an answer that does not exist yet at this point.", shown=shown)
                hint = Sentence(
                    "Ask for it in a questionnaire before the part that names it. For instructions, ask before "
                    "the first task."
                )
            elif name not in known:
                message = Sentence("{shown} does not name a question with a text, a choice or a number.", shown=shown)
                hint = did_you_mean(name, list(known)) or (
                    Sentence("Possible questions: {names}.", names=listed(list(known))) if known else ""
                )
            elif otherwise is None and (known[name].may_be_empty or name in may_lack):
                message = Sentence("'{name}' may have no answer.", name=name)
                hint = Sentence("Write what should be shown then: {form}.", form=f"{{answer:{name}|…}}")
            else:
                continue
            said = Sentence("{place}: {message}", place=place, message=message)
            faults.append(Fault(message=said, suggestion=hint, step=step))
    return faults


def _found(raw: str) -> Iterator[tuple[str | None, str | None]]:
    """Yield name and fallback of every placeholder; None as the name of one that cannot be read."""
    matches = list(_PIPED.finditer(raw))
    if raw.count(BEGIN) > len(matches):
        yield None, None
    for match in matches:
        yield match[1], match[2]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key in _READ:
                yield from _strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _strings(inner)

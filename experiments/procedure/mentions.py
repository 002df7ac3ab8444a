"""What edited texts do not mention: sentences that parts and sources declared after somebody edited the text.

A text that nobody has edited is composed of all of them. An edited one keeps, in `StudyText.mentions`, the keys of
those that it is known to mention: what there was when it was edited, what was inserted, and what somebody confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from re import Pattern

from experiments.models import Study, StudyText
from experiments.procedure.default_texts import WHOLE, Declared, declared_in, minutes_pattern, space_between_sentences
from experiments.procedure.facts_for_texts import StudyFacts, facts_of_study
from experiments.procedure.texts import current_text

# The texts about the whole study, in the order in which people read them.
OF_THE_STUDY = (StudyText.Kind.WELCOME, StudyText.Kind.CONSENT, StudyText.Kind.DEBRIEFING)
EVERYTHING = "*"


@dataclass(frozen=True)
class Lacking:
    """An edited text, the sentences that it does not mention, and the names of parts that there are no longer."""

    text: StudyText
    sentences: Sequence[Declared]
    gone: Sequence[str]

    @property
    def kind(self) -> str:
        """The kind of the text."""
        return self.text.kind


def declared_for(study: Study, kind: str, facts: Callable[[], StudyFacts] | None = None) -> list[Declared]:
    """Return what the parts and sources of a study declare for one of its texts, in order."""
    if kind not in OF_THE_STUDY:
        return []
    return declared_in(kind, facts() if facts else facts_of_study(study.seen_through("")), study.language)


def lacking_texts(study: Study, kinds: Iterable[str] = OF_THE_STUDY) -> list[Lacking]:
    """Return the edited texts of a draft that miss something or speak of parts that are gone."""
    if study.is_frozen:
        return []
    facts = cache(partial(facts_of_study, study.seen_through("")))
    found = []
    for kind in kinds:
        if kind not in OF_THE_STUDY:
            continue
        text = study.texts.filter(kind=kind, language=study.read_in).order_by("-version").first()
        if text is None or text.is_default or not text.body.strip():
            continue
        declared = declared_for(study, kind, facts)
        lacking = Lacking(text, unmentioned(text, declared), gone_parts(text, study))
        if lacking.sentences or lacking.gone:
            found.append(lacking)
    return found


def unmentioned(text: StudyText, declared: Sequence[Declared]) -> list[Declared]:
    """Return the sentences that an edited text is not known to mention and does not contain as they stand."""
    known = set(text.mentions)
    return [
        one
        for one in declared
        if not {one.key, f"{one.part}:{EVERYTHING}" if one.part else f"{WHOLE}{EVERYTHING}"} & known
        and one.sentence not in text.body
    ]


def gone_parts(text: StudyText, study: Study) -> list[str]:
    """Return the names of parts that an edited text mentions and the study has no longer."""
    there = {part.name for part in study.ordered_parts}
    mentioned = (str(key).rpartition(":")[0] for key in text.mentions)
    return [name for name in dict.fromkeys(mentioned) if name and name not in there]


def known_keys(study: Study, kind: str) -> list[str]:
    """Return the keys of all that a study declares for a text now."""
    return [one.key for one in declared_for(study, kind)]


def all_mentioned(study: Study, text: StudyText) -> list[str]:
    """Return the keys of a text that somebody confirmed: of what there was and is, without parts that are gone."""
    gone = set(gone_parts(text, study))
    kept = [key for key in text.mentions if key.rpartition(":")[0] not in gone]
    return list(dict.fromkeys([*kept, *known_keys(study, text.kind)]))


def with_sentences(study: Study, kind: str) -> str:
    """Return the body of an edited text with the sentences that it lacks, each beside its neighbours where they stand.

    Raises LookupError for a text that lacks nothing.
    """
    text = current_text(study, kind)
    declared = declared_for(study, kind)
    wanted = unmentioned(text, declared) if text else []
    if text is None or not wanted:
        raise LookupError(kind)
    return inserted(
        text.body,
        declared,
        wanted,
        space=space_between_sentences(study.language),
        minutes=minutes_pattern(study.language),
    )


def inserted(
    body: str,
    declared: Sequence[Declared],
    wanted: Sequence[Declared],
    *,
    space: str = " ",
    minutes: Pattern[str] | None = None,
) -> str:
    """Return a text with wanted sentences in it.

    A sentence comes after the nearest earlier one of its place that the text has, otherwise before the nearest later
    one, otherwise at the end; as a point of a list where its neighbour is one. `minutes` finds how long a part takes,
    which stays with its sentence.

    >>> a, b = Declared("a:doing.x", "You read."), Declared("b:doing.y", "You write.")
    >>> inserted("# Doing\\n\\nYou read. It is fun.", [a, b], [b])
    '# Doing\\n\\nYou read. You write. It is fun.'
    >>> inserted("- You write.", [a, b], [a])
    '- You read.\\n- You write.'
    >>> inserted("It is fun.", [a, b], [a, b])
    'It is fun.\\n\\nYou read. You write.'
    """
    for one in wanted:
        if one.sentence in body:
            continue
        own = [each for each in declared if each.place == one.place]
        here = own.index(one)
        before = next((each for each in reversed(own[:here]) if each.sentence in body), None)
        after = next((each for each in own[here + 1 :] if each.sentence in body), None)
        if before:
            at = body.index(before.sentence) + len(before.sentence)
            if minutes and (told := minutes.match(body, at)):
                at = told.end()
            body = body[:at] + _gap(body, at, one, space) + one.sentence + body[at:]
        elif after:
            at = body.index(after.sentence)
            body = body[:at] + one.sentence + _gap(body, at, one, space) + body[at:]
        else:
            body = f"{body}\n\n{'- ' if one.is_point else ''}{one.sentence}"
    return body


def _gap(body: str, at: int, one: Declared, space: str) -> str:
    """Return what stands between two declared sentences at this place: a new point, a new paragraph or a space."""
    line = body[body.rfind("\n", 0, at) + 1 : at]
    if line.startswith("- ") or (not line and one.is_point):
        return "\n- "
    return "\n\n" if one.place == "about" else space

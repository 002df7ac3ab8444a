"""Labels of factors and levels for pages, figures and papers.

A stored report, its CSV files and formulas keep the words of the materials; labels are put in where something is
shown (`labelled`), and there alone. A cell of a table is a name or it is not. In sentences a word is taken for a name
only at the places where methods write one (after `effect of`, before `(M = `, in a list of levels in brackets …): a
level called `because` or `no` leaves every other word of the sentence alone. What cannot be told apart stays as it is.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from analysis.methods.report import Report
from analysis.reports.fixed_words import AFTER, BEFORE, IN_BRACKETS, LOOSE, NEVER, SMALL_WORDS
from experiments.labels import LABELS, without_article

# Between the levels of a condition, and between the factors of an interaction.
OF_CONDITIONS = " · "
OF_EFFECTS = " × "
# The words that methods write in a difference of levels, such as `b − mean of a, c`.
_IN_FORMULAS = frozenset(("all", "and", "by", "divided", "levels", "mean", "minus", "of"))
_DIFFERENCES = ("− ", " −")
NUMBER = re.compile(r"[-−+]?\d+([.,]\d+)?")
# Where a word begins and ends: not inside a longer one, in quotes, or in an interaction.
_START = r"(?<![\w'’:-])"
_END = r"(?![\w'’-]|:\w)"
_COUNTED = "Groups: "
# Names that are no English words: others, such as `rating`, say what they are.
COLUMNS = {name: without_article(label) for name, label in LABELS.items() if "_" in name}


@dataclass(frozen=True)
class Labels:
    """Factors with the names of their levels as they are shown, those without a label included.

    `names` has what every factor is called, and `columns` what the platform's own columns are.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, factors: Mapping[str, Sequence[str]], labels: Mapping[str, Any]) -> Labels:
        """Return the names of `factors` (name → levels) with labels as a study stores them.

        What would be called the same as another keeps the word of the materials, which may have been replaced since.
        """
        said = {factor: labels.get(factor, {}) for factor in factors}
        return cls(
            _told_apart({factor: said[factor].get("label", factor) for factor in factors}),
            {
                factor: _told_apart({level: said[factor].get("levels", {}).get(level, level) for level in levels})
                for factor, levels in factors.items()
            },
        )

    def with_columns(self, columns: Mapping[str, str]) -> Labels:
        """Return the same names, and those of the platform's own columns, which papers say in words of their own."""
        return Labels(self.names, self.levels, columns)

    def __bool__(self) -> bool:
        """Whether anything is called otherwise than in the materials."""
        return any(name != shown for of in (self.names, *self.levels.values()) for name, shown in of.items())

    def within(self, report: Report) -> Labels:
        """Return those of the factors that a report is about: all where it names none."""
        columns = {column.name for table in report.tables for column in table.columns}
        asked = str(dict(report.params))
        used = [
            factor
            for factor in self.names
            if factor in columns or re.search(rf"(?<!\w){re.escape(factor)}(?!\w)", asked)
        ]
        if not used:
            return self
        levels = {name: self.levels[name] for name in used}
        return Labels({name: self.names[name] for name in used}, levels, self.columns)

    # Names by themselves

    def name(self, text: str) -> str | None:
        """Return what a factor, level, condition, effect or coefficient is called; None where the text is none."""
        if text not in self._called:
            self._called[text] = self._name(text)
        return self._called[text]

    @cached_property
    def _called(self) -> dict[str, str | None]:
        return {}

    def _name(self, text: str) -> str | None:
        if text in self.names:
            return self.names[text]
        if (level := self.level(text)) is not None:
            return level
        if (coefficient := self._coefficient(text)) is not None:
            return coefficient
        if ":" in text:
            return self._compound(text)
        return self._compound(text.replace(" ", ":")) if " " in text else None

    def level(self, text: str, factors: Sequence[str] | None = None) -> str | None:
        """Return the one thing that a level is called in these factors; None where it is no level or called otherwise
        in another of them.
        """
        known = self.levels if factors is None else factors
        shown = {self.levels[factor][text] for factor in known if text in self.levels[factor]}
        return shown.pop() if len(shown) == 1 else None

    @cached_property
    def _coefficients(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for factor, levels in self.levels.items():
            for level, shown in levels.items():
                is_called = self.names[factor] != factor or shown != level
                found[f"{factor}{level}"] = f"{self.names[factor]}: {shown}" if is_called else f"{factor}{level}"
        return found

    def _coefficient(self, text: str) -> str | None:
        """Return the name of a coefficient such as `orderba` (treatment) or `order1` (a numbered contrast)."""
        if text in self._coefficients:
            return self._coefficients[text]
        for factor, shown in self.names.items():
            number = text.removeprefix(factor)
            if number != text and re.fullmatch(r"\d{1,2}", number):
                return f"{shown} {number}"
        return None

    def _compound(self, text: str) -> str | None:
        parts = text.split(":")
        terms = [self.names.get(part) or self._coefficient(part) for part in parts]
        if all(term is not None for term in terms):
            return OF_EFFECTS.join(term for term in terms if term is not None)
        # Each part is a level of another factor; which one does not matter where all ways say the same.
        if len(parts) > len(self.levels) or len(parts) > 6:
            return None
        ways = {
            tuple(self.levels[factor][part] for factor, part in zip(chosen, parts, strict=True))
            for chosen in itertools.permutations(self.levels, len(parts))
            if all(part in self.levels[factor] for factor, part in zip(chosen, parts, strict=True))
        }
        if len(ways) != 1:
            return None
        (way,) = ways
        return None if list(way) == parts else OF_CONDITIONS.join(way)

    # Names in sentences

    @cached_property
    def _known(self) -> list[str]:
        """Return every word that may be a name, digits and what is counted in sentences apart."""
        known = {*self.names, *(level for levels in self.levels.values() for level in levels)}
        return [name for name in known if not NUMBER.fullmatch(name) and name.casefold() not in NEVER]

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        """Return the places in sentences where names stand, the surest ones first."""
        if not self._known:
            return ()
        levels = _alternatives({level for levels in self.levels.values() for level in levels} & {*self._known})
        single = _alternatives([*self._known, *(level for levels in self.levels.values() for level in levels)])
        terms = _alternatives(self._terms)
        # A condition, or an interaction; a mean or a count behind it, or a test, as no other word has; coefficients.
        patterns = [
            rf"{_START}(?:{single}|{terms})(?::(?:{single}|{terms}))+{_END}",
            rf"{_START}(?:{levels})(?: (?:{levels}))+(?= \()",
            rf"{_START}(?:{_alternatives(self._known)})(?= \((?:(?:M|Mdn|n) = |\.\d)| M = )",
            rf"(?:^|(?<=of )|(?<=and )|(?<=, )){_alternatives_in_list(self._known)}(?=: (?:minF′|F\d?\(|χ²|[tzbq]\b))",
            rf"{_START}(?:{terms})(?= \(| without | by |:|$)",
        ]
        places = [
            *((before, rf"(?<={re.escape(before)})", "", fixed) for before, fixed in BEFORE.items()),
            *((after, _START, rf"(?={re.escape(after)})", fixed) for after, fixed in AFTER.items()),
            ("()", r"(?<=\()", r"(?=\))", IN_BRACKETS),
        ]
        for place, before, after, fixed in places:
            taken = fixed | SMALL_WORDS if place in LOOSE else fixed
            if place in _DIFFERENCES:
                taken |= self._beside_fixed
            if free := [name for name in self._known if name.casefold() not in taken]:
                patterns.append(f"{before}{_alternatives_in_list(free)}{after}")
        return tuple(re.compile(pattern) for pattern in patterns)

    @cached_property
    def _terms(self) -> list[str]:
        """Return the coefficients that sentences may have."""
        of = [factor for factor in self.names if factor.casefold() not in NEVER]
        called = [f"{factor}{level}" for factor in of for level in self.levels.get(factor, {})]
        return [*called, *(f"{factor}{n}" for factor in of for n in range(1, 10))]

    @cached_property
    def _beside_fixed(self) -> frozenset[str]:
        """Return the levels of factors with one that is a fixed word in differences: both sides get names or none."""
        fixed = BEFORE["− "] | AFTER[" −"]
        folded = ({level.casefold() for level in levels} for levels in self.levels.values())
        return frozenset(level for levels in folded if levels & fixed for level in levels)

    def formula(self, text: str) -> str:
        """Return a difference such as `b − mean of a, c` with the names as they are shown; a sentence as `text` does.

        It has names and the words of differences alone, so that no name is taken for a word of a sentence.
        """
        spans = self._in_formula(text)
        return self.text(text) if spans is None else _put(text, spans)

    def _in_formula(self, text: str) -> list[tuple[int, int, str]] | None:
        """Return the places of names in a difference of names; None where the text is anything else."""
        if not re.search(r"[−×]| minus ", text):
            return None
        spans: list[tuple[int, int, str]] = []
        rest = text
        for start, word in reversed(self._words(text)):
            if word.casefold() in _IN_FORMULAS or NUMBER.fullmatch(word):
                continue
            rest = rest[:start] + rest[start + len(word) :]
            if (shown := self.name(word)) is not None:
                spans.append((start, start + len(word), shown))
        words = re.findall(r"[^\s\d.,/()−×+*-]+", rest)
        return spans if all(word in _IN_FORMULAS for word in words) else None

    def _in_brackets(self, sentence: str) -> list[tuple[int, int, str]]:
        """Return the places of names in the differences that stand in brackets behind coefficients."""
        spans: list[tuple[int, int, str]] = []
        if not (terms := _alternatives(self._terms)):
            return spans
        for match in re.finditer(rf"(?<![\w'’-])(?:{terms}) \(", sentence):
            depth, end = 1, match.end()
            while end < len(sentence) and depth:
                depth += {"(": 1, ")": -1}.get(sentence[end], 0)
                end += 1
            for start, stop, shown in self._in_formula(sentence[match.end() : end - 1]) or ():
                _add(spans, match.end() + start, match.end() + stop, shown)
        return spans

    def text(self, sentence: str) -> str:
        """Return a sentence, a title or a caption with the names as they are shown."""
        if sentence not in self._texts:
            self._texts[sentence] = self._in_print(sentence)
        return self._texts[sentence]

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {}

    def _in_print(self, sentence: str) -> str:
        spans = self._with_levels(sentence)
        for start, end, label in self._in_brackets(sentence):
            _add(spans, start, end, label)
        for pattern in self._patterns:
            for match in pattern.finditer(sentence):
                for start, word in self._words(match.group()):
                    shown = self.name(word)
                    if shown is not None:
                        at = match.start() + start
                        _add(spans, at, at + len(word), shown)
        return _put(sentence, spans)

    @cached_property
    def _tokens(self) -> re.Pattern[str]:
        terms = [*self._coefficients, *(f"{name}{n}" for name in self.names for n in range(1, 10))]
        one = _alternatives([*self.names, *(level for levels in self.levels.values() for level in levels), *terms])
        return re.compile(rf"{_START}(?:{one})(?:[: ](?:{one}))*{_END}")

    def _words(self, text: str) -> list[tuple[int, str]]:
        return [(match.start(), match.group()) for match in self._tokens.finditer(text)]

    def _with_levels(self, sentence: str) -> list[tuple[int, int, str]]:
        """Return what stands in `order (ab, ba)` and `at order ab`: a factor before its levels, and these; and the
        levels in a list of how large groups are.
        """
        found: list[tuple[int, int, str]] = []
        for factor, levels in self.levels.items():
            alternatives = _alternatives(levels)
            if not alternatives or factor.casefold() in NEVER:
                continue
            level = rf"(?:{alternatives})(?: [-−]?\d+(?:/\d+)?)?"
            listing = re.compile(rf"{_START}{re.escape(factor)}(?= \(({level}(?:, {level})*)\))")
            for match in listing.finditer(sentence):
                found.append((match.start(), match.end(), self.names[factor]))
                inside = match.end() + 2
                for one in re.finditer(rf"(?:(?<=^)|(?<=, ))({alternatives})(?=,| |$)", match.group(1)):
                    found.append((inside + one.start(), inside + one.end(), levels[one.group(1)]))
            for match in re.finditer(rf"(?:(?<=at )|(?<=, ))({re.escape(factor)}) ({alternatives}){_END}", sentence):
                found.append((match.start(1), match.end(1), self.names[factor]))
                found.append((match.start(2), match.end(2), levels[match.group(2)]))
            if sentence.startswith(_COUNTED):
                counted = rf"(?:(?<={_COUNTED})|(?<=, )|(?<=and ))({alternatives})(?= [\d,]+(?: and|,|\.|$))"
                found += [(m.start(), m.end(), levels[m.group()]) for m in re.finditer(counted, sentence)]
        return found


def _told_apart(shown: Mapping[str, str]) -> dict[str, str]:
    """Return what names are called, each that would be called as another one by itself."""
    told = dict(shown)
    while True:
        folded = [label.casefold() for label in told.values()]
        alike = [name for name, label in told.items() if label != name and folded.count(label.casefold()) > 1]
        if not alike:
            return told
        told.update((name, name) for name in alike)


def _put(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    for start, end, shown in sorted(spans, reverse=True):
        text = text[:start] + shown + text[end:]
    return text


def _alternatives(names: Any) -> str:
    return "|".join(re.escape(name) for name in sorted(map(str, names), key=lambda name: (-len(name), name)) if name)


def _alternatives_in_list(names: Sequence[str]) -> str:
    one = f"(?:{_alternatives(names)}){_END}"
    return f"{one}(?:, {one})*(?: and {one})?"


def _add(spans: list[tuple[int, int, str]], start: int, end: int, shown: str) -> None:
    """Add a place unless one that was found before covers some of it."""
    if all(end <= first or start >= last for first, last, _shown in spans):
        spans.append((start, end, shown))

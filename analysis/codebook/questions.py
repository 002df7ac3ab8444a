"""What an analysis is called on pages: the question that it answers, in the language of the page.

Every method declares its question beside its `METHOD`, as templates of sentences. Their fields are filled from the
parameters of an analysis with the labels of columns (`experiments.labels`) and the names for print of the study. A
condition on rows comes before the question, in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from analysis.methods.parameters import as_names, as_written
from analysis.methods.report import BadInput
from experiments.labels import LABELS, TIME_OF_READING, in_words, split_number, without_article

if TYPE_CHECKING:  # pandas comes with both, and commands that only list things do without
    from analysis.methods.declarations import Method
    from analysis.methods.rows.selection import Comparison

MEASURES = ("dv", "measure", "measures", "outcome", "success", "answer", "response", "codes", "code")
FACTORS = ("within", "between", "group", "by", "condition", "factor")
MOST_NAMES = 4
_NAME = re.compile(r"`([^`]+)`|([^\W\d]\w*)")
_RANDOM = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\|[^()]*(?:\([^()]*\)[^()]*)*\)")
_FUNCTION = re.compile(r"(\w+)\((.+)\)")


@dataclass(frozen=True)
class Words:
    """What names are called: factors by `factors`, their levels by `levels`; everything else the codebook says.

    With `is_read`, times are those of texts that are read part by part; with `is_own`, columns are those of somebody's
    own table, which keep their names.
    """

    factors: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_read: bool = False
    is_own: bool = False

    def subject(self, name: str) -> str:
        """Return what a column, or a function of one, is called as the subject of a sentence.

        >>> Words().subject("log(rt_ms)"), Words().subject("non_redundancy")
        ('the reaction time (log)', 'non redundancy')
        """
        if found := _FUNCTION.fullmatch(name.strip()):
            function, inside = found.groups()
            said = {"log": _("log"), "z": _("z-score"), "z2": _("z-score within items")}.get(function, function)
            return f"{self.subject(inside)} ({said})"
        name = name.strip().strip("`")
        if name in self.factors:
            shown = self.factors[name]
            return shown if shown != name else in_words(name)
        if self.is_own:
            return name
        first, number = split_number(name)
        if first not in LABELS:
            return in_words(name)
        is_reading_time = self.is_read and first == "rt_ms"
        label = _(TIME_OF_READING if is_reading_time else LABELS[first])
        return f"{without_article(label) if first == 'code' else label} {number}".strip()

    def name(self, name: str) -> str:
        """Return what a column is called in a list.

        >>> Words().name("rating_z")
        'rating (z-score)'
        """
        return without_article(self.subject(name))

    def level(self, factor: str, level: str) -> str:
        """Return what a level is called."""
        return self.levels.get(factor, {}).get(level, level)

    def names(self, names: Sequence[str]) -> str:
        """Return several names as a list in a sentence."""
        return joined([self.name(name) for name in names])

    def rows(self, where: str) -> str:
        """Return a condition on rows in words; empty where all rows are meant.

        >>> Words().rows("from_critical = 0 and correct = true")
        'Critical region, right answers'
        >>> Words().rows("words>=14 and role=final")
        'Number of words at least 14'
        """
        from analysis.methods.rows.selection import parse  # pandas comes with it

        said: list[str] = []
        try:
            conditions = parse(where) if where.strip() else ()
        except BadInput:
            return _("Selected rows")
        for condition in conditions:
            words = self._condition(condition)
            said += [words] if words and words not in said else []
        text = ", ".join(said)
        return text[:1].upper() + text[1:]

    def _condition(self, condition: Comparison) -> str:
        name, sign, value = condition.column, condition.operator, condition.value
        known = {
            ("role", "=", "final"): "",
            ("role", "=", "coder"): "",
            ("correct", "=", "true"): _("right answers"),
            ("from_critical", "=", "0"): _("critical region"),
            ("from_critical", "=", "1"): _("region after the critical one"),
            ("errors_before", "=", "0"): _("no error before"),
            ("first_key_ms", ">", "0"): _("begun after the onset"),
        }
        if (name, sign, value) in known:
            return known[name, sign, value]
        if name == "from_critical" and sign in (">=", "<="):
            return _("around the critical region")
        signs = {
            "=": _("%(what)s %(value)s"),
            "!=": _("without %(what)s %(value)s"),
            ">=": _("%(what)s at least %(value)s"),
            "<=": _("%(what)s at most %(value)s"),
            ">": _("%(what)s above %(value)s"),
            "<": _("%(what)s below %(value)s"),
        }
        return signs[sign] % {"what": self.name(name), "value": in_words(self.level(name, value))}


def name_of_column(name: str) -> str:
    """Return what a column of the platform is called in a list; another one's name as words.

    >>> name_of_column("rt_ms"), name_of_column("first_choice")
    ('reaction time', 'first choice')
    """
    return Words().name(name)


def question(method: Method, params: Mapping[str, Any], words: Words, *, with_rows: bool = True) -> str:
    """Return what an analysis is called: the question that its method answers with these parameters.

    >>> from analysis.methods.registry import method_named
    >>> anova = {"dv": "rating_z", "within": "connective,order", "unit": "participant"}
    >>> question(method_named("rm-anova"), anova, Words())
    'Does the rating (z-score) differ by connective and order? By participants (F1)'
    >>> question(method_named("lmm"), {"formula": "log(rt_ms) ~ a*b + (1 | item)", "where": "correct = true"}, Words())
    'Right answers: Does the reaction time (log) depend on a and b? Linear mixed model'
    """
    fields = fields_of(params, words)
    templates = method.question or (method.label,)
    fits = (one for one in templates if all(fields.get(name) for name in _fields(one)))
    chosen = next(fits, templates[-1])
    said = _(chosen).format_map(fields)
    rows = words.rows(str(params.get("where") or "")) if with_rows else ""
    return f"{rows}: {said}" if rows else said


def general_question(method: Method) -> str:
    """Return the question of a method without any data: the last of its templates.

    >>> from analysis.methods.registry import method_named
    >>> general_question(method_named("agreement"))
    'Do the coders agree?'
    """
    return _(method.question[-1]) if method.question else _(method.label)


def fields_of(params: Mapping[str, Any], words: Words) -> dict[str, str]:
    """Return the fields of questions that parameters fill; those that they do not fill are missing."""
    fields: dict[str, str] = {}
    measures = [name for key in MEASURES if params.get(key) for name in _listed(params[key])]
    factors = [name for key in FACTORS if params.get(key) for name in _listed(params[key])]
    if formula := as_written(params.get("formula") or ""):
        left, _tilde, right = str(formula).partition("~")
        measures = [left.strip()]
        factors = [*fixed_names(right), *factors]
    if measures:
        first, others = measures[:MOST_NAMES], measures[MOST_NAMES:]
        fields["measure"] = joined([words.subject(name) for name in first] + ([_("others")] if others else []))
    if factors := list(dict.fromkeys(factors)):
        fields["factors"] = words.names(factors)
    unit = str(params.get("unit") or "participant")
    units = {"participant": _("participants (F1)"), "item": _("items (F2)")}
    fields["units"] = units[unit] if unit in units else words.names(_listed(unit))
    for name in ("x", "y"):
        if params.get(name):
            fields[name] = joined([words.subject(one) for one in _listed(params[name])])
    if params.get("signal"):
        fields["signal"] = in_words(str(params["signal"]))
    return fields


def fixed_names(right: str) -> list[str]:
    """Return the columns of the fixed effects of a formula.

    >>> fixed_names("marker*order + log(words) + (1 + marker || participant)")
    ['marker', 'order', 'words']
    """
    fixed = _RANDOM.sub(" ", right)
    found = (one for one in _NAME.finditer(fixed) if one[1] or fixed[one.end() : one.end() + 1] != "(")
    return list(dict.fromkeys(one[1] or one[2] for one in found))


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}


def _listed(value: Any) -> list[str]:
    try:
        return [str(name) for name in as_names(value)]
    except BadInput:
        return [str(value)]


def _fields(template: str) -> Iterator[str]:
    return (name for _text, name, _format, _conversion in Formatter().parse(template) if name)

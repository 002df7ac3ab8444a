"""All English texts of the platform's own pages, for the catalogues of other languages.

Texts stand in templates and in Python under the usual marks of gettext. What paradigms and methods declare (labels,
explanations of parameters and columns) and the names of records' fields carry no mark: a page that shows them says them
in its language. Reports, exports and the names of analyses are English everywhere, as papers are.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import django
import unfold
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.apps import apps
from django.conf import settings
from django.utils.translation import override
from django.utils.translation.template import templatize

APPS = ("analysis", "config", "experiments", "participants")
# What stands there is English everywhere: it goes into reports.
WITHOUT_PAGES = ("analysis/methods", "analysis/text")
DJANGO = ("conf", "contrib/admin")
_LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL_IN_TEMPLATE = re.compile(rf"\b(?:n?p?gettext|_)\(\s*{_LITERAL}(?:,\s*{_LITERAL})*", re.DOTALL)
# What the history calls what happened, where it is recorded.
_ACTION = re.compile(r'\baction="([a-z][a-z ]+)"(?: if \w+ else "([a-z ]+)")?')
NO_ACTIONS = {"store_true", "append", "reset_password"}
# Which arguments are the text, its plural and its context, counted from one.
_KEYWORDS = {
    "_": None,
    "Sentence": None,
    "counting": (1, 2),
    **{f"gettext{end}": None for end in ("", "_lazy", "_noop")},
    **{f"ngettext{end}": (1, 2) for end in ("", "_lazy")},
    **{f"pgettext{end}": ((1, "c"), 2) for end in ("", "_lazy")},
    **{f"npgettext{end}": ((1, "c"), 2, 3) for end in ("", "_lazy")},
}


def texts_of_pages() -> Catalog:
    """Return every text that a page of the platform may show, with the file in which it stands.

    >>> ("Studies" in texts_of_pages(), "Repeated-measures ANOVA" in texts_of_pages())
    (True, True)
    """
    found = Catalog()
    for path, text, context in (*_marked(), *_declared()):
        found.add(text, locations=[(path, 0)], context=context)
    return found


def lacking(tag: str) -> Catalog:
    """Return the texts that the catalogue of a language does not say, or only by guess (`fuzzy`)."""
    with (settings.LOCALE_PATHS[0] / tag / "LC_MESSAGES" / "django.po").open("rb") as file:
        there = read_po(file, locale=tag)
    found = Catalog(locale=tag)
    for message in texts_of_pages():
        said = there.get(message.id, message.context)
        forms = () if said is None else (said.string,) if isinstance(said.string, str) else tuple(said.string or ())
        if message.id and (said is None or said.fuzzy or not forms or not all(forms)):
            found.add(message.id, locations=message.locations, context=message.context)
    return found


def _marked() -> Iterator[tuple[str, str | tuple[str, ...], str | None]]:
    for app in APPS:
        for path in sorted((Path(settings.BASE_DIR) / app).rglob("*.*")):
            name = path.relative_to(settings.BASE_DIR).as_posix()
            for text, context in () if name.startswith(WITHOUT_PAGES) else texts_in(path):
                yield name, text, context
    # The frame of the admin has no German of its own; Django has some of it.
    of_django = [
        read_po(path.open("rb"))
        for path in (Path(django.__file__).parent / place / "locale/de/LC_MESSAGES/django.po" for place in DJANGO)
    ]
    for path in sorted(Path(unfold.__file__).parent.rglob("*.*")):
        for text, context in () if "contrib" in path.parts else texts_in(path):
            if not any(catalog.get(text, context) for catalog in of_django):
                yield "unfold", text, context


def texts_in(path: Path) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """Yield the marked texts of a file of Python or a template, each with its context."""
    source = _as_python(path)
    for _line, text, _comments, context in extract("python", io.BytesIO(source.encode()), _KEYWORDS) if source else ():
        yield text, context


def _as_python(path: Path) -> str:
    if path.suffix == ".py" and "migrations" not in path.parts:
        return path.read_text(encoding="utf-8")
    if path.suffix in {".html", ".txt"} and "templates" in path.parts:
        calls = _CALL_IN_TEMPLATE.findall(templatize(path.read_text(encoding="utf-8"), origin=str(path)))
        return "\n".join(f"{call})" for call in calls)
    return ""


def _declared() -> Iterator[tuple[str, str, None]]:
    # Paradigms and methods are found when they are asked for, not when this file is read.
    from analysis.exports.sheets import MATERIALS, PEOPLE, TEXTS, TRIALS
    from analysis.methods.registry import analyses
    from analysis.methods.texts.matching import ALIKE, DIFFER, MATCHED, UNDECIDED
    from config.accounts.languages import OWN_APPS, names_of, own_models
    from experiments.labels import LABELS
    from experiments.paradigms import PARADIGMS
    from experiments.questionnaire.written import COLUMNS

    sources = (path for app in APPS for path in (Path(settings.BASE_DIR) / app).rglob("*.py"))
    happened = {one for path in sources for pair in _ACTION.findall(path.read_text(encoding="utf-8")) for one in pair}
    texts: list[tuple[str, str]] = [("history", one) for one in sorted(happened - NO_ACTIONS)]
    texts += [("apps", str(app.verbose_name)) for app in apps.get_app_configs() if app.label in OWN_APPS]
    texts += [("questionnaire", text) for text in COLUMNS.values()]
    texts += [("text-profile", verdict) for verdict in (MATCHED, ALIKE, DIFFER, UNDECIDED)]
    texts += [("labels", text) for text in LABELS.values()]
    texts += [("exports", sheet.title) for sheet in (TRIALS, MATERIALS, TEXTS, *PEOPLE)]
    for method in analyses().values():
        texts += [(method.slug, text) for text in (method.label, method.summary, *method.question)]
        for one in method.parameters:
            texts += [(method.slug, text) for text in (one.label, one.help, *one.words)]
    for paradigm in PARADIGMS:
        texts += [(paradigm.slug, text) for text in (paradigm.label, paradigm.summary)]
        texts += [(paradigm.slug, column.description) for column in paradigm.all_stimulus_columns]
        texts += [(paradigm.slug, measure.description) for measure in paradigm.quality_measures()]
        texts += [(paradigm.slug, code.description) for code in paradigm.default_error_codes]
    with override(settings.LANGUAGE_CODE):
        texts += [(model._meta.label, str(name)) for model in own_models() for name in names_of(model)]
    return ((where, text, None) for where, text in texts if text)


def main(tags: list[str]) -> None:
    """Print the texts that languages lack, as entries for their catalogues."""
    django.setup()
    for tag in tags:
        write_po(sys.stdout.buffer, lacking(tag), omit_header=True, width=0)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv[1:])

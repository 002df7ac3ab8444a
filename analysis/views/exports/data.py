"""Page of the step *Data*: trials and participants as tables, with conditions and chosen columns, or as a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.codebook.columns import ExportColumn
from analysis.codebook.fixed import PHASES
from analysis.codebook.people import participant_columns
from analysis.codebook.questions import Words
from analysis.codebook.trials import trial_columns
from analysis.exports.narrowed import EXCLUDED, FILLERS, KEPT, TARGETS, Conditions, People, Place, Trials, csv_of
from analysis.exports.narrowed import only_columns as only
from analysis.exports.reports import words_of
from analysis.reports.distributions import distributions_of
from analysis.studies.picture import is_hidden
from analysis.views.asking import AnalysisView
from analysis.views.exports.export import TYPES, download, variant_of
from experiments.labels import LABELS
from experiments.models import Item, Study
from experiments.study.audit import record
from experiments.views.records import plain
from participants.session.answered import A_PAGE
from participants.session.planned_exclusion import judge_finished
from participants.watching.simulations import kinds_of, simulated_are_shown

TABLES = {"trials": gettext_lazy("Trials"), "participants": gettext_lazy("Participants")}
STANDINGS = {KEPT: gettext_lazy("Analysed"), EXCLUDED: gettext_lazy("Excluded or unfinished")}
KINDS = {TARGETS: gettext_lazy("Items of the design"), FILLERS: gettext_lazy("Fillers")}
ALL = "all"
SHOWN_PHASES = {"main": gettext_lazy("Main trials"), "practice": gettext_lazy("Practice")}
# Columns that a table begins with before others are chosen; those of the design and the measures are added.
USUAL = ("participant", "list", "position", "phase", "item", "part", "text", "rt_ms", "excluded", "exclusion_reason")
USUAL_OF_PEOPLE = (
    "participant", "list", "status", "duration_min", "trials_answered", "median_rt_ms", "excluded", "exclusion_reason",
    "group",
)  # fmt: skip
MOST_ITEMS = 500
LEVEL = "level-"


class DataView(AnalysisView):
    """What the address asks for: which table, which rows, which columns."""

    is_about_data = True
    step = "data"

    @property
    def table(self) -> str:
        """The table that is asked for."""
        asked = self.request.GET.get("table", "")
        return asked if asked in TABLES else "trials"

    def conditions(self) -> Conditions:
        """Return the conditions of the address; what they do not know is left aside."""
        asked = self.request.GET
        is_of_trials = self.table == "trials"
        return Conditions(
            simulated=simulated_are_shown(self.study, asked=asked.get("of")),
            standing=_one_of(asked, "standing", STANDINGS),
            participant=asked.get("participant", "").strip()[:40],
            phase=_phase(asked) if is_of_trials else "",
            kind=_one_of(asked, "kind", KINDS) if is_of_trials else "",
            item=asked.get("item", "").strip()[:200] if is_of_trials else "",
            levels={
                str(factor["name"]): asked[f"{LEVEL}{number}"]
                for number, factor in enumerate(self.study.factors)
                if is_of_trials and asked.get(f"{LEVEL}{number}", "") in [str(level) for level in factor["levels"]]
            },
        )

    def rows(self, conditions: Conditions) -> Trials | People:
        """Return the rows that meet the conditions."""
        return (Trials if self.table == "trials" else People)(self.study, conditions)

    def columns(self) -> list[str]:
        """Return the names of the columns to show: those that are asked for, or the usual ones."""
        known = [column.name for column in columns_of(self.study, self.table)]
        asked = [name for name in self.request.GET.getlist("column") if name in known]
        return asked or [name for name in usual_columns(self.study, self.table) if name in known]


class DataPage(DataView):
    """One page of a table, and how a measure lies in each condition."""

    template_name = "analysis/data.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        judge_finished(self.study, most=A_PAGE)
        conditions = self.conditions()
        rows = self.rows(conditions)
        shown = rows.page(_place(request.GET.get("after", "")))
        names = self.columns()
        columns, cells = only(shown.columns, names, iter(shown.rows))
        words = words_of(self.study)
        return self.page(
            table=self.table,
            tables=[
                {"name": name, "label": label, "url": self._url(table=name, after=None, column=None)}
                for name, label in TABLES.items()
            ],
            columns=[(column, called(self.study, column.name, words)) for column in columns],
            rows=[
                [
                    (column, value if column.type == "text" else plain(value))
                    for column, value in zip(columns, row, strict=True)
                ]
                for row in cells
            ],
            offered=[
                (column, called(self.study, column.name, words), column.name in names)
                for column in columns_of(self.study, self.table)
            ],
            filters=self._filters(conditions, words),
            conditions=conditions,
            items=Item.objects.filter(part__in=self.study.current_tasks).values_list("code", flat=True)[:MOST_ITEMS],
            kept=_kept(request.GET),
            is_narrowed=conditions
            != Conditions(simulated=conditions.simulated, phase="main" if self.table == "trials" else ""),
            next_url=self._url(after="{}-{}".format(*shown.following)) if shown.following else "",
            first_url=self._url(after=None) if request.GET.get("after") else "",
            file_query=self._url(after=None),
            reset_url=f"?table={self.table}&of={'simulated' if conditions.simulated else 'real'}",
            people=rows.sessions().count(),
            kinds=kinds_of(self.study),
            of_urls={kind: self._url(of=kind, after=None) for kind in ("real", "simulated")},
            **(self._drawn(rows, words) if isinstance(rows, Trials) else {}),
        )

    def _drawn(self, rows: Trials, words: Words) -> dict[str, Any]:
        """Return how the chosen measure lies by condition, unless a plan with interim looks hides what they find."""
        measures = _measures(self.study)
        chosen = next((c for c in measures if c.name == self.request.GET.get("measure")), measures[0])
        found: dict[str, Any] = {
            "measures": [(column, words.name(column.name), column == chosen) for column in measures],
            "measure": chosen,
            "measure_label": words.name(chosen.name),
        }
        if not rows.conditions.simulated and is_hidden(self.study):
            return {**found, "is_hidden": True}
        factors = [column.name for column in trial_columns(self.study).factors]
        values, read, total = rows.drawn(chosen.name, factors)
        others = values.pop("", [])
        named = {**values, (_("Without a condition") if values else _("All")): others}
        return {
            **found,
            "section": {"distributions": distributions_of(named)},
            "drawn": {"read": read, "total": total},
        }

    def _filters(self, conditions: Conditions, words: Words) -> list[dict[str, Any]]:
        """Return the lists to choose conditions from: name, label, what is chosen, and values with their labels."""
        found: list[tuple[str, Any, str, Mapping[str, Any]]] = [
            ("standing", _("Analysed or not"), conditions.standing, STANDINGS)
        ]
        if self.table == "trials":
            found += [
                ("phase", _("Phase"), conditions.phase or ALL, {**SHOWN_PHASES, ALL: _("All")}),
                ("kind", _("Kind of item"), conditions.kind, KINDS),
                *(
                    (
                        f"{LEVEL}{number}",
                        words.name(name),
                        conditions.levels.get(name, ""),
                        {str(level): words.level(name, str(level)) for level in factor["levels"]},
                    )
                    for number, factor in enumerate(self.study.factors)
                    for name in [str(factor["name"])]
                ),
            ]
        return [
            {"name": name, "label": label, "chosen": chosen, "values": values.items()}
            for name, label, chosen, values in found
        ]

    def _url(self, **changes: str | None) -> str:
        query = self.request.GET.copy()
        for name, value in changes.items():
            query.pop(name, None)
            if value is not None:
                query[name] = value
        return "?" + query.urlencode()


def called(study: Study, name: str, words: Words) -> str:
    """Return what a column is called: a quality measure of one of several tasks after the label of the task."""
    for task in study.tasks if study.has_several_tasks else ():
        measure = name.removeprefix(f"{task.name}_")
        if measure != name and measure in LABELS:
            return f"{task.label}: {words.name(measure)}"
    return words.name(name)


class DataFile(DataView):
    """All rows of a table that meet the conditions, with the chosen columns, as CSV."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if request.GET.get("table", "trials") not in TABLES:
            raise Http404(_("There is no such table."))
        judge_finished(self.study, most=A_PAGE)
        conditions, names = self.conditions(), self.columns()
        variant = variant_of(request)
        asked = ", ".join(f"{name}={value}" for name, value in vars(conditions).items() if value)
        record(
            self.study, action="data exported", user=request.user,
            detail=f"{self.table}.csv in part ({variant}); {asked or 'all rows'}; {len(names)} columns",
        )  # fmt: skip
        pieces = csv_of(self.rows(conditions), names, variant=variant)
        return download(pieces, f"{self.study.seen_through('').slug}-{self.table}-view.csv", TYPES[".csv"])


def columns_of(study: Study, table: str) -> tuple[ExportColumn, ...]:
    """Return the columns of a table, in the order of its file."""
    return trial_columns(study).all if table == "trials" else participant_columns(study)


def usual_columns(study: Study, table: str) -> list[str]:
    """Return the columns that are shown before somebody chooses, in the order of the file."""
    if table != "trials":
        return [*USUAL_OF_PEOPLE, *(column.name for column in participant_columns(study) if column.role == "factor")]
    found = trial_columns(study)
    own = {column.name for column in (*found.factors, *found.measures[:4], *found.derived[:1])}
    usual = [name for name in USUAL if name != "part" or study.shows_several_tasks]
    return [column.name for column in found.all if column.name in {*usual, *own}]


def _measures(study: Study) -> list[ExportColumn]:
    """Return the columns with numbers of trials, the measures of the paradigm first."""
    found = trial_columns(study)
    first = [*found.measures, *found.derived]
    rest = [column for column in found.all if column.name == "rt_ms"]
    numbers = ("number", "integer", "boolean")
    return [column for column in (*first, *rest) if column.role == "measure" and column.type in numbers] or rest


def _one_of(asked: QueryDict, name: str, known: Mapping[str, Any]) -> str:
    value = asked.get(name, "")
    return value if value in known else ""


def _phase(asked: QueryDict) -> str:
    """Return the phase that is asked for: the main trials unless the address names another one, or all."""
    if asked.get("phase") == ALL:
        return ""
    return _one_of(asked, "phase", dict.fromkeys(PHASES)) or "main"


def _kept(asked: QueryDict) -> list[tuple[str, str]]:
    """Return what a form has to keep of the address: which table and whose rows."""
    return [(name, asked.get(name, "")) for name in ("table", "of", "part") if asked.get(name)]


def _place(text: str) -> Place | None:
    """Return the place after which a page begins; None where the text is none."""
    session, _dash, position = text.partition("-")
    if not (session.isdecimal() and position.isdecimal() and len(text) < 40):
        return None
    return int(session), int(position)

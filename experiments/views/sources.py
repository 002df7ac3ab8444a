"""Page of recruitment sources and quotas by criterion."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from experiments.languages import in_language
from experiments.procedure.sequence import first_questionnaires
from experiments.questionnaire.scores import all_variables
from experiments.questionnaire.written import condition_from, condition_text, fitted
from experiments.rules.sources import COMPLETED, KINDS, OUTCOMES, OVER_QUOTA, RETURN_KEYS, Source, sources_of
from experiments.study.lifecycle import LifecycleRefusal
from experiments.study.recruiting import add_source, remove_source, save_criteria, save_source
from experiments.views.page import StudyView

# What nearly every source needs; the others are folded away.
FIRST_OUTCOMES = (COMPLETED, "screened-out", "failed-check", OVER_QUOTA)


@dataclass(frozen=True)
class ReturnFields:
    """The fields of one outcome of a source."""

    outcome: str
    label: str
    text: str = ""
    link: str = ""
    code: str = ""


@dataclass(frozen=True)
class SourceCard:
    """A source as the page shows it, with what was typed where that could not be stored. `key`: its stored name."""

    key: str
    name: str
    kind: str
    kind_label: str
    parameters: str
    first: Sequence[ReturnFields]
    further: Sequence[ReturnFields]
    has_further: bool
    id_only: bool = False
    fault: str = ""


@dataclass(frozen=True)
class CriterionRow:
    """A criterion as the form shows it, its conditions in lines."""

    name: str = ""
    quota: str = ""
    when: str = ""
    part: str = ""
    per_group: str = ""


class Sources(StudyView):
    """Sources in cards, quotas by criterion below them."""

    step = "sources"
    template_name = "studies/sources.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page()

    def post(self, request: HttpRequest) -> HttpResponseBase:
        given = request.POST
        name = given.get("source", "")
        try:
            match given.get("action"):
                case "add":
                    name = add_source(self.study, given.get("kind", ""), request.user)
                    messages.success(request, _("The source was added. Now say how its people go back."))
                case "save":
                    save_source(self.study, name, self._written(given), request.user)
                    name = given.get("name", name).strip()
                    messages.success(request, _("The source was saved."))
                case "criteria":
                    save_criteria(self.study, self._criteria(given), request.user)
                    messages.success(request, _("The quotas were saved."))
                    return redirect(f"{request.path}#criteria")
        except LifecycleRefusal as refusal:
            return self._page(given, str(refusal), status=422)
        return redirect(f"{request.path}#source-{name}")

    def _page(self, given: Any = None, fault: str = "", *, status: int = 200) -> HttpResponseBase:
        study = self.study
        action = given.get("action") if given else ""
        questionnaires = first_questionnaires(study.ordered_parts)
        rows = _written_rows(given) if action == "criteria" else [_row(criterion) for criterion in study.criteria]
        can_change = self.can_edit and not study.is_frozen
        return self.page(
            cards=[
                self._card(source, given, fault)
                if action == "save" and given.get("source") == source.name
                else self._card(source)
                for source in sources_of(study.sources)
            ],
            kinds=KINDS.items(),
            can_change=can_change,
            fault=fault if action == "add" else "",
            criteria_fault=fault if action == "criteria" else "",
            criteria=[*rows, CriterionRow()] if can_change else rows,
            has_groups=bool(study.groups) or any(row.per_group for row in rows),
            variables=[variable.name for each in questionnaires for variable in all_variables(each.questions)],
            outcomes=OUTCOMES,
            status=status,
        )

    def _card(self, source: Source, typed: Any = None, fault: str = "") -> SourceCard:
        stored = next(one for one in self.study.sources if one["name"] == source.name).get("outcomes", {})

        def fields(outcome: str) -> ReturnFields:
            values = {
                key: typed.get(f"{outcome}-{key}", "") if typed else stored.get(outcome, {}).get(key, "")
                for key in RETURN_KEYS
            }
            return ReturnFields(outcome, OUTCOMES[outcome], **values)

        further = [fields(outcome) for outcome in OUTCOMES if outcome not in FIRST_OUTCOMES]
        return SourceCard(
            key=source.name,
            name=typed.get("name", source.name) if typed else source.name,
            kind=source.kind,
            kind_label=KINDS[source.kind],
            parameters=typed.get("parameters", "") if typed else ", ".join(source.parameters),
            first=[fields(outcome) for outcome in FIRST_OUTCOMES],
            further=further,
            has_further=any(each.text or each.link or each.code for each in further),
            id_only=typed.get("id_only") == "yes" if typed else source.id_only,
            fault=fault,
        )

    def _written(self, given: Any) -> dict[str, Any]:
        """Return what the form of one source says; fields that a frozen study does not show stay as they are."""
        outcomes: dict[str, dict[str, str]] = {}
        for outcome in OUTCOMES:
            values = {key: given.get(f"{outcome}-{key}", "").strip().replace("\r\n", "\n") for key in RETURN_KEYS}
            if any(values.values()):
                outcomes[outcome] = {key: value for key, value in values.items() if value}
        written: dict[str, Any] = {"outcomes": outcomes}
        if "asks-id-only" in given:
            written["id_only"] = given.get("id_only") == "yes"
        if "name" in given:
            written["name"] = given["name"].strip()
        if "parameters" in given:
            written["parameters"] = [name for name in re.split(r"[,\s]+", given["parameters"]) if name]
        return written

    def _criteria(self, given: Any) -> list[dict[str, Any]]:
        """Return the criteria as the form has them; rows that are empty are left out. Raises LifecycleRefusal."""
        questions = [question for each in first_questionnaires(self.study.ordered_parts) for question in each.questions]
        criteria = []
        for row in _written_rows(given):
            try:
                when = [fitted(condition_from(line), questions) for line in row.when.splitlines() if line.strip()]
            except ValueError as unreadable:
                message = _("Criterion “%(name)s”: %(fault)s") % {
                    "name": row.name,
                    "fault": in_language(str(unreadable)),
                }
                raise LifecycleRefusal(
                    f"{message} " + _("Write one condition per line, such as: age is at least 18.")
                ) from unreadable
            quota = int(row.quota) if row.quota.isdecimal() and len(row.quota) < 10 else None
            criterion: dict[str, Any] = {"name": row.name, "quota": quota, "when": when}
            criteria.append(
                {
                    **criterion,
                    **({"part": row.part} if row.part else {}),
                    **({"per_group": True} if row.per_group else {}),
                }
            )
        return criteria


class RemoveSource(StudyView):
    """Removes a source, after asking."""

    step = "sources"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, source: str) -> HttpResponseBase:
        if source not in [one["name"] for one in self.study.sources]:
            raise Http404(_("There is no such source."))
        return self.page(
            heading=_("Remove the source “%(name)s”?") % {"name": source},
            sentences=[_("People who use its link later take part without a source.")],
            losses=[_("its texts, links and codes")],
            button=_("Remove the source"),
            is_destructive=True,
            cancel_url="../../",
        )

    def post(self, request: HttpRequest, source: str) -> HttpResponseBase:
        self.attempt(remove_source, source, request.user, done=_("The source was removed."))
        return redirect("study:sources", str(self.study.slug))


def _row(criterion: Mapping[str, Any]) -> CriterionRow:
    lines = "\n".join(condition_text(condition) for condition in criterion["when"])
    return CriterionRow(
        criterion["name"], str(criterion["quota"]), lines, str(criterion.get("part", "")), _each(criterion)
    )


def _each(criterion: Mapping[str, Any]) -> str:
    return "group" if criterion.get("per_group") else ""


def _written_rows(given: Any) -> list[CriterionRow]:
    columns = (given.getlist(f"criterion-{name}") for name in ("name", "quota", "when", "part", "each"))
    rows = [CriterionRow(*(cell.strip() for cell in cells)) for cells in zip_longest(*columns, fillvalue="")]
    return [row for row in rows if row.name or row.quota or row.when]

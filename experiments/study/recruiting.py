"""Change recruitment sources and quotas by criterion. A refused change leaves everything as it was.

While a study is open, texts, links, codes, quotas and `id_only` may change and sources may be added; name, kind and
parameters of a source, and everything else about a criterion, stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from experiments.formats.faults import Fault, spoken
from experiments.models import Study
from experiments.rules.criteria import criteria_shape_faults
from experiments.rules.sources import KINDS, PARAMETERS, source_faults
from experiments.study.audit import record
from experiments.study.editing import locked
from experiments.study.opening import faults_of_criteria
from experiments.study.refusals import FrozenStudy, LifecycleRefusal


@transaction.atomic
def add_source(study: Study, kind: str, user: Any) -> str:
    """Add a source of a kind with its usual parameters; return its name. Raises LifecycleRefusal."""
    study = locked(study)
    if kind not in KINDS:
        raise LifecycleRefusal(_("Choose where the people come from."))
    taken = {source["name"] for source in study.sources}
    name = next(name for number in range(1, len(taken) + 2) if (name := _name(kind, number)) not in taken)
    parameters = list(PARAMETERS[kind])
    _store(study, [*study.sources, {"name": name, "kind": kind, "parameters": parameters, "outcomes": {}}])
    record(study, action="source added", user=user, detail=f"{name} ({kind})")
    return name


def _name(kind: str, number: int) -> str:
    return kind if number == 1 else f"{kind}-{number}"


@transaction.atomic
def save_source(study: Study, name: str, changed: Mapping[str, Any], user: Any) -> None:
    """Replace a source. Raises LifecycleRefusal with all faults, FrozenStudy for a name or parameters in use."""
    study = locked(study)
    source = _source(study, name)
    after = {**source, **changed}
    if not after.get("id_only"):
        after.pop("id_only", None)
    if study.is_frozen and any(source.get(key) != after.get(key) for key in ("name", "kind", "parameters")):
        raise FrozenStudy(study)
    _store(study, [after if one is source else one for one in study.sources])
    detail = str(after["name"])
    if source.get("id_only", False) != after.get("id_only", False):
        detail += ": id-only" if after.get("id_only") else ": no longer id-only"
    record(study, action="source changed", user=user, detail=detail)


@transaction.atomic
def remove_source(study: Study, name: str, user: Any) -> None:
    """Remove a source from a draft. Raises FrozenStudy for any other study: people may have come by it."""
    study = locked(study)
    source = _source(study, name)
    if study.is_frozen:
        raise FrozenStudy(study)
    _store(study, [one for one in study.sources if one is not source])
    record(study, action="source removed", user=user, detail=name)


@transaction.atomic
def save_criteria(study: Study, criteria: Sequence[Mapping[str, Any]], user: Any) -> None:
    """Replace the quotas by criterion. Raises LifecycleRefusal with all faults.

    FrozenStudy is raised where anything but the quotas of an opened study would change.
    """
    study = locked(study)
    after = [dict(criterion) for criterion in criteria]
    if study.is_frozen and _without_quotas(after) != _without_quotas(study.criteria):
        raise FrozenStudy(study)
    study.criteria = after
    _refuse(criteria_shape_faults(after) or faults_of_criteria(study))
    study.save(update_fields=["criteria"])
    detail = ", ".join(f"{criterion['name']}: {criterion['quota']}" for criterion in after)
    record(study, action="criteria changed", user=user, detail=detail)


def _without_quotas(criteria: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    # A key that says nothing is as good as none: forms leave it out, study files may write it.
    return [{key: value for key, value in criterion.items() if key != "quota" and value} for criterion in criteria]


def _source(study: Study, name: str) -> dict[str, Any]:
    for source in study.sources:
        if source["name"] == name:
            found: dict[str, Any] = source
            return found
    raise LifecycleRefusal(_("There is no source “%(name)s”.") % {"name": name})


def _store(study: Study, sources: list[dict[str, Any]]) -> None:
    _refuse(source_faults(sources))
    study.sources = sources
    study.save(update_fields=["sources"])


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        raise LifecycleRefusal(spoken(said for fault in faults for said in (fault.message, fault.suggestion) if said))

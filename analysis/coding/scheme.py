"""Edit the coding scheme of a study without invalidating existing codings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from analysis.coding.recalls import is_coded, locked_state, refuse_frozen
from analysis.coding.refusals import CodingRefusal
from analysis.models import Coding
from experiments.formats.faults import Fault, spoken
from experiments.models import ErrorCode, Study
from experiments.rules.error_codes import SchemeCode, scheme_faults
from experiments.sentences import Sentence
from experiments.study.audit import record
from experiments.study.schemes import plain_codes, scheme_of, store_scheme


def is_bound(study: Study) -> bool:
    """Return whether something is coded, so that codes cannot be taken away, renamed, moved or change their kind."""
    return Coding.objects.filter(response__trial__session__study=study).exists()


@transaction.atomic
def save_scheme(study: Study, codes: Sequence[SchemeCode], *, user: Any) -> list[ErrorCode]:
    """Replace the codes of a study; audited.

    Anything may change until something is coded. After that descriptions and weights may change (scores follow, and
    the audit record says so), and codes may be added at the end. Nothing changes while the codings are frozen.
    `codes` may be `experiments.paradigms.base.DefaultErrorCode`. Raises CodingRefusal `scheme`, whose
    `faults` name what is wrong (`setting` = error_codes.<number>.<field>), or `frozen`; nothing is changed then.
    """
    refuse_frozen(locked_state(study))
    now = scheme_of(study)
    faults = scheme_faults(codes)
    if codes and not is_coded(study):
        faults.append(Fault(setting="error_codes", message=Sentence("Studies of this paradigm have nothing to code.")))
    bound = is_bound(study)
    if bound and not faults:
        faults = binding_faults(now, codes)
    if faults:
        raise CodingRefusal("scheme", spoken([*faults, Sentence("Nothing was changed.")]), faults=faults)
    detail = described_change(now, codes)
    if not detail:
        return now
    if bound:
        for row, entry in zip(now, codes, strict=False):
            row.description, row.weight = entry.description, entry.weight
            row.save(update_fields=["description", "weight"])
        ErrorCode.objects.bulk_create(
            ErrorCode(study=study, position=now[-1].position + place, **fields)
            for place, fields in enumerate(plain_codes(codes[len(now) :]), start=1)
        )
        saved = scheme_of(study)
    else:
        saved = store_scheme(study, codes)
    record(study, action="codes changed", user=user, detail=detail)
    return saved


def binding_faults(now: Sequence[SchemeCode], codes: Sequence[SchemeCode]) -> list[Fault]:
    """Return what a change of codes would do to codings that are there."""
    faults = []
    for number, entry in enumerate(now, start=1):
        after = codes[number - 1] if number <= len(codes) else None
        if after is None or after.code != entry.code:
            message = Sentence(
                "Some recalls are coded already, so you cannot rename or move the code '{code}'.", code=entry.code
            )
            faults.append(Fault(setting=f"error_codes.{number}.code", message=message))
        elif after.is_exclusive != entry.is_exclusive:
            message = Sentence(
                "Some recalls are coded already, so you cannot change whether '{code}' is exclusive.", code=entry.code
            )
            faults.append(Fault(setting=f"error_codes.{number}.is_exclusive", message=message))
    return faults


def described_change(now: Sequence[SchemeCode], codes: Sequence[SchemeCode]) -> str:
    """Return what changes, for the audit record; empty where nothing does."""
    before, after = plain_codes(now), plain_codes(codes)
    if [entry["code"] for entry in before] != [entry["code"] for entry in after[: len(before)]]:
        return f"{_summary(before) or 'none'} → {_summary(after) or 'none'}"
    parts = [
        f"{old['code']}, {name}: {old[name]!r} → {new[name]!r}"
        for old, new in zip(before, after, strict=False)
        for name in ("description", "weight", "is_exclusive")
        if old[name] != new[name]
    ]
    parts += [f"added {_summary([entry])}" for entry in after[len(before) :]]
    return "; ".join(parts)


def _summary(codes: Sequence[dict[str, Any]]) -> str:
    return ", ".join(f"{entry['code']} ({entry['weight']:+g})" for entry in codes)


__all__ = ["is_bound", "save_scheme", "scheme_of"]

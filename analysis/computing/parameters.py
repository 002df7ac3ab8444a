"""Validate the parameters of an analysis against a study's table, and normalise them for storage."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.codebook.columns import names
from analysis.data.tables import columns_of
from analysis.methods import parameters, registry
from analysis.methods.expressions import DERIVE
from experiments.models import Study


def checked_params(study: Study, *, method: str, params: Mapping[str, Any], table: str = "trials") -> dict[str, Any]:
    """Return the parameters as they are stored: those that were given, in the order of their declaration.

    Raises BadInput with all faults together.
    """
    declared = registry.method_named(method)
    columns = names(columns_of(study, table))
    given = {name: value for name, value in params.items() if value not in (None, "", [], ())}
    known = [parameter.name for parameter in declared.parameters]
    if "trial" in known and "trial" not in given and "position" in columns:
        given["trial"] = "position"
    if "categorical" in known and "categorical" not in given:
        given |= _factors_of_digits(study, given, columns)
    parameters.read(declared.parameters, given, columns)
    order = {name: index for index, name in enumerate([DERIVE, *known])}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in sorted(given.items(), key=lambda entry: order.get(entry[0], len(order)))
    }


def _factors_of_digits(study: Study, given: Mapping[str, Any], columns: Sequence[str]) -> dict[str, str]:
    """Return, as a parameter, the factors of the design that the model names and whose levels are all digits.

    Every other method takes the levels of a factor for names; a model would take 1, 2 and 3 for amounts.
    """
    model = " ".join(str(given.get(name, "")) for name in ("formula", "compare", "blocks", "sets"))
    named = set(re.findall(r"[\w.]+", model))
    found = [
        str(factor["name"])
        for factor in study.factors
        if str(factor["name"]) in named.intersection(columns)
        and all(_is_number(str(level)) for level in factor.get("levels", ["x"]))
    ]
    return {"categorical": ",".join(found)} if found else {}


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False

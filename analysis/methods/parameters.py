"""Reading what was given for a method's parameters: text from a form or a command line, or plain values."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.methods.declarations import FileOnDisk, Parameter, TextFile
from analysis.methods.expressions import DERIVE, checked
from analysis.methods.report import BadInput
from analysis.methods.wording import listed, nearest, no_such

ROLES = ("participant", "item", "condition", "list", "trial")
TRUE = ("true", "yes", "1", "on")
FALSE = ("false", "no", "0", "off")


class Fault(ValueError):
    """One thing that is wrong with one parameter."""


def read(parameters: Sequence[Parameter], given: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """Return a value for every declared parameter.

    `column` gives a name, of a unit also several joined by colons (`group:participant`), `columns` a tuple of names,
    the others a value of their kind; a parameter that was not given (or given as empty text) gets its default. A
    column default such as `participant` is used where the data
    have that column and is None (or an empty tuple) otherwise. The five roles (participant, item, condition, list,
    trial) may be named for every method, whether it uses them or not. A parameter may be given under another name that
    it declares. For every method `derive` makes further columns (`analysis.methods.expressions`), which may be named.

    Raises BadInput with all faults together.

    >>> from analysis.methods.declarations import Parameter
    >>> declared = (
    ...     Parameter("dv", "Measure", "column", required=True),
    ...     Parameter("folds", "Folds", "integer", default=10),
    ... )
    >>> read(declared, {"dv": "rating"}, ["item", "rating"])
    {'dv': 'rating', 'folds': 10}
    >>> read(declared, {"dv": "ratng"}, ["item", "rating"])
    Traceback (most recent call last):
    analysis.methods.report.BadInput: dv: There is no column 'ratng'; did you mean 'rating'? ...
    """
    names = [parameter.name for parameter in parameters]
    given, twice = _under_own_names(parameters, given)
    derived = given.pop(DERIVE, None)
    values: dict[str, Any] = {}
    if not _is_empty(derived):
        values[DERIVE] = str(derived).strip()
        columns = [*columns, *(column.name for column in checked(values[DERIVE], columns))]
    faults = twice + [
        f"There is no parameter '{name}'{_hint(name, names)}"
        for name in given
        if name not in names and name not in ROLES
    ]
    for role in ROLES:
        if role not in names and not _is_empty(given.get(role)):
            faults.extend(_faults_of(Parameter(role, role, "column"), given[role], columns))
    for parameter in parameters:
        entry = given.get(parameter.name)
        if _is_empty(entry, parameter.kind):
            values[parameter.name] = _default(parameter, columns)
            if parameter.required and _is_empty(values[parameter.name]):
                faults.append(_missing(parameter, columns))
            continue
        try:
            values[parameter.name] = _value(parameter, entry, columns)
        except Fault as fault:
            faults.append(f"{parameter.name}: {fault}")
    if faults:
        raise BadInput(" ".join(faults))
    return values


def _under_own_names(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what was given under the names that are declared first, and what was given twice."""
    own = {other: parameter.name for parameter in parameters for other in parameter.also}
    renamed: dict[str, Any] = {}
    faults = []
    for name, entry in given.items():
        meant = own.get(name, name)
        earlier = renamed.get(meant)
        if _is_empty(earlier):
            renamed[meant] = entry
        elif not _is_empty(entry) and entry != earlier:
            faults.append(f"{meant} was given twice, as {meant if meant in given else 'another name'} and as {name}.")
    return renamed, faults


def as_names(entry: Any) -> tuple[str, ...]:
    """Split comma-separated text (a name that holds a comma stands in double quotes), or take a sequence as it is.

    >>> as_names('marker, order'), as_names('"a, b",c'), as_names(["x"])
    (('marker', 'order'), ('a, b', 'c'), ('x',))
    """
    if isinstance(entry, str):
        rows = csv.reader(io.StringIO(entry, newline=""), skipinitialspace=True)
        return tuple(part.strip() for row in rows for part in row if part.strip())
    return tuple(str(part) for part in entry)


def _names_among(entry: Any, columns: Sequence[str]) -> tuple[str, ...]:
    """Return names as `as_names` does; a text that is itself the name of a column is that column, whatever it holds.

    >>> _names_among("left, right", ["left, right"]), _names_among("`a, b`,c", ["a, b", "c"])
    (('left, right',), ('a, b', 'c'))
    """
    if isinstance(entry, str) and entry.strip() in columns:
        return (entry.strip(),)
    return as_names(entry.replace("`", '"') if isinstance(entry, str) and '"' not in entry else entry)


def as_written(value: Any) -> str:
    """Return a stored parameter as it is written in a command: names joined by commas, a file by its name.

    >>> as_written(["a", "b"]), as_written({"name": "toy.arpa", "text": "…"}), as_written(0.5)
    ('a,b', 'toy.arpa', '0.5')
    >>> as_written(42877.200000000004)
    '42877.2'
    >>> as_written(["a, b", "c"])
    '"a, b",c'
    """
    if isinstance(value, Mapping):
        return str(value.get("name", ""))
    if isinstance(value, float):
        return f"{value:.15g}"
    if not isinstance(value, (list, tuple)):
        return str(value)
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(value)
    return written.getvalue()


def _hint(name: str, names: Sequence[str]) -> str:
    guess = nearest(name, names)
    meant = f"; did you mean '{guess}'?" if guess else "."
    return f"{meant} Known are: {listed(names, shown=30)}."


def _is_empty(entry: Any, kind: str = "text") -> bool:
    return (
        entry is None
        or (isinstance(entry, str) and not entry.strip())
        or (isinstance(entry, (list, tuple)) and not entry)
        or (kind == "columns" and not as_names(entry))
    )


def _default(parameter: Parameter, columns: Sequence[str]) -> Any:
    if parameter.kind == "column":
        return parameter.default if parameter.default in columns else None
    if parameter.kind == "columns":
        names = as_names(parameter.default or ())
        return names if all(name in columns for name in names) else ()
    return parameter.default


def _missing(parameter: Parameter, columns: Sequence[str]) -> str:
    if parameter.kind in ("column", "columns"):
        usual = f"; the data have no column '{parameter.default}'" if parameter.default else ""
        return (
            f"{parameter.name} is missing ({parameter.label}){usual}: name a column with {parameter.name}=… "
            f"The columns are: {listed(columns, shown=20)}."
        )
    choices = f", one of {listed(parameter.choices, shown=30)}" if parameter.choices else ""
    return f"{parameter.name} is missing ({parameter.label}{choices}): give it with {parameter.name}=…"


def _faults_of(parameter: Parameter, entry: Any, columns: Sequence[str]) -> list[str]:
    try:
        _value(parameter, entry, columns)
    except Fault as fault:
        return [f"{parameter.name}: {fault}"]
    return []


def _value(parameter: Parameter, entry: Any, columns: Sequence[str]) -> Any:
    match parameter.kind:
        case "column":
            return _column(str(entry), columns, may_join=parameter.role == "unit" or parameter.name in ROLES)
        case "columns":
            names = tuple(_column(name, columns) for name in _names_among(entry, columns))
            repeated = sorted({name for name in names if names.count(name) > 1})
            if repeated:
                raise Fault(f"{listed(repeated)} is named more than once; name every column once.")
            return names
        case "choice":
            return _choice(str(entry), parameter.choices)
        case "number":
            return _number(entry)
        case "integer":
            number = _number(entry)
            if number != int(number):
                raise Fault(f"'{entry}' is not a whole number.")
            return int(number)
        case "boolean":
            return _boolean(entry)
        case "file":
            return _file(entry)
        case "text" if parameter.check is not None and isinstance(entry, str):
            try:
                parameter.check(entry)
            except BadInput as fault:
                raise Fault(str(fault).removeprefix(f"{parameter.name}: ")) from fault
            return entry.strip()
        case _:
            return entry.strip() if isinstance(entry, str) else entry


def _column(name: str, columns: Sequence[str], *, may_join: bool = False) -> str:
    if name in columns:
        return name
    if name.strip() in columns:
        return name.strip()
    parts = [part.strip() for part in name.split(":")]
    if may_join and len(parts) > 1 and all(part in columns for part in parts):
        return ":".join(dict.fromkeys(parts))
    raise Fault(no_such("column", name, columns))


def _choice(entry: str, choices: Sequence[str]) -> str:
    folded = {choice.casefold(): choice for choice in choices}
    if entry.strip().casefold() in folded:
        return folded[entry.strip().casefold()]
    guess = nearest(entry, choices)
    meant = f" Did you mean '{guess}'?" if guess else ""
    raise Fault(f"'{entry}' is none of {listed(choices, shown=30)}.{meant}")


def _number(entry: Any) -> float:
    try:
        number = float(entry)
    except (TypeError, ValueError):
        raise Fault(f"'{entry}' is not a number; write it with a decimal point.") from None
    if not math.isfinite(number):
        raise Fault(f"'{entry}' is not a finite number.")
    return number


def _file(entry: Any) -> TextFile | FileOnDisk:
    # A text is never taken for a path: what is stored with a study must not make the server read its own files.
    if isinstance(entry, (TextFile, FileOnDisk)):
        return entry
    if isinstance(entry, Mapping) and isinstance(entry.get("name"), str) and isinstance(entry.get("text"), str):
        return TextFile(entry["name"], entry["text"], guessed=entry.get("guessed") is True)
    raise Fault(f"'{str(entry)[:40]}' is no file; give the file itself.")


def _boolean(entry: Any) -> bool:
    text = str(entry).strip().casefold()
    if text in TRUE:
        return True
    if text in FALSE:
        return False
    raise Fault(f"'{entry}' is neither true nor false.")

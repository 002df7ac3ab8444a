"""Parameters that many methods declare alike, and the declaration of a method by the signature of its function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

from analysis.methods.columns import TableDeclaration
from analysis.methods.declarations import Example, Group, Method, Need, Parameter, Split
from analysis.methods.report import Report

PARTICIPANT = Parameter(
    "participant", "Participant", "column", help="Who gave the response.", default="participant", role="unit"
)

ITEM = Parameter("item", "Item", "column", help="What participants responded to.", default="item", role="unit")

DV = Parameter("dv", "Measure", "column", help="The dependent variable.", required=True, role="measure")

UNIT = Parameter(
    "unit",
    "Unit",
    "choice",
    help="The units whose means are analysed: participants (F1) or items (F2).",
    default="participant",
    choices=("participant", "item"),
)

CONFIDENCE = Parameter("confidence", "Confidence level", "number", help="For all intervals.", default=0.95)

WITHIN = Parameter(
    "within",
    "Within factors",
    "columns",
    help="Within-participants (or within-items) factors: they vary within each unit.",
    role="factor",
)

BETWEEN = Parameter(
    "between",
    "Between factors",
    "columns",
    help="Between-participants (or between-items) factors: they differ between units.",
    role="factor",
)

TEXT = Parameter("text", "Text", "column", help="The text of the item.", default="text", required=True)

WHERE = Parameter(
    "where",
    "Only rows where",
    "text",
    help="Conditions on columns joined by 'and', such as words>=14 and method=plain.",
)

KEEP = Parameter(
    "keep",
    "Keep rows that are usually excluded",
    "text",
    help="Any of excluded, fillers, practice, simulated, separated by commas, or all.",
)

SHARED = {
    parameter.name: parameter
    for parameter in (PARTICIPANT, ITEM, DV, UNIT, CONFIDENCE, WITHIN, BETWEEN, TEXT, WHERE, KEEP)
}


def declared(
    slug: str,
    label: str,
    summary: str,
    function: Callable[..., Report],
    *own: Parameter,
    example: Callable[[], Example],
    split: Split | None = None,
    quotes_answers: bool = False,
    tables: tuple[TableDeclaration, ...] = (),
    question: tuple[str, ...] = (),
    group: Group = "",
    needs: tuple[Need, ...] = (),
    asks: tuple[str, ...] = (),
) -> Method:
    """Declare a method whose parameters are the keywords of its function, in their order.

    Only those that it does not share with other methods (`SHARED`, by name) are described in `own`. A parameter's
    default is the one in the signature, unless its description has another; it is required where there is none.

    >>> def sample_range(frame: object, *, dv: str, digits: int = 2, progress: object) -> Report: ...
    >>> digits = Parameter("digits", "Digits", "integer")
    >>> method = declared("range", "Range", "Of a measure.", sample_range, digits, example=lambda: ...)
    >>> [(one.name, one.label, one.default, one.required) for one in method.parameters]
    [('dv', 'Measure', None, True), ('digits', 'Digits', 2, False)]
    """
    described = SHARED | {parameter.name: parameter for parameter in own}
    parameters = tuple(
        _with_default(described[name], keyword.default)
        for name, keyword in inspect.signature(function).parameters.items()
        if keyword.kind is inspect.Parameter.KEYWORD_ONLY and name != "progress"
    )
    return Method(
        slug, label, summary, function, parameters, example, split, quotes_answers, tables, question, group, needs, asks
    )


def _with_default(parameter: Parameter, default: object) -> Parameter:
    if default is inspect.Parameter.empty:
        return replace(parameter, required=True)
    return parameter if parameter.default is not None or default == () else replace(parameter, default=default)

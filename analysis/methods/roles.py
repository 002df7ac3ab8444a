"""Parameters that many methods declare alike."""

from __future__ import annotations

from analysis.methods.declarations import Parameter

PARTICIPANT = Parameter(
    "participant", "Participant", "column", help="Who gave the response.", default="participant", role="unit"
)

ITEM = Parameter("item", "Item", "column", help="What was responded to.", default="item", role="unit")

DV = Parameter("dv", "Measure", "column", help="The dependent variable.", required=True, role="measure")

UNIT = Parameter(
    "unit",
    "Unit",
    "choice",
    help="Whose means are analysed: participants (F1) or items (F2).",
    default="participant",
    choices=("participant", "item"),
)

CONFIDENCE = Parameter("confidence", "Confidence level", "number", help="Of all intervals.", default=0.95)

WITHIN = Parameter("within", "Within factors", "columns", help="Factors that change within every unit.", role="factor")

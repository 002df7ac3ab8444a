"""Parameters of `preference` and the checks on them."""

from __future__ import annotations

from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter
from analysis.methods.preference.choices import MODELS
from analysis.methods.report import BadInput

NONE = "none"
RANDOM = (NONE, "participant", "item", "participant,item")
MOST_DRAWS = 20_000

PARAMETERS = (
    Parameter("a", "Option a", "column", help="For pairs, one row each: one of the two options.", role="factor"),
    Parameter("b", "Option b", "column", help="The other option.", role="factor"),
    Parameter(
        "choice",
        "Choice",
        "column",
        help="Which was chosen: a, b, tie, or the name of the option.",
        role="measure",
    ),
    Parameter(
        "side",
        "Side",
        "column",
        help="Where option a was (two words, such as left and right), or which option came first.",
    ),
    Parameter(
        "comparison",
        "Comparison",
        "column",
        help="For rankings and best–worst, one row per option: which rows belong together.",
        role="unit",
    ),
    Parameter("option", "Option", "column", help="The option of the row.", role="factor"),
    Parameter("rank", "Rank", "column", help="1 is the best; equal ranks are ties.", role="measure"),
    Parameter("best", "Best", "column", help="True if the option was chosen as the best."),
    Parameter("worst", "Worst", "column", help="True if the option was chosen as the worst."),
    Parameter("item", "Item", "column", help="What the options are versions of.", role="unit"),
    Parameter(
        "random",
        "Random",
        "choice",
        help="Participants or items that are a sample, so that intervals are valid for others as well.",
        choices=RANDOM,
    ),
    Parameter(
        "model",
        "Model of best–worst",
        "choice",
        help="sequential: the best, then the worst of the rest; maxdiff: the pair with the greatest difference.",
        choices=MODELS,
    ),
    Parameter("bootstrap", "Draws", "integer", help="Draws of participants or items, if these are random."),
    Parameter("seed", "Seed", "integer", help="For the draws."),
)


def check(*, bootstrap: int, confidence: float) -> None:
    """Raise BadInput where a number is out of range."""
    if not 50 <= bootstrap <= MOST_DRAWS:
        raise BadInput(f"bootstrap must lie between 50 and {MOST_DRAWS:,} draws; {bootstrap} does not.")
    check_confidence(confidence)

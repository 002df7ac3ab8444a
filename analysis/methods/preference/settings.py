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
    Parameter("a", "Option a", "column", help="Pairs, one row each: the one option.", role="factor"),
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
        help="Where option a stood (two words, such as left and right), or which option stood first.",
    ),
    Parameter(
        "comparison",
        "Comparison",
        "column",
        help="Rankings and best–worst, one row per option: which rows belong together.",
        role="unit",
    ),
    Parameter("option", "Option", "column", help="The option of the row.", role="factor"),
    Parameter("rank", "Rank", "column", help="1 is the best; equal ranks are ties.", role="measure"),
    Parameter("best", "Best", "column", help="True where the option was chosen as the best."),
    Parameter("worst", "Worst", "column", help="True where the option was chosen as the worst."),
    Parameter("item", "Item", "column", help="What the options are versions of.", role="unit"),
    Parameter(
        "random",
        "Random",
        "choice",
        help="Who or what is a sample of more, so that intervals hold for others as well.",
        choices=RANDOM,
    ),
    Parameter(
        "model",
        "Model of best–worst",
        "choice",
        help="sequential: the best, then the worst of the rest; maxdiff: the pair with the greatest difference.",
        choices=MODELS,
    ),
    Parameter("bootstrap", "Draws", "integer", help="Of participants or items, where they are random."),
    Parameter("seed", "Seed", "integer", help="For the draws."),
)


def check(*, bootstrap: int, confidence: float) -> None:
    """Raise BadInput where a number is out of range."""
    if not 50 <= bootstrap <= MOST_DRAWS:
        raise BadInput(f"bootstrap must lie between 50 and {MOST_DRAWS:,} draws; {bootstrap} does not.")
    check_confidence(confidence)

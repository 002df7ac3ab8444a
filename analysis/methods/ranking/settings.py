"""Parameters of `ranking`, and checks on them."""

from __future__ import annotations

from typing import Any

from analysis.methods.confidence import check_confidence
from analysis.methods.declarations import Parameter
from analysis.methods.parameters import as_names
from analysis.methods.ranking import parsing
from analysis.methods.ranking.rankers import ALL_INPUTS, WITHIN_FOLDS
from analysis.methods.report import BadInput
from analysis.methods.wording import no_such
from analysis.text import arpa
from analysis.text.quality.language_model import OfOrder, orders_of
from analysis.text.quality.measuring import CLASSES
from analysis.text.quality.segments import Sentence, sentences

MOST_DRAWS = 20_000
MOST_SPLITS = 200
SYSTEM_LEVELS = (ALL_INPUTS, WITHIN_FOLDS)

PARAMETERS = (
    Parameter(
        "score",
        "Ratings",
        "columns",
        help="One rating, or several (the texts are measured once). Ratings of the same text are averaged.",
        default="score",
        role="measure",
        also=("dv", "human", "rating"),
    ),
    Parameter("text", "Text", "column", help="The rated text.", required=True),
    Parameter("item", "Item", "column", help="The input that texts share.", required=True, role="unit"),
    Parameter(
        "system",
        "System",
        "column",
        help="Who or what made the text; in a study, the condition.",
        required=True,
        role="factor",
    ),
    Parameter("source", "Source", "column", help="The text that it was made from."),
    Parameter("classes", "Classes of features", "text", help=f"Any of {', '.join(CLASSES)}; empty: all."),
    Parameter(
        "parser",
        "Parser",
        "choice",
        help="none gives the same result on every machine; auto uses an installed parser. If you give a CoNLL-U "
        "file, its parses are used.",
        choices=parsing.PARSERS,
    ),
    Parameter(
        "conllu", "Parses", "file", help="Parses in CoNLL-U; a line '# newdoc id = item:system' comes before each text."
    ),
    Parameter(
        "model", "Language model", "file", help="An n-gram model in the ARPA format, instead of the built-in one."
    ),
    Parameter(
        "corpus",
        "Corpus",
        "file",
        help="Plain text, one paragraph per line. Language models and latent dimensions are then learnt from it.",
    ),
    Parameter(
        "dataset",
        "Data set",
        "column",
        help="The column that distinguishes data sets; needed to train on some of them.",
    ),
    Parameter("train", "Train on", "text", help="The data sets to train on; the others are tested."),
    Parameter("folds", "Folds", "integer", help="The number of parts into which the inputs are divided."),
    Parameter(
        "system_level",
        "Averages of systems",
        "choice",
        help="Over all inputs that are tested, as in the paper, or within every fold.",
        choices=SYSTEM_LEVELS,
    ),
    Parameter("splits", "Divisions into folds", "integer", help="How often the inputs are divided into folds."),
    Parameter("c", "C", "number", help="Weight of the errors in training."),
    Parameter("bootstrap", "Draws", "integer", help="For the intervals."),
    Parameter("seed", "Seed", "integer", help="For folds and draws."),
)


def check(
    *, folds: int, c: float, bootstrap: int, confidence: float, splits: int, dataset: str | None, train: str | None
) -> None:
    """Raise BadInput where a number is out of range, or training is only half described."""
    if folds < 2:
        raise BadInput(f"folds must be 2 at least, so that there are inputs to train on; it is {folds}.")
    if not 1e-6 <= c <= 1e6:
        raise BadInput(f"c must lie between 0.000001 and 1,000,000; {c:g} does not.")
    if not 20 <= bootstrap <= MOST_DRAWS:
        raise BadInput(f"bootstrap must lie between 20 and {MOST_DRAWS:,} draws; {bootstrap} does not.")
    check_confidence(confidence)
    if not 1 <= splits <= MOST_SPLITS:
        raise BadInput(f"splits must lie between 1 and {MOST_SPLITS}; {splits} does not.")
    if train and dataset is None:
        raise BadInput("train names data sets; name the column that tells them apart with dataset=…")
    if dataset is not None and splits > 1:
        raise BadInput("splits deals inputs into folds anew, and with dataset=… there are no folds; leave splits at 1.")


def classes_asked(classes: str | None, *, sourced: bool, entities: bool) -> tuple[str, ...]:
    """Return the classes to use. Raises BadInput for one that does not exist or that these texts cannot have."""
    asked = as_names(classes or ())
    for name in asked:
        if name not in CLASSES:
            raise BadInput(f"classes: {no_such('class', name, list(CLASSES))}")
    if "source_overlap" in asked and not sourced:
        raise BadInput("classes: source_overlap needs the sources; name their column with source=…")
    if "named_entities" in asked and not entities:
        raise BadInput(
            "classes: named_entities needs a model of spaCy that recognises names; install one (en_core_web_sm, for "
            "example) and choose parser=spacy."
        )
    there = {
        name for name in CLASSES if (sourced or name != "source_overlap") and (entities or name != "named_entities")
    }
    return tuple(name for name in CLASSES if name in there and (not asked or name in asked))


def models_of(model: Any) -> tuple[OfOrder, ...] | None:
    """Return the language models of an ARPA file. Raises BadInput where it is none."""
    if model is None:
        return None
    try:
        return orders_of(arpa.read_arpa(model.text))
    except arpa.NotArpa as fault:
        raise BadInput(f"{model.name} is no language model in the ARPA format. {fault}") from None


def corpus_of(corpus: Any) -> tuple[tuple[Sentence, ...], ...] | None:
    """Return the paragraphs of a corpus as sentences. Raises BadInput where it has fewer than two with words."""
    if corpus is None:
        return None
    found = tuple(made for line in corpus.text.splitlines() if (made := sentences(line)))
    if len(found) < 2:
        raise BadInput(
            f"{corpus.name} has {len(found)} lines with words; a corpus is plain text with a paragraph (or a text) on "
            f"every line, and the more of them, the better the language model."
        )
    return found

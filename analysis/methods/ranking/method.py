"""The method `ranking`: which texts of an input do people prefer, judged by features of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods import rows
from analysis.methods.anova import CONFIDENCE
from analysis.methods.designs import PARTICIPANT
from analysis.methods.parameters import as_names
from analysis.methods.ranking import matrices, parsing, remarks, tables
from analysis.methods.ranking import texts as reading
from analysis.methods.ranking.accuracies import resampled
from analysis.methods.ranking.example import example
from analysis.methods.ranking.folding import folds_of
from analysis.methods.ranking.rankers import ranked, sets_of
from analysis.methods.registry import Method, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Report
from analysis.methods.seeds import check_seed
from analysis.methods.wording import no_such
from analysis.text import arpa
from analysis.text.quality.language_model import OfOrder, orders_of
from analysis.text.quality.measuring import CLASSES, Document, class_of
from analysis.text.quality.segments import sentences

MOST_DRAWS = 20_000


def ranking(
    frame: pd.DataFrame,
    *,
    score: Sequence[str],
    text: str | None = "text",
    item: str | None = "item",
    system: str | None = "system",
    source: str | None = "source",
    participant: str | None = "participant",
    classes: str | None = None,
    parser: str = "auto",
    conllu: Any = None,
    model: Any = None,
    folds: int = 5,
    c: float = 1.0,
    bootstrap: int = 1000,
    seed: int = 1,
    confidence: float = 0.95,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Train rankers on pairs of texts of the same input and see whether they order other inputs as people do.

    Tables:
        `accuracy`: score, features, level, pairs, tied, accuracy, ci_low, ci_high, baseline. Share of pairs in the
        order of the mean ratings, mean over folds. `features` is a class, `length` (the logarithm of the number of
        words alone), `all` classes in one ranker, or `meta` (a ranker on the predictions of the classes); `level` is
        input (texts of one input) or system (means over the inputs of a fold); `tied` pairs are left out.
        `ablation`: score, without, level, accuracy, change, ci_low, ci_high. All classes but one; change is the
        accuracy minus that of all.
        `weights`: score, class, feature, weight, weight_alone. Trained on all inputs, per standard deviation.
        `meta`: score, features, weight, lowest, highest. Weights of the classes in the meta rankers over folds.
        `features`: item, system, text, n (rows averaged), each score and `<score>_predicted` (by all features, from
        the ranker that did not see the input; comparable within an input only), and the features, by class:

        Log10 probabilities: lm_unigram_min, lm_unigram_max, lm_unigram_mean, lm_unigram_total, lm_unigram_per_word,
        lm_bigram_min, lm_bigram_max, lm_bigram_mean, lm_bigram_total, lm_bigram_per_word, lm_trigram_min,
        lm_trigram_max, lm_trigram_mean, lm_trigram_total, lm_trigram_per_word. Numbers and shares of words:
        reference_names, reference_new_names, reference_repeated_names, reference_names_share,
        reference_indefinite_share, reference_definite_share, reference_quantifiers_share, reference_pronoun_start;
        cohesive_demonstratives, cohesive_pronouns, cohesive_pronouns_share, cohesive_first_second_person,
        cohesive_definite, cohesive_initial_connectives, cohesive_connectives_share, cohesive_additive,
        cohesive_contrastive, cohesive_causal, cohesive_temporal. Of adjacent sentences: continuity_cosine_min,
        continuity_cosine_max, continuity_cosine_mean, continuity_weighted_min, continuity_weighted_max,
        continuity_weighted_mean, continuity_shared_content, continuity_pairs; pronouns by antecedent:
        continuity_antecedent_same, continuity_antecedent_previous, continuity_antecedent_neither; sentences taken from
        the source: continuity_context_kept, continuity_context_changed, continuity_taken_share. Surface:
        fluency_sentences, fluency_words, fluency_log_words, fluency_length_mean, fluency_length_min,
        fluency_length_max, fluency_length_sd, fluency_word_length (letters), fluency_long_words, fluency_type_token,
        fluency_content_share, fluency_punctuation, fluency_commas, fluency_colons, fluency_questions, fluency_digits,
        fluency_stray_marks, fluency_capital_start, fluency_end_mark, fluency_no_auxiliary, fluency_prepositions,
        fluency_relatives, fluency_negations. Said twice: redundancy_repeated_1, redundancy_repeated_2,
        redundancy_repeated_3, redundancy_repeated_4, redundancy_extra_1, redundancy_extra_2, redundancy_extra_3,
        redundancy_extra_4, redundancy_content, redundancy_commonest, redundancy_sentences, redundancy_stutter,
        redundancy_similar_max, redundancy_similar_mean, redundancy_compressed. IBM model 1, nats per word:
        coherence_forward, coherence_backward, coherence_pairs. Entity grid, shares of transitions (with a parser
        s, o, x and none; without one x and none): grid_x_x, grid_x_none, grid_none_x, grid_none_none, grid_entities,
        grid_entities_per_sentence, grid_recurring, grid_longest_chain, grid_sentences. Words found in the source:
        source_precision_1, source_precision_2, source_precision_3, source_recall, source_content_recall,
        source_content_precision, source_new_names, source_cosine, source_coverage, source_density, source_longest,
        source_compression.

    Formulas and sources are with the functions of `analysis.text.quality`. Raises BadInput where columns are missing,
    fewer than four inputs have texts that differ in their ratings, or a file cannot be read.

    >>> frame, parameters = example()
    >>> print(ranking(frame, **parameters).sentences[0])
    score: the meta ranker put ... of 45 pairs of texts in the order that people gave them, 95 % CI [...]; ...
    """
    _check(folds=folds, c=c, bootstrap=bootstrap, confidence=confidence)
    check_seed(seed)
    data = reading.read(
        frame,
        text=text,
        score=score,
        item=item,
        system=system,
        source=source,
        participant=participant,
        where=where,
        keep=keep,
    )
    used = _classes(classes, sourced=data.sources is not None)
    models = _models(model)
    split = [sentences(one) for one in data.texts]
    names_of_texts = [
        f"{data.item_names[i]}:{data.system_names[s]}" for i, s in zip(data.items, data.systems, strict=True)
    ]
    progress(0.02, "parsing the texts")
    parses = parsing.parse(
        split,
        names_of_texts,
        parser=parser,
        conllu=None if conllu is None else conllu.text,
        advance=lambda share: progress(0.02 + 0.38 * share, "parsing the texts"),
    )
    of_source = {one: sentences(one) for one in set(data.sources or ())}
    documents = [
        Document(
            text=split[at],
            source=of_source[data.sources[at]] if data.sources is not None else None,
            parsed=parses.parsed[at] if parses.parsed is not None else None,
        )
        for at in range(len(split))
    ]
    random = np.random.default_rng(seed)
    folded = folds_of(len(data.item_names), folds=min(folds, len(data.item_names)), random=random)
    names, matrix = matrices.features_per_fold(
        documents,
        data.items,
        folded,
        models=models,
        random=random,
        advance=lambda share: progress(0.4 + 0.2 * share, "measuring the texts"),
    )
    draws = resampled(folded, bootstrap, random)
    sets = sets_of(names, used)
    results = []
    for number, name in enumerate(score):
        start, end = 0.6 + 0.4 * number / len(score), 0.6 + 0.4 * (number + 1) / len(score)

        def advance(share: float, start: float = start, end: float = end, name: str = name) -> None:
            progress(start + (end - start) * share, f"training rankers of {name}")

        results.append(
            ranked(
                data,
                name,
                folded,
                matrix,
                sets,
                used,
                c=c,
                draws=draws,
                by_system=len(data.system_names) <= reading.MOST_SYSTEMS,
                advance=advance,
            )
        )
    features = matrices.out_of_fold(matrix)
    ablation = tables.ablation_table(results, confidence=confidence)
    further = (ablation, tables.meta_table(results, used))
    chosen = [at for at, name in enumerate(names) if class_of(name) in used]
    return Report(
        method="ranking",
        params={},
        tables=(
            tables.accuracy_table(results, confidence=confidence),
            *(table for table in further if table is not None),
            tables.weights_table(results, names, chosen),
            tables.features_table(data, results, names, features),
        ),
        figures=tables.figures(results, confidence=confidence, ablated=ablation is not None),
        notes=(
            *data.notes,
            parses.note,
            *remarks.notes(
                used,
                folds=len(folded),
                c=c,
                draws=bootstrap,
                confidence=confidence,
                seed=seed,
                model="" if model is None else str(model),
                sourced=data.sources is not None,
            ),
        ),
        warnings=(
            *data.warnings,
            *parses.warnings,
            *remarks.warnings(data, results, [names[at] for at in chosen], features[:, chosen], confidence=confidence),
        ),
        sentences=tables.sentences(results, confidence=confidence),
    )


def _check(*, folds: int, c: float, bootstrap: int, confidence: float) -> None:
    if folds < 2:
        raise BadInput(f"folds must be 2 at least, so that there are inputs to train on; it is {folds}.")
    if not 1e-6 <= c <= 1e6:
        raise BadInput(f"c must lie between 0.000001 and 1,000,000; {c:g} does not.")
    if not 20 <= bootstrap <= MOST_DRAWS:
        raise BadInput(f"bootstrap must lie between 20 and {MOST_DRAWS:,} draws; {bootstrap} does not.")
    if not 0.5 <= confidence < 1:
        raise BadInput(f"confidence must lie between 0.5 and 1, such as 0.95; {confidence:g} does not.")


def _classes(classes: str | None, *, sourced: bool) -> tuple[str, ...]:
    asked = as_names(classes or ())
    for name in asked:
        if name not in CLASSES:
            raise BadInput(f"classes: {no_such('class', name, list(CLASSES))}")
    if "source_overlap" in asked and not sourced:
        raise BadInput("classes: source_overlap needs the sources; name their column with source=…")
    return tuple(name for name in CLASSES if (not asked or name in asked) and (sourced or name != "source_overlap"))


def _models(model: Any) -> tuple[OfOrder, ...] | None:
    if model is None:
        return None
    try:
        return orders_of(arpa.read_arpa(model.text))
    except arpa.NotArpa as fault:
        raise BadInput(f"{model.name} is no language model in the ARPA format. {fault}") from None


METHOD = Method(
    slug="ranking",
    label="Ranking of texts",
    summary="Which features of texts tell the better ones of an input: language model, cohesion, entity grid and more.",
    function=ranking,
    parameters=(
        Parameter(
            "score",
            "Ratings",
            "columns",
            help="One rating, or several (the texts are measured once). Ratings of the same text are averaged.",
            default="score",
            required=True,
            role="measure",
            also=("dv", "human", "rating"),
        ),
        Parameter("text", "Text", "column", help="What was rated.", default="text", required=True),
        Parameter(
            "item", "Item", "column", help="The input that texts share.", default="item", required=True, role="unit"
        ),
        Parameter(
            "system",
            "System",
            "column",
            help="Who or what made the text; in a study, the condition.",
            default="system",
            required=True,
            role="factor",
        ),
        Parameter("source", "Source", "column", help="The text that it was made from.", default="source"),
        PARTICIPANT,
        Parameter(
            "classes",
            "Classes of features",
            "text",
            help=f"Any of {', '.join(CLASSES)}; empty: all.",
        ),
        Parameter(
            "parser",
            "Parser",
            "choice",
            help="auto: the CoNLL-U file, else an installed spaCy model, else link-grammar, else none.",
            default="auto",
            choices=parsing.PARSERS,
        ),
        Parameter(
            "conllu", "Parses", "file", help="Parses in CoNLL-U; '# newdoc id = item:system' stands before each text."
        ),
        Parameter("model", "Language model", "file", help="An n-gram model in the ARPA format, instead of our own."),
        Parameter("folds", "Folds", "integer", help="Parts that the inputs are dealt into.", default=5),
        Parameter("c", "C", "number", help="Weight of the errors in training.", default=1.0),
        Parameter("bootstrap", "Draws", "integer", help="For the intervals.", default=1000),
        Parameter("seed", "Seed", "integer", help="For folds and draws.", default=1),
        CONFIDENCE,
        *rows.ROW_PARAMETERS,
    ),
    example=example,
)

"""The method `ranking`: which texts of an input do people prefer, judged by features of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.declarations import Progress, no_progress
from analysis.methods.ranking import matrices, parsing, settings, tables
from analysis.methods.ranking import texts as reading
from analysis.methods.ranking import wording as remarks
from analysis.methods.ranking.accuracies import resampled
from analysis.methods.ranking.example import example
from analysis.methods.ranking.folding import folds_of
from analysis.methods.ranking.rankers import ALL_INPUTS, CONTINUITY, ranked, sets_of
from analysis.methods.ranking.splits import over_splits
from analysis.methods.report import Report
from analysis.methods.roles import declared
from analysis.methods.seeds import check_seed
from analysis.text.quality.measuring import Document, class_of, names_entities
from analysis.text.quality.segments import sentences


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
    parser: str = "none",
    conllu: Any = None,
    model: Any = None,
    corpus: Any = None,
    dataset: str | None = None,
    train: str | None = None,
    folds: int = 5,
    system_level: str = ALL_INPUTS,
    splits: int = 1,
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
        input (texts of one input) or system (means of systems over all inputs that are tested, or, with
        system_level=within-folds, over the inputs of a fold, and then the mean over folds); `tied` pairs are left out.
        `ablation`: score, without, level, accuracy, change, ci_low, ci_high. All classes but one; change is the
        accuracy minus that of all.
        `continuity`: as `ablation`, of the class continuity without one of its components: cosine, coreference (places
        of possible antecedents) or source context; change is from the class continuity alone.
        `splits` (with splits > 1): score, features, level, splits, mean, sd, lowest, highest, ci_low, ci_high.
        Accuracies over random divisions of the inputs into folds; the interval is mean ± z · sd.
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
        source_compression. In the manner of Coh-Metrix: cohmetrix_words_per_sentence, cohmetrix_syllables_per_word,
        cohmetrix_grade, cohmetrix_ease, cohmetrix_zipf, cohmetrix_zipf_rarest, cohmetrix_type_token,
        cohmetrix_stem_overlap, cohmetrix_stem_overlap_all, cohmetrix_content_overlap, cohmetrix_connectives,
        cohmetrix_additive, cohmetrix_contrastive, cohmetrix_causal, cohmetrix_temporal, cohmetrix_negations,
        cohmetrix_pronouns; latent semantic analysis, cosines of adjacent sentences and of all pairs:
        cohmetrix_lsa_min, cohmetrix_lsa_max, cohmetrix_lsa_mean, cohmetrix_lsa_all; with a parser also overlap of
        nouns and likeness of syntax. With a model of spaCy that recognises names, the class named_entities.

    Formulas and sources are with the functions of `analysis.text.quality`. Raises BadInput where columns are missing,
    fewer than four inputs have texts that differ in their ratings, or a file cannot be read.

    >>> frame, parameters = example()
    >>> print(ranking(frame, **parameters).sentences[0])
    score: the meta ranker put ... of 45 pairs of texts in the order that people gave them, 95 % CI [...]; ...
    """
    settings.check(
        folds=folds, c=c, bootstrap=bootstrap, confidence=confidence, splits=splits, dataset=dataset, train=train
    )
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
        dataset=dataset,
        train=train,
    )
    settings.classes_asked(classes, sourced=data.sources is not None, entities=parser in parsing.WITH_MODELS)
    models, paragraphs = settings.models_of(model), settings.corpus_of(corpus)
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
    entities = parses.parsed is not None and any(names_entities(one) for one in parses.parsed)
    used = settings.classes_asked(classes, sourced=data.sources is not None, entities=entities)
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
    inputs = len(data.item_names)
    folded = (
        folds_of(inputs, folds=min(folds, inputs), random=random) if data.training is None else [data.tested_inputs]
    )
    names, matrix = matrices.features_per_fold(
        documents,
        data.items,
        folded,
        models=models,
        corpus=paragraphs,
        random=random,
        advance=lambda share: progress(0.4 + 0.2 * share, "measuring the texts"),
    )
    draws = resampled(folded, bootstrap, random)
    sets = sets_of(names, used)
    results = []
    for number, name in enumerate(score):
        start, end = 0.6 + 0.3 * number / len(score), 0.6 + 0.3 * (number + 1) / len(score)

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
                system_level=system_level,
                advance=advance,
            )
        )
    features = matrices.out_of_fold(matrix)
    ablation = tables.ablation_table(results, confidence=confidence)
    divided = None
    if splits > 1:
        divisions = []
        for number in range(1, splits):
            dealt = np.random.default_rng([seed, number])
            other = folds_of(inputs, folds=min(folds, inputs), random=dealt)
            _, values = matrices.features_per_fold(
                documents,
                data.items,
                other,
                models=models,
                corpus=paragraphs,
                random=dealt,
                advance=lambda share: progress(0.9, "dealing the inputs into other folds"),
            )
            divisions.append((other, values))
        shares = over_splits(
            data,
            results,
            divisions,
            sets,
            used,
            c=c,
            system_level=system_level,
            advance=lambda share: progress(0.9 + 0.1 * share, "training rankers of other folds"),
        )
        divided = tables.splits_table(results, shares, confidence=confidence)
    further = (
        ablation,
        tables.ablation_table(results, confidence=confidence, within=CONTINUITY),
        divided,
        tables.meta_table(results, used),
    )
    chosen = [at for at, name in enumerate(names) if class_of(name) in used]
    return Report(
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
                folds=len(folded) if data.training is None else 0,
                system_level=system_level,
                c=c,
                draws=bootstrap,
                confidence=confidence,
                seed=seed,
                model="" if model is None else str(model),
                corpus="" if corpus is None else str(corpus),
                splits=splits,
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


METHOD = declared(
    "ranking",
    "Ranking of texts",
    "Which features of texts tell the better ones of an input: language model, cohesion, entity grid and more.",
    ranking,
    *settings.PARAMETERS,
    example=example,
)

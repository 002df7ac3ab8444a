"""The method `ranking`: predict which texts of an input people prefer, from features of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
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
from analysis.methods.ranking.rankers import ALL_INPUTS, ranked, sets_of
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
    measured = partial(matrices.features_per_fold, documents, data.items, models=models, corpus=paragraphs)
    names, matrix = measured(
        folded, random=random, advance=lambda share: progress(0.4 + 0.2 * share, "measuring the texts")
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
    divided = []
    if splits > 1:
        divisions = []
        for number in range(1, splits):
            dealt = np.random.default_rng([seed, number])
            other = folds_of(inputs, folds=min(folds, inputs), random=dealt)
            _, values = measured(
                other, random=dealt, advance=lambda share: progress(0.9, "dealing the inputs into other folds")
            )
            divisions.append((other, values))
        found = over_splits(
            data,
            results,
            divisions,
            sets,
            used,
            c=c,
            system_level=system_level,
            advance=lambda share: progress(0.9 + 0.1 * share, "training rankers of other folds"),
        )
        divided.append(tables.splits_table(results, found, confidence=confidence))
    ablated = tables.ablation_tables(results, confidence=confidence)
    chosen = [at for at, name in enumerate(names) if class_of(name) in used]
    return Report(
        tables=(
            tables.accuracy_table(results, confidence=confidence),
            *ablated,
            *divided,
            *tables.meta_tables(results, used),
            tables.weights_table(results, names, chosen),
            tables.features_table(data, results, names, features),
        ),
        figures=tables.figures(
            results, confidence=confidence, ablated=any(table.name == "ablation" for table in ablated)
        ),
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
    (
        "Which features of texts distinguish better texts for the same input: language model, cohesion, entity grid "
        "and more."
    ),
    ranking,
    *settings.PARAMETERS,
    group="predict",
    question=("Which features of texts distinguish the better ones?",),
    needs=("ranked texts",),
    example=example,
    tables=tables.TABLES,
)

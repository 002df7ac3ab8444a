"""Read the texts to rank from a frame: one per input, system and wording, with its mean rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats, without_noise
from analysis.methods.parameters import as_names
from analysis.methods.ranking.folding import Ints
from analysis.methods.report import BadInput
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import Coded, coded, codes, level_meant, numbers, required
from analysis.methods.wording import counted, listed, no_such

MOST_SYSTEMS = 200
FEWEST_INPUTS = 4


@dataclass(frozen=True)
class Texts:
    """The texts in the order of their inputs and systems; `ratings` are means over rows, by the column they are in."""

    items: Ints
    systems: Ints
    item_names: tuple[str, ...]
    system_names: tuple[str, ...]
    texts: tuple[str, ...]
    sources: tuple[str, ...] | None
    ratings: dict[str, Floats]
    rows: Ints
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    training: npt.NDArray[np.bool_] | None = None
    """For each input whether it is only trained on; None where folds take turns."""

    @property
    def trained_inputs(self) -> Ints:
        """The inputs whose ratings rankers learn from."""
        return np.arange(len(self.item_names)) if self.training is None else np.flatnonzero(self.training)

    @property
    def tested_inputs(self) -> Ints:
        """The inputs whose texts rankers are tested on."""
        return np.arange(len(self.item_names)) if self.training is None else np.flatnonzero(~self.training)


def read(
    frame: pd.DataFrame,
    *,
    text: str | None,
    score: Sequence[str],
    item: str | None,
    system: str | None,
    source: str | None,
    participant: str | None,
    where: str | None,
    keep: str | None,
    dataset: str | None = None,
    train: str | None = None,
) -> Texts:
    """Read the texts. With a column `dataset` inputs are of one data set each (`2006:I1`), and those of the data sets
    in `train` are for training. Raises BadInput where a column is missing or too few inputs are left.
    """
    if not score:
        raise BadInput("Name the column with the ratings, with score=…; several are analysed one after the other.")
    named = {
        "item": required(frame, item, role="item"),
        "system": required(frame, system, role="system"),
        "text": required(frame, text, role="text"),
    }
    both = sorted(set(score) & set(named.values()))
    if both:
        raise BadInput(f"{listed(both)} is a rating and the text, item or system as well; choose different columns.")
    chosen = rows.select(
        frame,
        used=[*score, *named.values(), source, dataset],
        measured=score,
        units=(participant,),
        where=where,
        keep=keep,
    )
    data = chosen.frame
    values = {name: numbers(data, name).to_numpy(dtype=np.float64) for name in score}
    keys = pd.DataFrame({role: codes(data, column).to_numpy() for role, column in named.items()})
    warnings = list(chosen.warnings)
    if dataset is not None:
        own = codes(data, dataset).to_numpy()
        keys["item"] = [
            None if of is None or one is None else f"{of}:{one}" for of, one in zip(own, keys["item"], strict=True)
        ]
    missing = {named[role]: int(keys[role].isna().sum()) for role in named}
    missing |= {name: int(np.isnan(column).sum()) for name, column in values.items()}
    usable = keys.notna().all(axis=1).to_numpy() & ~np.isnan(np.column_stack(list(values.values()))).any(axis=1)
    for name, number in missing.items():
        if number:
            warnings.append(f"{counted(number, 'row')} without a value of '{name}' had no part in it.")
    if not usable.any():
        raise BadInput(f"No row has a value of all of {listed([*named.values(), *score])}; check these columns.")
    data, keys = data.loc[usable], keys.loc[usable]
    groups = [coded(keys, role) for role in ("item", "system")]
    words = pd.factorize(keys["text"], sort=True)[0]
    order, where_of = np.unique(
        np.column_stack([groups[0].positions, groups[1].positions, words]), axis=0, return_inverse=True
    )
    first = np.full(len(order), -1, dtype=np.intp)
    # Take the first row of each text: the last assignment counts, so they are made backwards.
    first[where_of[::-1]] = np.arange(len(where_of))[::-1]
    count = np.bincount(where_of)
    ratings = {
        name: without_noise(np.bincount(where_of, weights=column[usable]) / count) for name, column in values.items()
    }
    sources, said = _sources(data, source, first)
    items = order[:, 0].astype(np.intp)
    training = None if dataset is None else _training(data, dataset, train, groups[0])
    if training is not None:
        warnings += _in_both(items, keys["text"].iloc[first].to_numpy(), training)
    if len(groups[0].levels) < FEWEST_INPUTS:
        raise BadInput(
            f"Rankers are trained on some inputs and tested on others, which takes {FEWEST_INPUTS} at least; the "
            f"column '{named['item']}' has {len(groups[0].levels)}. Name the column of the inputs with item=…"
        )
    return Texts(
        items=items,
        systems=order[:, 1].astype(np.intp),
        item_names=groups[0].levels,
        system_names=groups[1].levels,
        texts=tuple(keys["text"].iloc[first]),
        sources=sources,
        ratings=ratings,
        rows=count.astype(np.intp),
        notes=(*chosen.notes, _means_note(data, participant, count, len(groups[0].levels), len(groups[1].levels))),
        warnings=(*warnings, *said),
        training=training,
    )


def _training(data: pd.DataFrame, dataset: str, train: str | None, inputs: Coded) -> npt.NDArray[np.bool_]:
    """Return for every input whether its data set is trained on. Raises BadInput where none is, or all are."""
    sets = coded(data, dataset)
    asked = as_names(train or ())
    chosen: set[str] = set()
    for name in asked:
        meant = level_meant(name, sets.levels)
        if meant is None:
            raise BadInput(f"train: {no_such(f'level of {dataset}', name, sets.levels)}")
        chosen.add(meant)
    if not chosen or len(chosen) == len(sets.levels):
        raise BadInput(
            f"The column '{dataset}' holds {listed(sets.levels)}: name the data sets to train on with train=…, such as "
            f"train={sets.levels[0]}, and leave one at least to test on."
        )
    found = np.zeros(len(inputs.levels), dtype=bool)
    found[inputs.positions] = np.isin(sets.positions, [sets.levels.index(name) for name in chosen])
    return found


def _in_both(items: Ints, texts: npt.NDArray[np.object_], training: npt.NDArray[np.bool_]) -> list[str]:
    taught = training[items]
    both = set(texts[taught]) & set(texts[~taught])
    if not both:
        return []
    return [
        f"{counted(len(both), 'text stands', 'texts stand')} in data that are trained on and in data that are tested; "
        f"accuracies are too high for texts that are new."
    ]


def _sources(data: pd.DataFrame, source: str | None, first: Ints) -> tuple[tuple[str, ...] | None, list[str]]:
    if source is None or source not in data.columns:
        return None, []
    texts = codes(data, source).iloc[first]
    lacking = int(texts.isna().sum())
    if lacking == len(texts):
        return None, [f"The column '{source}' is empty, so nothing was compared with sources."]
    said = f"{counted(lacking, 'text')} without a source: the features of overlap are empty there."
    return tuple("" if text is None else str(text) for text in texts), [said] if lacking else []


def _means_note(data: pd.DataFrame, participant: str | None, count: Ints, inputs: int, systems: int) -> str:
    least, most = int(count.min()), int(count.max())
    number = str(most) if least == most else f"{least} to {most}"
    by = ""
    if participant is not None and participant in data.columns:
        people = codes(data, participant).nunique()
        by = f" by {counted(int(people), 'participant')}"
    what = "Every text was rated once" if most == 1 else f"The {number} ratings of a text were averaged"
    return f"{counted(len(count), 'text')} of {counted(systems, 'system')} for {counted(inputs, 'input')}{by}. {what}."

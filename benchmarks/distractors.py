"""Measure the quality of Maze distractors: matching in length and frequency, surprisal by an independent model.

    python -m benchmarks distractors

The sentences in prose of the documentation of installed packages are dealt into three heaps: one trains the model that
chooses, one the model that judges, and of the third come the texts of the example. The judge shows what is left of the
ten bits where it was not its own numbers that were searched for the largest.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import TYPE_CHECKING

from analysis.distractors.choosing import LEAST_BITS, LENGTH_WITHIN, ZIPF_WITHIN, Choice, Item
from analysis.distractors.improbable import Improbability
from benchmarks.arpa_of_texts import arpa_of, documentation_sentences
from experiments.formats.csvtext import csv_text

if TYPE_CHECKING:
    from analysis.distractors.materials import Made

EXAMPLES = Path(__file__).resolve().parent.parent / "experiments" / "examples"
RESULTS = Path(__file__).resolve().parent / "results"
# Of so many sentences come the texts that get distractors; the models know none of them.
HELD_OUT = 3000
GERMAN = (
    "Der alte Gärtner pflanzte im Herbst drei junge Apfelbäume hinter das Haus.",
    "Die Lehrerin erklärte den Kindern langsam die Regeln des neuen Spiels.",
    "Gestern Abend hat mein Bruder seine Brille in der Küche liegen lassen.",
    "Weil es seit Tagen regnete, stand das Wasser im Keller knöcheltief.",
    "Der Bäcker öffnete seinen Laden früher als sonst und verkaufte warmes Brot.",
    "Niemand wusste genau, warum die Brücke über den Fluss gesperrt worden war.",
    "Nach der Probe räumten die Musiker ihre Instrumente sorgfältig in die Koffer.",
    "Meine Nachbarin füttert jeden Morgen die Vögel auf ihrem kleinen Balkon.",
    "Das Museum zeigt bis zum Sommer alte Karten und seltene Münzen.",
    "Die Bauern hofften auf Regen, denn die Felder waren völlig trocken.",
)


def main() -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(description="How well distractors match, and how improbable they are.")
    parser.add_argument("--texts", type=int, default=60, help="held-out sentences that get distractors")
    parser.add_argument("--sentences", type=int, default=None, help="sentences to train with; all where not given")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder where the numbers go")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from analysis.distractors.materials import make_distractors

    sentences = documentation_sentences(enough=HELD_OUT + options.sentences if options.sentences else math.inf)
    random.Random(1).shuffle(sentences)
    texts = [one for one in sentences[:HELD_OUT] if 8 <= len(one.split()) <= 16 and one.replace(" ", "")[:-1].isalpha()]
    rest = sentences[HELD_OUT:][: options.sentences]
    table = csv_text(
        ["item", "text"], [[f"t{number}", text] for number, text in enumerate(texts[: options.texts], start=1)]
    )
    found: dict[str, object] = {"sentences that train each model": len(rest) // 2, "texts": len(texts[: options.texts])}
    with tempfile.TemporaryDirectory() as folder:
        chooser, judge = Path(folder) / "chooser.arpa", Path(folder) / "judge.arpa"
        chooser.write_text(arpa_of(rest[::2]), encoding="utf-8")
        judge.write_text(arpa_of(rest[1::2]), encoding="utf-8")
        for name, model in (("with the model", chooser), ("without a model", None)):
            made = make_distractors(table.encode(), model=model)
            bits = {"by the judge": improbable(judged(made, judge))}
            if model is not None:
                bits["by the model that chose"] = improbable(_bits(made))
            found[name] = {**matched(made), **bits}
        clauses = (EXAMPLES / "relative-clauses" / "materials.csv").read_bytes()
        found["example relative-clauses, without a model"] = matched(make_distractors(clauses))
        german = csv_text(["item", "text"], [[f"g{number}", text] for number, text in enumerate(GERMAN, start=1)])
        found["ten German sentences, without a model"] = matched(make_distractors(german.encode(), language="de"))
        with_model = make_distractors(clauses, model=chooser)
        found["example relative-clauses, with the model"] = {
            **matched(with_model), "by the model that chose": improbable(_bits(with_model))
        }  # fmt: skip
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "distractors.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))


def matched(made: Made) -> dict[str, float]:
    """Return how near distractors are to their words in length and Zipf frequency."""
    choices = [choice for chosen in made.choices for choice in chosen]
    zipfs = [zipf for choice in choices if (zipf := choice.zipf_difference) is not None]
    single = [choice for choice in choices if len(choice.words) == 1]
    return {
        "distractors": len(choices),
        "length within 1": _share(choice.length_difference <= LENGTH_WITHIN for choice in choices),
        "length within 1, one word beside them": _share(one.length_difference <= LENGTH_WITHIN for one in single),
        "Zipf within 0.5": _share(zipf <= ZIPF_WITHIN for zipf in zipfs),
        "mean length of words": round(fmean(len(word) for one in choices for word in one.words), 3),
        "mean length of distractors": round(fmean(len(one.distractor) for one in choices), 3),
        "mean Zipf of words": round(fmean(_listed(choices)), 3),
        "mean Zipf of distractors": round(fmean(one.zipf for one in choices), 3),
        "median Zipf difference": round(median(zipfs), 3),
    }


def improbable(bits: Sequence[float]) -> dict[str, object]:
    """Return how much less probable distractors are than their words."""
    low, _middle, high = quantiles(bits, n=4)
    return {
        "compared": len(bits),
        "at least 10 bits": _share(one >= LEAST_BITS for one in bits),
        "less probable at all": _share(one > 0 for one in bits),
        "median bits": round(median(bits), 2),
        "quartiles": [round(low, 2), round(high, 2)],
    }


def judged(made: Made, path: Path) -> list[float]:
    """Return the differences in bits by another model, where it knows both words."""
    pairs = [pair for item, chosen in zip(made.items, made.choices, strict=True) for pair in _pairs(item, chosen)]
    model = Improbability.knowing(path, {token for context, *words in pairs for token in (*context, *words)})
    asked = [(model.context(context), word, distractor) for context, word, distractor in pairs]
    for context, *words in asked:
        for word in words:
            model.ask(context, word)
    model.read()
    both = [(model.bits(context, word), model.bits(context, distractor)) for context, word, distractor in asked]
    return [other - real for real, other in both if real is not None and other is not None]


def _pairs(item: Item, chosen: Sequence[Choice]) -> list[tuple[tuple[str, ...], str, str]]:
    contexts = item.sentences[0].contexts()
    words = {slot.place: slot.word for slot in item.sentences[0].slots()}
    return [(contexts[one.place], words[one.place], one.distractor) for one in chosen if one.place in words]


def _bits(made: Made) -> list[float]:
    return [one.bits for chosen in made.choices for one in chosen if one.bits is not None]


def _listed(choices: Sequence[Choice]) -> list[float]:
    return [zipf for one in choices for zipf in one.word_zipfs if zipf is not None]


def _share(values: Iterable[bool]) -> float:
    return round(fmean(values), 4)


if __name__ == "__main__":
    main()

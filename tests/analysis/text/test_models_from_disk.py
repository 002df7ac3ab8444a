"""Oracle: `read_arpa` on the whole text; a model on the disk gives the same surprisal and holds what the texts need."""

from __future__ import annotations

import tracemalloc
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.data import analyse_file
from analysis.methods.declarations import FileOnDisk, TextFile
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from analysis.methods.texts.method import METHOD
from analysis.text.arpa import NotArpa, read_arpa
from analysis.text.arpa_file import model_for
from tests.analysis.text.bigrams import BIGRAMS


def random_model(words: int, *, unknown: str = "<unk>", seed: int = 1, blank: str = "\t") -> str:
    """Return a trigram model of so many words that has a third of all bigrams and a tenth of all trigrams."""
    random = np.random.default_rng(seed)
    vocabulary = ["<s>", "</s>", *([unknown] if unknown else []), *(f"w{n}" for n in range(words)), "."]
    orders: list[list[tuple[str, ...]]] = [[(word,) for word in vocabulary]]
    orders.append([gram for gram in product(vocabulary, repeat=2) if random.random() < 1 / 3])
    orders.append([gram for gram in product(vocabulary, repeat=3) if random.random() < 1 / 10])
    lines = ["\\data\\", *(f"ngram {n}={len(grams)}" for n, grams in enumerate(orders, start=1))]
    for n, grams in enumerate(orders, start=1):
        lines += ["", f"\\{n}-grams:"]
        for gram in grams:
            weight = f"{blank}{-random.random():.4f}" if n < 3 else ""
            lines.append(f"{-4 * random.random():.4f}{blank}{' '.join(gram)}{weight}")
    return "\n".join([*lines, "", "\\end\\", ""])


def stored(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "model.arpa"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("unknown", ["<unk>", "<UNK>", ""])
@pytest.mark.parametrize("blank", ["\t", "  "])
def test_surprisal_from_the_disk_is_that_of_the_whole_model(tmp_path, unknown, blank):
    text = random_model(12, unknown=unknown, blank=blank)
    random = np.random.default_rng(2)
    tokens = [*(f"w{n}" for n in range(12)), "W3", "never", ".", ","]
    sentences = [[str(token) for token in random.choice(tokens, 15)] for _ in range(20)]
    whole, part = read_arpa(text), model_for(stored(tmp_path, text), sentences)
    assert (part.order, part.vocabulary, part.unknown) == (whole.order, whole.vocabulary, whole.unknown)
    for sentence in sentences:
        assert part.surprisal([sentence]) == whole.surprisal([sentence])
    assert len(part.probabilities) < len(whole.probabilities)


def test_memory_hangs_on_the_texts_and_not_on_the_model(tmp_path):
    sizes = []
    for words in (10, 45):
        large = stored(tmp_path, random_model(words))
        tracemalloc.start()
        part = model_for(large, [["w1", "w2", "w3", "never"]])
        sizes.append((large.stat().st_size, tracemalloc.get_traced_memory()[1], len(part.probabilities)))
        tracemalloc.stop()

    assert sizes[1][0] > 30 * sizes[0][0]
    assert sizes[1][1] < 2 * sizes[0][1]
    assert sizes[1][2] <= 12


def test_a_command_reads_a_large_model_from_the_disk(tmp_path, monkeypatch):
    path = stored(tmp_path, BIGRAMS)
    monkeypatch.setattr(analyse_file, "MOST_IN_MEMORY", 10)
    given = analyse_file.text_file(path)
    assert isinstance(given, FileOnDisk)
    frame = pd.DataFrame({"text": ["The cat.", "The cat sat."]})
    reports = [run(METHOD, frame, {"model": model}) for model in (given, TextFile(path.name, BIGRAMS))]
    assert reports[0].table("texts").rows == reports[1].table("texts").rows
    assert reports[0].notes == reports[1].notes, "with the same hash and the same number of words"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("\\data\\", "\\date\\"), "no line"),
        (("ngram 2=2", "ngram 2=3"), "announces 3 2-grams and the file has 2"),
        (("\\end\\", ""), "cut off"),
        (("\\1-grams:", "\\2-grams:"), "1-grams should come"),
        (("-0.3\tthe cat", "x\tthe cat"), "is no number"),
    ],
)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path, change, sentence):
    path = stored(tmp_path, BIGRAMS.replace(*change))
    with pytest.raises(NotArpa, match=sentence):
        model_for(path, [["the", "cat"]])
    with pytest.raises(BadInput, match="no language model in the ARPA format"):
        run(METHOD, pd.DataFrame({"text": ["The cat."]}), {"model": FileOnDisk("model.arpa", path)})

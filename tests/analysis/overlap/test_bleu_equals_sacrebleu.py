"""Oracle: sacrebleu itself, over corpora, single texts, different numbers of references and random words."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods.overlap.method import overlap
from analysis.text.bleu import Bleu, bleu_counts, bleu_score, bleu_signature
from analysis.text.ngrams import TOKENIZERS, ngram_counts, tokens
from analysis.text.references import target
from tests.analysis.overlap.turkcorpus import REFERENCES, needs_turkcorpus, outputs, scores, systems
from tests.selection import EXHAUSTIVE

pytestmark = pytest.mark.slow

logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def ours(
    texts: Sequence[str], references: Sequence[Sequence[str]], *, tokenizer: str = "13a", single: bool = False
) -> Bleu:
    def grams(text: str):
        return ngram_counts(tokens(text, tokenizer=tokenizer))

    counts = [
        bleu_counts(grams(text), target(grams(""), [grams(reference) for reference in of_text]))
        for text, of_text in zip(texts, references, strict=True)
    ]
    return bleu_score(np.sum(counts, axis=0), effective_order=single)


@needs_turkcorpus
def test_every_number_of_a_system_is_that_of_sacrebleu() -> None:
    for system in systems():
        rows = outputs()[outputs()["system"] == system]
        theirs = sacrebleu.corpus_bleu(
            rows["text"].tolist(), [rows[name].tolist() for name in REFERENCES], lowercase=True
        )
        found = scores(lowercase=True).loc[system]
        assert found["bleu"] == pytest.approx(theirs.score, rel=1e-12)
        assert found["brevity_penalty"] == pytest.approx(theirs.bp, rel=1e-12)
        assert found["length_ratio"] == pytest.approx(theirs.sys_len / theirs.ref_len, rel=1e-12)
        assert [found[f"precision_{n}"] for n in range(1, 5)] == pytest.approx(theirs.precisions, rel=1e-12)


words = st.lists(st.sampled_from(["the", "a", "Cat", "sat.", "U.S.", "3,5", "💡", "isn't", "&amp;"]), max_size=9)
texts = words.map(" ".join)


@settings(max_examples=150 if EXHAUSTIVE else 30, deadline=None, derandomize=True)
@given(
    text=texts, references=st.lists(texts.filter(bool), min_size=1, max_size=3), tokenizer=st.sampled_from(TOKENIZERS)
)
def test_single_texts_score_as_in_sacrebleu(text: str, references: list[str], tokenizer: str) -> None:
    theirs = sacrebleu.sentence_bleu(text, references, lowercase=True, tokenize=tokenizer, use_effective_order=True)
    found = ours([text], [references], tokenizer=tokenizer, single=True)
    assert found.score == pytest.approx(theirs.score, rel=1e-12)


@settings(max_examples=60 if EXHAUSTIVE else 15, deadline=None, derandomize=True)
@given(pairs=st.lists(st.tuples(texts, texts.filter(bool), st.one_of(st.none(), texts.filter(bool))), min_size=1))
def test_corpora_with_different_numbers_of_references_score_as_in_sacrebleu(
    pairs: list[tuple[str, str, str | None]],
) -> None:
    second = [second for _, _, second in pairs]
    streams: list[list[Any]] = [[first for _, first, _ in pairs], *([second] if any(second) else [])]
    theirs = sacrebleu.corpus_bleu([text for text, _, _ in pairs], streams, lowercase=True)
    found = ours([text for text, _, _ in pairs], [[r for r in (first, second) if r] for _, first, second in pairs])
    assert found.score == pytest.approx(theirs.score, rel=1e-12)
    known = [100 * count / total if total else None for count, total in zip(theirs.counts, theirs.totals, strict=True)]
    assert [None if value is None else round(value, 9) for value in found.precisions] == [
        None if value is None else round(value, 9) for value in known
    ]
    assert found.brevity_penalty == pytest.approx(theirs.bp, rel=1e-12)
    assert found.length_ratio == pytest.approx(theirs.sys_len / theirs.ref_len, rel=1e-12)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("lowercase", [True, False])
def test_the_signature_is_that_of_sacrebleu(tokenizer: str, lowercase: bool) -> None:
    metric = sacrebleu.BLEU(lowercase=lowercase, tokenize=tokenizer)
    metric.corpus_score(["a b"], [["a b"], ["a c"]])
    assert bleu_signature([2], tokenizer=tokenizer, lowercase=lowercase) == str(metric.get_signature())


def test_the_report_prints_the_signature() -> None:
    frame = pd.DataFrame({"text": ["a b c d"], "reference": ["a b c d|||a b c"]})
    notes = " ".join(overlap(frame, source=None, system=None, item=None).notes)
    assert f"nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:{sacrebleu.__version__}" in notes

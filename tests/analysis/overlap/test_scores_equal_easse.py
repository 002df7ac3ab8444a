"""Oracle: EASSE on TurkCorpus (`../shared/oracles/oracle_easse_turkcorpus.json`): SARI with its parts and BLEU, for
every system whose untokenised file is there; and what the pages of EASSE and of the script of Xu et al. print.
"""

from __future__ import annotations

import pytest

from analysis.text.ngrams import ngram_counts, tokens
from analysis.text.references import target
from analysis.text.sari import sari_by_kinds, sari_counts, sari_score
from tests.analysis.overlap.turkcorpus import expected, needs_turkcorpus, scores, systems

pytestmark = [pytest.mark.full("scores that differ from EASSE's on the whole of a public data set"), pytest.mark.slow]


@needs_turkcorpus
def test_there_are_six_systems_with_files() -> None:
    assert systems() == ["ACCESS", "Dress", "Dress-Ls", "Hybrid", "PBMT-R", "SBMT-SARI"]


@needs_turkcorpus
@pytest.mark.parametrize(
    ("ours", "theirs"), [("sari", "SARI"), ("add_f1", "add"), ("keep_f1", "keep"), ("delete_f1", "delete")]
)
def test_sari_and_its_parts_are_those_of_easse(ours: str, theirs: str) -> None:
    for system in systems():
        assert scores(lowercase=True)[ours][system] == pytest.approx(expected()[system][theirs], rel=1e-12)


@needs_turkcorpus
@pytest.mark.parametrize(("lowercase", "theirs"), [(True, "BLEU_lower"), (False, "BLEU_cased")])
def test_bleu_is_that_of_easse_with_and_without_capitals(lowercase: bool, theirs: str) -> None:
    for system in systems():
        assert scores(lowercase=lowercase)["bleu"][system] == pytest.approx(expected()[system][theirs], rel=1e-12)


def test_the_example_of_easse_has_its_printed_value() -> None:
    sources = ["About 95 species are currently accepted.", "The cat perched on the mat."]
    texts = ["About 95 you now get in.", "Cat on mat."]
    references = [
        ["About 95 species are currently known.", "About 95 species are now accepted.", "95 species are now accepted."],
        ["The cat sat on the mat.", "The cat is on the mat.", "The cat sat."],
    ]
    counts = [
        sari_counts(grams(text), target(grams(source), [grams(reference) for reference in of_item]))
        for source, text, of_item in zip(sources, texts, references, strict=True)
    ]
    summed = [sum(column) for column in zip(*counts, strict=True)]
    assert sari_score(summed).score == pytest.approx(33.17472563619544, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("About 95 you now get in .", 0.2682782411698074),
        ("About 95 species are now agreed .", 0.5889995423074248),
        ("About 95 species are currently agreed .", 0.5071608864657479),
    ],
)
def test_the_examples_of_the_script_of_xu_et_al_have_their_printed_values(text: str, printed: float) -> None:
    references = (
        "About 95 species are currently known .",
        "About 95 species are now accepted .",
        "95 species are now accepted .",
    )
    aim = target(grams("About 95 species are currently accepted ."), [grams(reference) for reference in references])
    assert sari_by_kinds(grams(text), aim) == pytest.approx(100 * printed, rel=1e-12)


def grams(text: str):
    return ngram_counts(tokens(text))

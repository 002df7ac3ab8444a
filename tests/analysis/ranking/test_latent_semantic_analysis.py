"""Oracle: `TruncatedSVD` and `CountVectorizer` of scikit-learn, with the weights of Dumais (1991) written out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD

from analysis.text.quality import latent
from analysis.text.quality import word_lists as lists
from analysis.text.quality.latent import LatentSpace
from analysis.text.quality.segments import Sentence, sentences

SUBJECTS = (
    "cat dog bird mouse tail claw fur paw feather nest whisker kennel",
    "bank loan money rate debt coin credit profit budget tax account fee",
    "rain wind storm cloud snow sun fog thunder heat frost hail breeze",
)


def texts(number: int, seed: int) -> list[tuple[Sentence, ...]]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        words = random.choice(SUBJECTS).split()
        other = random.choice(SUBJECTS).split()
        found.append(sentences(". ".join(" ".join(random.choice(words + other[:3], 6)) for _ in range(4)) + "."))
    return found


def plain(own: list[tuple[Sentence, ...]], known: list[tuple[Sentence, ...]], dimensions: int) -> list[list[float]]:
    """Return for every text the cosines of adjacent sentences."""
    vocabulary = sorted({w for text in (*own, *known) for s in text for w in lists.content_words(s.words)})

    def count(words: list[str]) -> list[int]:
        return [words.count(word) for word in vocabulary]

    counts = np.array([count([w for s in text for w in lists.content_words(s.words)]) for text in known], dtype=float)
    share = counts / np.maximum(counts.sum(axis=0), 1)
    logs = np.log(np.where(share > 0, share, 1))
    weights = np.where(counts.sum(axis=0) > 0, 1 + (share * logs).sum(axis=0) / np.log(len(known)), 0)
    svd = TruncatedSVD(dimensions, algorithm="arpack", random_state=0).fit(np.log1p(counts) * weights)
    found = []
    for text in own:
        rows = np.array([count(lists.content_words(s.words)) for s in text], dtype=float)
        made = svd.transform(np.log1p(rows) * weights)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        found.append([float(a @ b) for a, b in pairwise(made)])
    return found


@pytest.mark.parametrize("dimensions", [2, 5, 30])
@pytest.mark.parametrize("dense", [True, False])
def test_cosines_are_those_of_scikit_learn(monkeypatch: pytest.MonkeyPatch, *, dimensions: int, dense: bool) -> None:
    monkeypatch.setattr(latent, "DENSE", 200 if dense else 0)
    own, known = texts(6, seed=1), texts(60, seed=2)
    space = LatentSpace(own, known)
    found = space.similarities(np.ones(len(known), dtype=bool), range(len(own)), dimensions=dimensions)
    expected = plain(own, known, dimensions)
    assert found["cohmetrix_lsa_mean"] == pytest.approx([np.mean(row) for row in expected], abs=1e-7)
    assert found["cohmetrix_lsa_min"] == pytest.approx([min(row) for row in expected], abs=1e-7)
    assert found["cohmetrix_lsa_max"] == pytest.approx([max(row) for row in expected], abs=1e-7)


def test_only_the_documents_that_teach_are_learnt_from() -> None:
    own, known = texts(4, seed=3), texts(40, seed=4)
    half = np.arange(40) < 20
    before = LatentSpace(own, known).similarities(half, range(4))
    after = LatentSpace(own, [*known[:20], *texts(20, seed=5)]).similarities(half, range(4))
    assert before["cohmetrix_lsa_mean"] == pytest.approx(after["cohmetrix_lsa_mean"], abs=1e-8)


def test_sentences_of_one_subject_are_nearer_than_their_words() -> None:
    known = [sentences(" ".join(pair)) for subject in SUBJECTS for pair in pairwise(subject.split())]
    own = [sentences("The cat slept. A mouse ran."), sentences("The cat slept. A loan grew.")]
    found = LatentSpace(own, known).similarities(np.ones(len(known), dtype=bool), [0, 1], dimensions=3)
    assert found["cohmetrix_lsa_mean"][0] > 0.9
    assert found["cohmetrix_lsa_mean"][1] < 0.1


@pytest.mark.parametrize("known", [[], ["One text."], ["", ""], ["Of the.", "And it."]])
def test_nothing_to_learn_from_gives_nothing_and_no_fault(known: list[str]) -> None:
    space = LatentSpace([sentences("A cat. A dog.")], [sentences(text) for text in known])
    found = space.similarities(np.ones(len(known), dtype=bool), [0])
    assert all(np.isnan(values).all() for values in found.values())

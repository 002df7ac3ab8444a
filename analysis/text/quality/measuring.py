"""Compute all quality measures of a text by class: those of the text alone, and those trained on other texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.text.quality.coh_metrix import coh_metrix
from analysis.text.quality.cohesion import cohesive_devices, reference_form
from analysis.text.quality.continuity import continuity, inverse_frequencies, weighted
from analysis.text.quality.entity_grid import entity_grid
from analysis.text.quality.fluency import sentence_fluency
from analysis.text.quality.language_model import Flags, Floats, NgramCorpus, OfOrder
from analysis.text.quality.latent import LatentSpace
from analysis.text.quality.named_entities import named_entities
from analysis.text.quality.parses import Parsed
from analysis.text.quality.redundancy import redundancy
from analysis.text.quality.segments import Sentence
from analysis.text.quality.source_overlap import source_overlap
from analysis.text.quality.word_coherence import AdjacentSentences

PREFIXES: Final = {
    "language_model": "lm",
    "reference_form": "reference",
    "cohesive_devices": "cohesive",
    "continuity": "continuity",
    "sentence_fluency": "fluency",
    "redundancy": "redundancy",
    "word_coherence": "coherence",
    "entity_grid": "grid",
    "source_overlap": "source",
    "coh_metrix": "cohmetrix",
    "named_entities": "entities",
}
"""The classes, in the order in which they are reported, and how the names of their features begin."""

CLASSES: Final = tuple(PREFIXES)

NEED_HEADS: Final = frozenset(
    {
        "fluency_depth",
        "reference_modified_before",
        "reference_modified_after",
        "cohmetrix_edges_min",
        "cohmetrix_edges_mean",
        "cohmetrix_left",
        "cohmetrix_modifiers",
    }
)
"""Features that only a parser that gives heads can have; link-grammar gives none."""


@dataclass(frozen=True)
class Document:
    """A text as sentences, what it was made from, and its parses, where there are any."""

    text: tuple[Sentence, ...]
    source: tuple[Sentence, ...] | None = None
    parsed: Parsed | None = None


def own_features(document: Document) -> dict[str, float]:
    """Return the features that hang on the text alone, its source and its parse.

    >>> from analysis.text.quality.segments import sentences
    >>> found = own_features(Document(sentences("The cat sat. It slept.")))
    >>> found["cohesive_pronouns"], {class_of(name) for name in found} < set(CLASSES)
    (1.0, True)
    """
    text = document.text
    found = {
        **reference_form(text, document.parsed),
        **cohesive_devices(text),
        **continuity(text, document.source),
        **sentence_fluency(text, document.parsed),
        **redundancy(text),
        **entity_grid(text, document.parsed),
        **coh_metrix(text, document.parsed),
    }
    if document.source is not None:
        found |= source_overlap(text, document.source)
    if document.parsed is not None and names_entities(document.parsed):
        found |= named_entities(document.parsed, document.source)
    return found


def names_entities(parsed: Parsed) -> bool:
    """Say whether the parser of a text tells named entities."""
    return any(parse is not None and parse.mentions is not None for _, parse in parsed)


class Learning:
    """The features that hang on other texts as well: language models, word coherence, weighted cosines, and latent
    semantic analysis.

    Language models and word weights are learnt from texts, word coherence and latent dimensions from texts and
    sources. `models` replace the language models; a `corpus`, as paragraphs, is what language models and latent
    dimensions are learnt from instead.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        owners: Sequence[int],
        models: Sequence[OfOrder] | None = None,
        corpus: Sequence[Sequence[Sentence]] | None = None,
    ) -> None:
        self._texts = [document.text for document in documents]
        self._corpus = NgramCorpus([*self._texts, *(corpus or ())])
        self._log10 = None if models is None else self._corpus.log10_by(models)
        if corpus is not None and models is None:
            self._log10 = self._corpus.log10(np.arange(len(self._texts) + len(corpus)) >= len(self._texts))
        # A source is the same for many texts; it takes part once for every owner (the input that it belongs to).
        known = {
            (owner, document.source): None
            for owner, document in zip(owners, documents, strict=True)
            if document.source is not None
        }
        self._owners = np.array(owners, dtype=np.intp)
        self._owner_of_source = np.array([owner for owner, _ in known], dtype=np.intp)
        both = [*self._texts, *(source for _, source in known)]
        self._latent = LatentSpace(self._texts, both if corpus is None else corpus)
        self._latent_of_corpus = (
            None
            if corpus is None
            else self._latent.similarities(np.ones(len(corpus), dtype=bool), range(len(self._texts)))
        )
        self._forward = AdjacentSentences(both)
        self._backward = AdjacentSentences(both, backward=True)

    def features(self, teachers: Flags, asked: Sequence[int]) -> dict[str, Floats]:
        """Return the features of the texts at the positions `asked`, learnt from the texts of the owners for which
        `teachers` is true.
        """
        places = np.array(asked, dtype=np.intp)
        texts = teachers[self._owners]
        both = np.concatenate([texts, teachers[self._owner_of_source]])
        if self._log10 is None:
            further = np.zeros(self._corpus.number - len(self._texts), dtype=bool)
            log10 = self._corpus.log10(np.concatenate([texts, further]))
        else:
            log10 = self._log10
        found = {name: values[places] for name, values in self._corpus.features(log10).items()}
        weights = inverse_frequencies(self._texts[at] for at in np.flatnonzero(texts))
        cosines = [weighted(self._texts[at], weights) for at in places]
        found |= {name: np.array([row[name] for row in cosines]) for name in weighted((), weights)}
        for name, pairs in (("forward", self._forward), ("backward", self._backward)):
            found[f"coherence_{name}"] = pairs.means(pairs.per_word(both))[places]
        if self._latent_of_corpus is None:
            found |= self._latent.similarities(both, places.tolist())
        else:
            found |= {name: values[places] for name, values in self._latent_of_corpus.items()}
        found["coherence_pairs"] = np.array([float(max(0, len(self._texts[at]) - 1)) for at in places])
        return found


def class_of(feature: str) -> str:
    """Return the class that a feature belongs to.

    >>> class_of("lm_bigram_mean"), class_of("grid_s_o")
    ('language_model', 'entity_grid')
    """
    prefix = feature.partition("_")[0]
    return next(name for name, known in PREFIXES.items() if known == prefix)

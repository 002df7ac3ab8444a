"""Parsing with a spaCy model, where the library and a model are installed already; nothing is ever downloaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from analysis.text.quality.parses import Mention, Parse, Token, role_of


def installed() -> tuple[str, str] | None:
    """Return name and version of the first installed English model with a parser, or None."""
    if find_spec("spacy") is None:
        return None
    util: Any = import_module("spacy.util")
    for name in sorted(util.get_installed_models()):
        if str(name).startswith("en_"):
            return str(name), str(util.get_package_version(name))
    return None


def parsed(
    sentences: Sequence[str], model: str, *, advance: Callable[[float], None] = lambda share: None
) -> dict[str, Parse]:
    """Return the parses of the sentences, each parsed by itself; with named entities where the model finds them."""
    spacy: Any = import_module("spacy")
    pipeline = spacy.load(model)
    names_entities = "ner" in pipeline.pipe_names
    found: dict[str, Parse] = {}
    for number, (sentence, document) in enumerate(
        zip(sentences, pipeline.pipe(sentences, batch_size=64), strict=True), start=1
    ):
        tokens = tuple(
            Token(
                token.text,
                (token.lemma_ or token.text).casefold(),
                token.pos_,
                role_of(_universal(token.dep_), token.pos_),
                -1 if token.head.i == token.i else token.head.i,
            )
            for token in document
        )
        arcs = tuple(
            abs(token.i - token.head.i) for token in document if token.head.i != token.i and token.pos_ != "PUNCT"
        )
        mentions = (
            tuple(Mention(one.start, one.end, one.root.i, str(one.label_)) for one in document.ents)
            if names_entities
            else None
        )
        found[sentence] = Parse(tokens, arcs, mentions)
        advance(number / len(sentences))
    return found


def _universal(relation: str) -> str:
    """Return the universal name of one of spaCy's English relations, as far as roles need it.

    >>> _universal("nsubjpass"), _universal("dobj"), _universal("pobj")
    ('nsubj', 'obj', 'obl')
    """
    return {"nsubjpass": "nsubj", "csubjpass": "csubj", "dobj": "obj", "dative": "iobj", "pobj": "obl"}.get(
        relation, relation
    )

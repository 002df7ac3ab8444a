"""Named entities counted by hand, from parses as a model of spaCy gives them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from analysis.methods import registry
from analysis.methods.ranking import parsing
from analysis.methods.ranking.example import example
from analysis.methods.ranking.method import METHOD
from analysis.methods.report import BadInput
from analysis.text.quality.named_entities import named_entities
from analysis.text.quality.parses import Mention, Parse, Token
from analysis.text.quality.segments import Sentence, sentences


def parse(words: str, heads: list[int], mentions: tuple[Mention, ...]) -> tuple[Sentence, Parse]:
    """`words` are form/part of speech."""
    tokens = tuple(
        Token(form, form.casefold(), pos, None, head)
        for (form, pos), head in zip((word.split("/") for word in words.split()), heads, strict=True)
    )
    return sentences(" ".join(token.form for token in tokens))[0], Parse(tokens, (), mentions)


# The mayor of Ulm stands after the name; the second sentence has the bare name, and a company.
FIRST = parse(
    "Young/ADJ Ann/PROPN Low/PROPN ,/PUNCT mayor/NOUN of/ADP Ulm/PROPN ,/PUNCT left/VERB",
    [2, 2, 8, 2, 2, 6, 4, 2, -1],
    (Mention(1, 3, 2, "PERSON"), Mention(6, 7, 6, "GPE")),
)
SECOND = parse("Low/PROPN joined/VERB Acme/PROPN", [1, -1, 1], (Mention(0, 1, 0, "PERSON"), Mention(2, 3, 2, "ORG")))


def test_mentions_are_counted_by_kind() -> None:
    found = named_entities([FIRST, SECOND], None)
    assert [found[f"entities_{kind}"] for kind in ("people", "organisations", "places")] == [2, 1, 1]
    assert "entities_late_people" not in found


def test_only_first_mentions_of_people_are_looked_around() -> None:
    found = named_entities([FIRST, SECOND], None)
    assert found["entities_bare_before"] == found["entities_bare_after"] == 0
    assert (found["entities_before_adj"], found["entities_before_propn"]) == (1, 1)
    assert (found["entities_after_noun"], found["entities_after_propn"], found["entities_after_punct"]) == (1, 1, 2)
    alone = named_entities([SECOND], None)
    assert alone["entities_bare_before"] == alone["entities_bare_after"] == 1


def test_a_first_mention_that_was_none_in_the_source_is_late() -> None:
    source = sentences("Young Ann Low, mayor of Ulm, left. Low joined Acme.")
    assert named_entities([SECOND], source)["entities_late_people"] == 1
    assert named_entities([SECOND], source)["entities_late_organisations"] == 0
    assert named_entities([FIRST, SECOND], source)["entities_late_people"] == 0
    assert math.isnan(named_entities([SECOND], ())["entities_late_people"])


def test_texts_without_people_have_no_shares() -> None:
    assert math.isnan(named_entities([], None)["entities_bare_before"])


def test_the_class_is_refused_where_no_parser_names_entities() -> None:
    frame, parameters = example()
    with pytest.raises(BadInput, match="named_entities needs a model of spaCy"):
        registry.run(METHOD, frame, parameters | {"classes": "named_entities"})


def test_the_class_is_there_where_the_parser_names_entities(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(texts: Any, names: Any, **given: Any) -> parsing.Parsing:
        made = []
        for text in texts:
            own = []
            for sentence in text:
                tokens = tuple(
                    Token(word, word, "PROPN", "X", -1 if at == 0 else 0) for at, word in enumerate(sentence.written)
                )
                own.append((sentence, Parse(tokens, (), tuple(Mention(0, 1, 0, "PERSON") for _ in tokens[:1]))))
            made.append(tuple(own))
        return parsing.Parsing(tuple(made), "Parsed.")

    monkeypatch.setattr(parsing, "parse", parsed)
    frame, parameters = example()
    report = registry.run(METHOD, frame, parameters | {"parser": "spacy", "bootstrap": 20})
    assert "named_entities" in set(report.table("accuracy").frame()["features"])
    assert {"entities_people", "entities_late_people"} <= {column.name for column in report.table("features").columns}

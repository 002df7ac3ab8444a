"""Ready-made questionnaires in English and German, with texts of our own. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.questionnaire.complete import complete_question

LANGUAGE_BACKGROUND, COMPREHENSION_CHECK = "language-background", "comprehension-check"

# The language-independent part of each question; the wordings follow in the same order.
_BACKGROUND: tuple[Mapping[str, Any], ...] = (
    {"name": "languages", "kind": "languages", "required": True},
    {"name": "dominant_language", "kind": "text", "required": True},
    {"name": "grown_up_with", "kind": "choice"},
    {"name": "daily_share", "kind": "slider"},
    {"name": "reading_hours", "kind": "number", "minimum": 0, "maximum": 112},
    {"name": "difficulty", "kind": "choice"},
    {"name": "difficulty_which", "kind": "long-text"},
)
_BACKGROUND_WORDS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "en": (
        {
            "label": "Which languages do you know? Begin with the one that you learned first.",
            "help": "Name every language that you can hold a simple conversation in. 0 means from birth.",
        },
        {"label": "In which language do you feel most at home today?"},
        {
            "label": "Did you grow up with more than one language?",
            "choices": ["no, with one", "yes, with two", "yes, with three or more"],
        },
        {
            "label": "How much of an ordinary day do you use a language other than your first?",
            "labels": ["never", "all day"],
        },
        {"label": "How many hours a week do you read, for work or pleasure?", "unit": "hours"},
        {
            "label": "Have you ever been told that you have difficulties with reading, speaking or hearing?",
            "choices": ["no", "yes"],
        },
        {
            "label": "Which, and does it still matter when you read?",
            "shown_if": {"question": "difficulty", "operator": "is", "value": "yes"},
        },
    ),
    "de": (
        {
            "label": "Welche Sprachen können Sie? Beginnen Sie mit der, die Sie zuerst gelernt haben.",
            "help": (
                "Nennen Sie jede Sprache, in der Sie ein einfaches Gespräch führen können. 0 bedeutet von Geburt an."
            ),
        },
        {"label": "In welcher Sprache fühlen Sie sich heute am meisten zu Hause?"},
        {
            "label": "Sind Sie mit mehr als einer Sprache aufgewachsen?",
            "choices": ["nein, mit einer", "ja, mit zwei", "ja, mit drei oder mehr"],
        },
        {
            "label": "Wie viel eines gewöhnlichen Tages gebrauchen Sie eine andere als Ihre erste Sprache?",
            "labels": ["nie", "den ganzen Tag"],
        },
        {"label": "Wie viele Stunden in der Woche lesen Sie, beruflich oder zum Vergnügen?", "unit": "Stunden"},
        {
            "label": "Wurde bei Ihnen jemals eine Schwierigkeit mit Lesen, Sprechen oder Hören festgestellt?",
            "choices": ["nein", "ja"],
        },
        {
            "label": "Welche, und wirkt sie sich heute noch auf Ihr Lesen aus?",
            "shown_if": {"question": "difficulty", "operator": "is", "value": "ja"},
        },
    ),
}
_CHECKS = ("check_judgement", "check_unsure", "check_help", "check_break", "check_stop")
# Each check's question, correct answer and wrong answers.
_CHECK_WORDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "en": (
        ("Whose judgement counts in this study?", "My own", "That of a grammar book", "That of most other people"),
        (
            "What do you do when you are not sure about an answer?",
            "I answer by my first impression", "I look it up", "I close the page",
        ),
        ("May you use notes, a dictionary or the help of others?", "No", "Yes, a dictionary", "Yes, anything"),
        ("When is the time for a break?", "When the study offers one", "In the middle of a text", "Never"),
        (
            "Can you stop taking part?",
            "Yes, at any time and without giving a reason", "Only if I give a reason", "No",
        ),
    ),
    "de": (
        (
            "Wessen Urteil zählt in dieser Studie?",
            "Mein eigenes", "Das eines Grammatikbuchs", "Das der meisten anderen",
        ),
        (
            "Was tun Sie, wenn Sie sich bei einer Antwort nicht sicher sind?",
            "Ich antworte nach dem ersten Eindruck", "Ich schlage nach", "Ich schließe die Seite",
        ),
        (
            "Dürfen Sie Notizen, ein Wörterbuch oder die Hilfe anderer benutzen?",
            "Nein", "Ja, ein Wörterbuch", "Ja, alles",
        ),
        ("Wann ist Zeit für eine Pause?", "Wenn die Studie eine anbietet", "Mitten in einem Text", "Nie"),
        (
            "Können Sie die Teilnahme abbrechen?",
            "Ja, jederzeit und ohne Angabe von Gründen", "Nur wenn ich Gründe nenne", "Nein",
        ),
    ),
}  # fmt: skip


def _check(name: str, label: str, right: str, *wrong: str) -> Mapping[str, Any]:
    given = {"name": name, "label": label, "choices": [right, *wrong], "expected": right}
    return {**given, "kind": "choice", "required": True, "random_order": True}


READY: Mapping[str, Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    LANGUAGE_BACKGROUND: {
        language: tuple({**question, **said} for question, said in zip(_BACKGROUND, words, strict=True))
        for language, words in _BACKGROUND_WORDS.items()
    },
    COMPREHENSION_CHECK: {
        language: tuple(_check(name, *said) for name, said in zip(_CHECKS, words, strict=True))
        for language, words in _CHECK_WORDS.items()
    },
}


def ready_questions(slug: str, language: str) -> list[dict[str, Any]]:
    """Return the questions of a ready-made questionnaire. Raises KeyError for an unknown name.

    >>> [question["name"] for question in ready_questions("comprehension-check", "de")][:2]
    ['check_judgement', 'check_unsure']
    """
    texts = READY[slug]
    return [complete_question(question) for question in texts.get(language, texts["en"])]

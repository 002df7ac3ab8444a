"""Questionnaires that are ready to be inserted, in English and German; own texts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.questionnaire.faults import complete_question

LANGUAGE_BACKGROUND, COMPREHENSION_CHECK = "language-background", "comprehension-check"

_BACKGROUND_EN: tuple[Mapping[str, Any], ...] = (
    {
        "name": "languages",
        "label": "Which languages do you know? Begin with the one that you learned first.",
        "kind": "languages",
        "required": True,
        "help": "Name every language that you can hold a simple conversation in. 0 means from birth.",
    },
    {
        "name": "dominant_language",
        "label": "In which language do you feel most at home today?",
        "kind": "text",
        "required": True,
    },
    {
        "name": "grown_up_with",
        "label": "Did you grow up with more than one language?",
        "kind": "choice",
        "choices": ["no, with one", "yes, with two", "yes, with three or more"],
    },
    {
        "name": "daily_share",
        "label": "How much of an ordinary day do you use a language other than your first?",
        "kind": "slider",
        "labels": ["never", "all day"],
    },
    {
        "name": "reading_hours",
        "label": "How many hours a week do you read, for work or pleasure?",
        "kind": "number",
        "minimum": 0,
        "maximum": 112,
        "unit": "hours",
    },
    {
        "name": "difficulty",
        "label": "Have you ever been told that you have difficulties with reading, speaking or hearing?",
        "kind": "choice",
        "choices": ["no", "yes"],
    },
    {
        "name": "difficulty_which",
        "label": "Which, and does it still matter when you read?",
        "kind": "long-text",
        "shown_if": {"question": "difficulty", "operator": "is", "value": "yes"},
    },
)
_BACKGROUND_DE: tuple[Mapping[str, Any], ...] = (
    {
        "name": "languages",
        "label": "Welche Sprachen können Sie? Beginnen Sie mit der, die Sie zuerst gelernt haben.",
        "kind": "languages",
        "required": True,
        "help": "Nennen Sie jede Sprache, in der Sie ein einfaches Gespräch führen können. 0 bedeutet von Geburt an.",
    },
    {
        "name": "dominant_language",
        "label": "In welcher Sprache fühlen Sie sich heute am meisten zu Hause?",
        "kind": "text",
        "required": True,
    },
    {
        "name": "grown_up_with",
        "label": "Sind Sie mit mehr als einer Sprache aufgewachsen?",
        "kind": "choice",
        "choices": ["nein, mit einer", "ja, mit zwei", "ja, mit drei oder mehr"],
    },
    {
        "name": "daily_share",
        "label": "Wie viel eines gewöhnlichen Tages gebrauchen Sie eine andere als Ihre erste Sprache?",
        "kind": "slider",
        "labels": ["nie", "den ganzen Tag"],
    },
    {
        "name": "reading_hours",
        "label": "Wie viele Stunden in der Woche lesen Sie, beruflich oder zum Vergnügen?",
        "kind": "number",
        "minimum": 0,
        "maximum": 112,
        "unit": "Stunden",
    },
    {
        "name": "difficulty",
        "label": "Wurde bei Ihnen jemals eine Schwierigkeit mit Lesen, Sprechen oder Hören festgestellt?",
        "kind": "choice",
        "choices": ["nein", "ja"],
    },
    {
        "name": "difficulty_which",
        "label": "Welche, und wirkt sie sich heute noch auf Ihr Lesen aus?",
        "kind": "long-text",
        "shown_if": {"question": "difficulty", "operator": "is", "value": "ja"},
    },
)


def _checks(*rows: tuple[str, str, list[str], str]) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        {
            "name": name,
            "label": label,
            "kind": "choice",
            "choices": choices,
            "required": True,
            "random_order": True,
            "expected": expected,
        }
        for name, label, choices, expected in rows
    )


_CHECK_EN = _checks(
    (
        "check_judgement",
        "Whose judgement counts in this study?",
        ["My own", "That of a grammar book", "That of most other people"],
        "My own",
    ),
    (
        "check_unsure",
        "What do you do when you are not sure about an answer?",
        ["I answer by my first impression", "I look it up", "I close the page"],
        "I answer by my first impression",
    ),
    (
        "check_help",
        "May you use notes, a dictionary or the help of others?",
        ["No", "Yes, a dictionary", "Yes, anything"],
        "No",
    ),
    (
        "check_break",
        "When is the time for a break?",
        ["When the study offers one", "In the middle of a text", "Never"],
        "When the study offers one",
    ),
    (
        "check_stop",
        "Can you stop taking part?",
        ["Yes, at any time and without giving a reason", "Only if I give a reason", "No"],
        "Yes, at any time and without giving a reason",
    ),
)
_CHECK_DE = _checks(
    (
        "check_judgement",
        "Wessen Urteil zählt in dieser Studie?",
        ["Mein eigenes", "Das eines Grammatikbuchs", "Das der meisten anderen"],
        "Mein eigenes",
    ),
    (
        "check_unsure",
        "Was tun Sie, wenn Sie sich bei einer Antwort nicht sicher sind?",
        ["Ich antworte nach dem ersten Eindruck", "Ich schlage nach", "Ich schließe die Seite"],
        "Ich antworte nach dem ersten Eindruck",
    ),
    (
        "check_help",
        "Dürfen Sie Notizen, ein Wörterbuch oder die Hilfe anderer benutzen?",
        ["Nein", "Ja, ein Wörterbuch", "Ja, alles"],
        "Nein",
    ),
    (
        "check_break",
        "Wann ist Zeit für eine Pause?",
        ["Wenn die Studie eine anbietet", "Mitten in einem Text", "Nie"],
        "Wenn die Studie eine anbietet",
    ),
    (
        "check_stop",
        "Können Sie die Teilnahme abbrechen?",
        ["Ja, jederzeit und ohne Angabe von Gründen", "Nur wenn ich Gründe nenne", "Nein"],
        "Ja, jederzeit und ohne Angabe von Gründen",
    ),
)

READY: Mapping[str, Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    LANGUAGE_BACKGROUND: {"en": _BACKGROUND_EN, "de": _BACKGROUND_DE},
    COMPREHENSION_CHECK: {"en": _CHECK_EN, "de": _CHECK_DE},
}


def ready_questions(slug: str, language: str) -> list[dict[str, Any]]:
    """Return the questions of a ready-made questionnaire. Raises KeyError where there is none of that name.

    >>> [question["name"] for question in ready_questions("comprehension-check", "de")][:2]
    ['check_judgement', 'check_unsure']
    """
    texts = READY[slug]
    return [complete_question(question) for question in texts.get(language, texts["en"])]

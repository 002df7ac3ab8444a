"""Error span annotation: validate, measure, export and simulate words marked as erroneous.

In rating studies, a question of the kind `error-spans`; its browser side is `frontend/src/ratings/error-spans.ts`.
Error span annotation (Kocmi et al. 2024, *Error Span Annotation*) marks minor and major errors and then asks for a
score from 0 to 100; with categories and without the score it is a form of MQM (Freitag et al. 2021).
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from rest_framework import serializers

from experiments.formats.words import NeedsRegions, is_without_spaces, split_segments
from experiments.paradigms.base import LongTable, Measure
from experiments.paradigms.pieces.payloads import CountField, DurationField, ExactPayload, TextField
from experiments.paradigms.pieces.rating_questions import ERROR_SPANS, MAX_LABEL
from experiments.sentences import Sentence

MINOR, MAJOR = "minor", "major"
SEVERITIES = (MINOR, MAJOR)
UNMARKED = "none"
# As in MQM (Freitag et al. 2021), without its special weights.
WEIGHTS = {MINOR: 1, MAJOR: 5}
MAX_SPANS = 1_000
# The combining class of viramas, the Khmer sign that puts the next consonant below, and the vowel am of Thai and Lao.
VIRAMA = 9
COENG = "\u17d2"
VOWELS_AFTER = "\u0e33\u0eb3"
# Categories of brackets and quotation marks that open.
OPENING = ("Ps", "Pi")

SPANS = LongTable(
    "spans",
    Sentence("One row for every marked error, in the order of the text. A text without errors has none."),
    (
        Measure("question", "text", "Name of the question under which it was marked."),
        Measure("span", "integer", "Number of the span in its text, counted from 1."),
        Measure("start_word", "integer", "Its first word, counted from 1.", "words"),
        Measure("end_word", "integer", "Its last word, which belongs to it.", "words"),
        Measure("span_text", "text", "The words that were marked, with their punctuation."),
        Measure("severity", "text", "How bad the error is.", values=SEVERITIES),
        Measure("category", "text", "The category that was chosen; empty where none was."),
        Measure(
            "at_ms",
            "number",
            "When it was marked or last changed, after the onset of the page; 0 for a mark before it.",
            "ms",
        ),
    ),
)
MARKED_WORDS = LongTable(
    "marked_words",
    Sentence(
        "One row for every word of every text in which people marked errors, including unmarked words. No row if "
        "the question has a score and was left out."
    ),
    (
        Measure("question", "text", "Name of the question under which errors were marked."),
        Measure("word", "integer", "Place of the word in its text, counted from 1."),
        Measure("word_text", "text", "The word with its punctuation."),
        Measure("mark", "text", "How the word was marked.", values=(UNMARKED, *SEVERITIES)),
        Measure("category", "text", "Category of its error; empty where there is none."),
    ),
)


class MarkedSpan(ExactPayload):
    """One marked error: its first and last word, counted from 1."""

    start_word = CountField()
    end_word = CountField()
    severity = serializers.ChoiceField(choices=SEVERITIES)
    category = TextField(max_length=MAX_LABEL, allow_null=True)
    at_ms = DurationField()


def spans_question(questions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the question for marking errors (at most one); None if there is none."""
    return next((question for question in questions if question["kind"] == ERROR_SPANS), None)


def words_to_mark(text: str) -> list[str]:
    """Return the units of a text that can be marked: each word with its punctuation and everything up to the next word.

    Joined they give the text. In scripts without spaces every character is a unit, with its marks, subjoined consonants
    and vowels, and with an opening quotation mark or bracket before it.

    >>> words_to_mark("“Stop,” she said – and smiled.")
    ['“Stop,” ', 'she ', 'said – ', 'and ', 'smiled.']
    >>> words_to_mark("他没来, OK?")
    ['他', '没', '来, ', 'OK?']
    """
    if not text.strip():
        return []
    try:
        segments = split_segments(text)
    except NeedsRegions:
        return _words_and_characters(text)
    starts = [0]
    at = 0
    for segment, following in pairwise(segments):
        at = text.index(segment, at) + len(segment)
        starts.append(text.index(following, at))
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def _words_and_characters(text: str) -> list[str]:
    """Return the units of a text with words in scripts without spaces; combined characters stay together."""
    words: list[str] = []
    last = ""
    for before, character in zip(["", *text], text, strict=False):
        after_space = before.isspace() and not character.isspace()
        in_script = is_without_spaces(character)
        at_script = character.isalnum() and (in_script or is_without_spaces(last))
        last = character if character.isalnum() else last
        is_mark = unicodedata.category(character).startswith("M")
        is_new = (after_space or (at_script and not is_mark)) and not _is_bound(before, character)
        if not words:
            words.append(character)
        # A unit without a word yet, such as opening punctuation, continues.
        elif is_new and _has_word(words[-1]):
            words[-1], opening = _without_opening(words[-1])
            words.append(opening + character)
        else:
            words[-1] += character
    if len(words) > 1 and not _has_word(words[-1]):
        words[-2:] = ["".join(words[-2:])]
    return words


def _is_bound(before: str, character: str) -> bool:
    """Return whether a character belongs to the one before it: below a virama, or a vowel of its consonant."""
    return character in VOWELS_AFTER or before == COENG or (bool(before) and unicodedata.combining(before) == VIRAMA)


def _without_opening(piece: str) -> tuple[str, str]:
    """Split off the opening punctuation at the end of a piece."""
    end = len(piece)
    while end and unicodedata.category(piece[end - 1]) in OPENING:
        end -= 1
    return piece[:end], piece[end:]


def _has_word(piece: str) -> bool:
    return any(character.isalnum() for character in piece)


def fault_of_spans(question: Mapping[str, Any], answer: Mapping[str, Any], words: Sequence[str]) -> str:
    """Return what is wrong with the spans of an answer, without naming the question; empty if nothing is."""
    spans = answer.get("spans")
    if spans is None:
        return "has no list of spans."
    # Among other questions, a text that was neither marked nor scored has no answer.
    if answer["rt_ms"] is None and (spans or answer["rating"] is not None):
        return "has no time."
    end = 0
    for span in spans:
        if not 1 <= span["start_word"] <= span["end_word"] <= len(words):
            return f"has a span outside the {len(words)} words of the text."
        if span["start_word"] <= end:
            return "has spans that overlap, or are not in the order of the text."
        end = span["end_word"]
        if span["category"] is not None and span["category"] not in question["categories"]:
            return f"has the category '{span['category']}', which is not one of the question's."
    if answer["rating"] is None:
        return "lacks its score." if question["score"] and question["required"] else ""
    return "" if question["score"] else "has a score, which was not asked."


def was_left_out(question: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    """Return whether the question was skipped: no marks, and no score although one was asked for.

    Without a score, no marks means that there are no errors.

    >>> was_left_out({"score": True}, {"rating": None, "spans": []})
    True
    >>> was_left_out({"score": False}, {"rating": None, "spans": []})
    False
    """
    return bool(question["score"]) and answer["rating"] is None and not answer["spans"]


def span_measures(question: Mapping[str, Any], *, ends: str) -> list[Measure]:
    """Return the measures of marked errors; `ends` names the ends of the slider."""
    name = question["name"]
    score = Measure(name, "number", f"Score after marking errors: “{question['text']}” ({ends}); empty where left out.")
    empty = "; empty where the question was left out" if question["score"] and not question["required"] else ""
    return [
        *([score] if question["score"] else []),
        Measure(
            f"{name}_rt_ms",
            "number",
            f"From the onset of the page with the question '{name}' to its last mark or score, or to the confirmation "
            "where it was asked on a page of its own; empty beside other questions where nothing was marked or scored.",
            "ms",
        ),
        Measure(f"{name}_changes", "integer", f"How often marks or the score of '{name}' were changed.", "changes"),
        Measure(f"{name}_minor", "integer", f"Minor errors marked for '{name}'{empty}.", "spans"),
        Measure(f"{name}_major", "integer", f"Major errors marked for '{name}'{empty}.", "spans"),
        Measure(
            f"{name}_weighted",
            "integer",
            f"Minor errors × {WEIGHTS[MINOR]} + major errors × {WEIGHTS[MAJOR]}, as in MQM (Freitag et al. 2021); its "
            f"special weights (minor punctuation 0.1, non-translation 25) are not applied{empty}.",
        ),
    ]


def measured_spans(question: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `span_measures` declares.

    >>> spans = [{"severity": "minor"}, {"severity": "major"}]
    >>> given = {"rating": 60.0, "rt_ms": 900.0, "changes": 0, "spans": spans}
    >>> measured_spans({"name": "errors", "score": True}, given)["errors_weighted"]
    6
    """
    name = question["name"]
    severities = [span["severity"] for span in answer["spans"]]
    is_known = not was_left_out(question, answer)
    return {
        **({name: answer["rating"]} if question["score"] else {}),
        f"{name}_rt_ms": answer["rt_ms"],
        f"{name}_changes": answer["changes"],
        f"{name}_minor": severities.count(MINOR) if is_known else None,
        f"{name}_major": severities.count(MAJOR) if is_known else None,
        f"{name}_weighted": sum(WEIGHTS[severity] for severity in severities) if is_known else None,
    }


def span_rows(table: str, params: Mapping[str, Any], payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of `SPANS` or of `MARKED_WORDS` of one trial; none if errors were not asked for or not
    answered.
    """
    question = spans_question(params.get("questions", ()))
    if question is None or "ratings" not in payload:
        return []
    name, words = question["name"], params["words"]
    answer = payload["ratings"][name]
    spans = answer["spans"]
    if was_left_out(question, answer):
        return []
    if table == SPANS.name:
        return [
            {
                "question": name,
                "span": number,
                "start_word": span["start_word"],
                "end_word": span["end_word"],
                "span_text": "".join(words[span["start_word"] - 1 : span["end_word"]]).strip(),
                "severity": span["severity"],
                "category": span["category"],
                "at_ms": span["at_ms"],
            }
            for number, span in enumerate(spans, start=1)
        ]
    marked = {place: span for span in spans for place in range(span["start_word"], span["end_word"] + 1)}
    return [
        {
            "question": name,
            "word": place,
            "word_text": word.strip(),
            "mark": marked[place]["severity"] if place in marked else UNMARKED,
            "category": marked[place]["category"] if place in marked else None,
        }
        for place, word in enumerate(words, start=1)
    ]


def simulated_spans(
    question: Mapping[str, Any], words: Sequence[str], *, badness: float, rt_ms: float, rng: random.Random
) -> list[dict[str, Any]]:
    """Draw simulated spans: with `badness`, from 0 to 1, errors become more frequent and more severe."""
    spans: list[dict[str, Any]] = []
    place = 1
    while place <= len(words) and len(spans) < MAX_SPANS:
        if rng.random() < 0.15 * badness:
            end = min(len(words), place + rng.choice((0, 0, 1, 2)))
            spans.append(
                {
                    "start_word": place,
                    "end_word": end,
                    "severity": MAJOR if rng.random() < badness / 2 else MINOR,
                    "category": rng.choice(question["categories"]) if question["categories"] else None,
                    "at_ms": 0.0,
                }
            )
            place = end
        place += 1
    for number, span in enumerate(spans, start=1):
        span["at_ms"] = round(rt_ms * number / (len(spans) + 1), 1)
    return spans

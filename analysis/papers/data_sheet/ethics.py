"""Section 5: what is stored about people, and what only the authors can say."""

from __future__ import annotations

from analysis.methods.wording import listed
from analysis.papers.data_sheet.answers import OPEN, Answer, Answers, ended, in_part, known, quoted
from analysis.papers.data_sheet.facts import Facts
from experiments.questionnaire.kinds import INFORMATION, LONG_TEXT, TEXT


def ethics_answers(facts: Facts) -> Answers:
    """Return the answers to section 5."""
    asked = [
        quoted(question["label"])
        for question in facts.study.shown_questions
        if question.get("kind") != INFORMATION and question.get("label")
    ]
    return {
        "5.1": OPEN,
        "5.2": _personal(facts),
        "5.3": in_part(
            ended(f"People were asked: {listed(asked, shown=50)}")
            if asked
            else "People were asked nothing about themselves; their answers are judgements of texts.",
            facts.setup,
        ),
        "5.4": OPEN,
    }


def _personal(facts: Facts) -> Answer:
    study = facts.study
    said = [
        "Yes, in the answers: they are kept for each person under a pseudonym, with the date and the browser of the "
        "session. Identifiers of recruitment services are sealed in a table of their own, can be erased apart, and are "
        "in no export; people who withdraw are erased."
    ]
    own_words = [
        quoted(question["label"])
        for question in study.shown_questions
        if question.get("kind") in (TEXT, LONG_TEXT) and question.get("label")
    ]
    if own_words:
        told = f"People can name themselves or others where they answer in their own words: {listed(own_words)}"
        said.append(ended(told))
    if study.data_protection_note.strip():
        said.append(ended(f"Participants read: {quoted(study.data_protection_note)}"))
    if study.retention_until is not None:
        by_whom = "the platform" if study.erases_itself else "those who are responsible"
        said.append(f"The data are to be erased by {by_whom} on {study.retention_until:%Y-%m-%d}.")
    return known(" ".join(said), facts.setup, add="personal data in the texts that are judged, if there are any")

"""Section 3.2: who judged, how they came, what they were told, and what they said of themselves."""

from __future__ import annotations

from collections import Counter

from analysis.methods.wording import counted, listed
from analysis.papers.data_sheet.answers import Answer, Answers, ended, in_part, known, quoted
from analysis.papers.data_sheet.facts import Facts
from analysis.papers.people import background_blocks, flow_words
from experiments.models import Part, Study, StudyText
from experiments.procedure.texts import Block, current_text, pages_of
from experiments.questionnaire.conditions import described as condition_in_words
from experiments.questionnaire.scores import expected_of, has_checks
from experiments.rules.sources import KINDS, MTURK, PROLIFIC, SONA, Source, sources_of
from participants.models import RecruitmentIdentity, Session

# What these services stand for: people are paid, or get credits.
COMPENSATED = {PROLIFIC: "a service that pays people", MTURK: "a service that pays people", SONA: "course credits"}


def evaluator_answers(facts: Facts) -> Answers:
    """Return the answers to section 3.2."""
    return {
        "3.2.1": _number(facts),
        "3.2.2": _kinds(facts),
        "3.2.3": _recruited(facts),
        "3.2.4": known(" ".join(_training(facts)), facts.setup),
        "3.2.5": _background(facts),
    }


def _number(facts: Facts) -> Answer:
    people = facts.people
    started, analysed = people.stages[0], people.stages[2]
    if people.is_simulated:
        text = f"0: nobody has taken part. {counted(people.simulated, 'simulated participant')} stand in the data."
    elif not started.people:
        text = "0: nobody has taken part."
    else:
        text = f"{analysed.people} whose judgements are analysed. {flow_words(people.stages)}"
    return known(text, people.source)


def _kinds(facts: Facts) -> Answer:
    services = {source.kind: COMPENSATED[source.kind] for source in _sources(facts.study) if source.kind in COMPENSATED}
    if not services:
        return in_part("The study names no service that pays people or gives credits.", facts.setup)
    told = listed([f"{KINDS[kind]} ({meaning})" for kind, meaning in services.items()])
    return in_part(f"The study is set up for {told}; what was paid is not stored.", facts.setup)


def _recruited(facts: Facts) -> Answer:
    study = facts.study
    said = []
    sources = _sources(study)
    real = Session.objects.filter(study=study, is_simulated=False)
    came = Counter(real.values_list("source", flat=True))
    if sources:
        told = [
            f"{source.name} ({KINDS[source.kind]}; {counted(came[source.name], 'session')})"
            for source in sorted(sources, key=lambda source: source.name)
        ]
        said.append(f"Sources of participants: {listed(told, shown=20)}.")
    else:
        said.append("People opened the link of the study; it names no source such as a recruitment service.")
    identified = Counter(RecruitmentIdentity.objects.filter(study=study).values_list("source", flat=True))
    if identified:
        told = [f"{name} ({n})" for name, n in sorted(identified.items())]
        said.append(f"Links carried the identifier of a service: {listed(told)}.")
    rules = [
        f"{condition_in_words(rule)} ({rule.get('outcome', 'screened-out')})"
        for part in study.ordered_parts
        for rule in part.settings.get("screening", ())
    ]
    if rules:
        said.append(f"People went no further where an answer was so: {'; '.join(rules)}.")
    each = {True: " in each group", False: ""}
    quotas = [
        f"{one['name']} (at most {one['quota']}{each[bool(study.groups and one.get('per_group'))]})"
        for one in study.criteria
    ]
    if quotas:
        said.append(f"Quotas: {listed(quotas, shown=20)}.")
    consent = current_text(study, StudyText.Kind.CONSENT)
    if consent is not None and consent.required_boxes:
        said.append(ended(f"Everybody had to agree: {' '.join(quoted(box) for box in consent.required_boxes)}"))
    if not sources:
        return in_part(" ".join(said), facts.setup)
    return known(
        " ".join(said), facts.setup, add="filters that were set with a service, and how the study was announced"
    )


def _training(facts: Facts) -> list[str]:
    said = []
    for task in facts.tasks:
        words = text_of(current_text(task, StudyText.Kind.INSTRUCTIONS, task.task), task)
        said.append(
            facts.titled(task, f"Instructions: {ended(quoted(words))}" if words else "There are no instructions.")
        )
        practice = task.items.filter(is_practice=True).count()
        said.append(f"Practice: {counted(practice, 'stimulus', 'stimuli')}." if practice else "No practice.")
    checked = [part for part in facts.study.ordered_parts if has_checks(part.questions)]
    if checked:
        again = "; whoever failed could answer them once more" if any(_attempts(part) > 1 for part in checked) else ""
        asked = sum(bool(expected_of(question)) for part in checked for question in part.questions)
        said.append(f"{counted(asked, 'question has', 'questions have')} a right answer that is checked{again}.")
    return said


def _attempts(part: Part) -> int:
    return int(part.settings.get("attempts", 1) or 1)


def text_of(text: StudyText | None, study: Study) -> str:
    """Return a text as participants read it, on one line."""
    return " ".join(said for page in pages_of(text, study) for block in page for said in _words(block))


def _words(block: Block) -> list[str]:
    return [str(block["text"])] if "text" in block else [str(item) for item in block.get("items", ())]


def _background(facts: Facts) -> Answer:
    blocks = list(background_blocks(facts.study, facts.people.kept))
    if blocks:
        text = " ".join(block.text for block in blocks)
        # Simulated answers describe nobody.
        note = "The answers are simulated. " if facts.people.is_simulated else ""
        return known(note + text, blocks[0].source)
    asked = [quoted(question["label"]) for question in facts.study.shown_questions if question.get("label")]
    if asked:
        return known(f"People were asked: {listed(asked, shown=30)}; no answers are summarised here.", facts.setup)
    return known("People were asked nothing about themselves.", facts.setup)


def _sources(study: Study) -> list[Source]:
    return sources_of(study.sources)

"""Section 3.3: plan, collection, quality, the page, time, questions, surroundings."""

from __future__ import annotations

from collections import Counter

from analysis.exports.of_task import task_label
from analysis.methods.wording import counted, listed
from analysis.papers.collected import titled
from analysis.papers.data_sheet.answers import Answer, Answers, ended, in_part, known, quoted
from analysis.papers.data_sheet.facts import Facts
from analysis.papers.design import order_words, settings_rows
from analysis.studies.planned import planned_analyses
from experiments.materials.lists import shown_together
from experiments.paradigms import paradigm_named
from experiments.procedure.arranging import complete_procedure
from experiments.questionnaire.kinds import LONG_TEXT, TEXT
from experiments.questionnaire.scores import has_checks
from experiments.rules.exclusion_rules import described
from experiments.rules.plan import complete_plan
from participants.models import Session


def conduct_answers(facts: Facts) -> Answers:
    """Return the answers to section 3.3."""
    supervised = bool(complete_procedure(facts.study.procedure)["supervised"])
    return {
        "3.3.1": _planned(facts),
        "3.3.2": known(
            "With the platform Lectern: pages in a web browser, whose answers are stored on the server of the "
            f"study as they are given, each with its time. {_browsers(facts)}".strip(),
            facts.setup,
        ),
        "3.3.3": _quality(facts),
        "3.3.4": _page(facts),
        "3.3.5": _time(facts),
        "3.3.6": _questions(facts),
        "3.3.7": in_part("In a laboratory, every session in full screen and begun by an experimenter.", facts.setup)
        if supervised
        else known(
            "No place was set: people opened a link in a browser, and surroundings were not controlled.",
            facts.setup,
            add="where it was, if people were invited to a place, such as a laboratory",
        ),
        "3.3.8": in_part(f"A laboratory. {_browsers(facts)}".strip(), facts.setup)
        if supervised
        else known(
            "N/A: no place was set.",
            facts.setup,
            add="where it was, if people were invited to a place, such as a laboratory",
        ),
    }


def _planned(facts: Facts) -> Answer:
    study = facts.study
    plan = complete_plan(study.plan)
    held = [
        said
        for said in (
            "hypotheses" if plan["hypotheses"] else "",
            counted(len(plan["exclusion_rules"]), "exclusion rule") if plan["exclusion_rules"] else "",
            counted(len(plan["analyses"]), "analysis", "analyses") if plan["analyses"] else "",
        )
        if said
    ]
    if not held:
        return in_part("On the platform nothing was planned before the study opened.", facts.setup)
    if study.opened_at is None:
        return in_part(f"The study has a plan ({listed(held)}); it is not opened yet, so the plan can change.")
    titles = [quoted(titled(one["title"], task_label(study, one["part"]))) for one in planned_analyses(study)]
    analyses = f" Planned analyses: {listed(titles, shown=30)}." if titles else ""
    return known(
        f"A plan ({listed(held)}) was fixed on the platform when the study opened on {study.opened_at:%Y-%m-%d}; the "
        f"platform is no public registry.{analyses}",
        f"plan of the study, version {study.version}",
        add="the public registry and the link of the registration, if there is one",
    )


def _browsers(facts: Facts) -> str:
    clients = Session.objects.filter(study=facts.study, is_simulated=False).values_list("client", flat=True)
    named = Counter(str(client.get("browser", "")).partition(" ")[0] for client in clients if client)
    named.pop("", None)
    return f"Browsers: {listed([f'{name} ({n})' for name, n in sorted(named.items())])}." if named else ""


def _quality(facts: Facts) -> Answer:
    study = facts.study
    rules = [described(rule) for rule in complete_plan(study.plan)["exclusion_rules"]]
    said = []
    if rules:
        said.append(f"Rules fixed in the plan leave out people or single judgements: {'; '.join(rules)}.")
    if any(has_checks(part.questions) for part in study.ordered_parts):
        said.append("Questions with a right answer check people's attention or understanding.")
    if any(part.settings.get("screening") for part in study.ordered_parts):
        said.append("Answers screen people out before their data (3.2.3).")
    for task in facts.tasks:
        if fillers := task.items.filter(is_filler=True, is_practice=False).count():
            said.append(facts.titled(task, f"{counted(fillers, 'filler')} among the stimuli."))
        watched = [measure.name for measure in paradigm_named(task.paradigm).quality_measures()]
        if watched:
            said.append(facts.titled(task, f"Computed for every session: {listed(watched, shown=20)}."))
    by_hand = Session.objects.filter(study=study, is_excluded=True, is_simulated=False).count()
    said.append(
        f"{counted(by_hand, 'session was', 'sessions were')} left out by hand, with a reason."
        if by_hand
        else "No session was left out by hand."
    )
    return known(
        " ".join(said), facts.setup, add="whether evaluators had to be native speakers, where that was ensured"
    )


def _page(facts: Facts) -> Answer:
    said = []
    for task in facts.tasks:
        paradigm = paradigm_named(task.paradigm)
        fields = paradigm.settings_form.base_fields
        # What is asked stands with its criterion.
        asked = {str(fields[name].label) for name in ("question", "questions") if name in fields}
        settings = [f"{label}: {value}" for label, value in settings_rows(task) if label not in asked and value != "0"]
        order = order_words(complete_procedure(task.procedure), together=shown_together(task) is not None)
        said.append(facts.titled(task, f"{paradigm.label}. {paradigm.summary} {'; '.join(settings)}. {order}"))
    return known(" ".join(said), facts.setup, add="a screenshot; the preview of the study shows the page")


def _time(facts: Facts) -> Answer:
    procedure = complete_procedure(facts.study.procedure)
    sitting = (
        "People who left or reloaded the page could not go on: the whole was to be done in one sitting."
        if procedure["resume"] == "end"
        else "Answers are kept, and people who left or reloaded the page could go on later."
    )
    return known(
        f"No single judgement had a limit of time. {sitting} A session without an answer for "
        f"{counted(procedure['stale_after_minutes'], 'minute')} counted as dropped out.",
        facts.setup,
    )


def _questions(facts: Facts) -> Answer:
    study = facts.study
    said = [
        f"The pages before the study name an address for questions ({study.contact})."
        if study.contact
        else "The pages of the study name no address for questions."
    ]
    parts = study.ordered_parts
    judged = {task.task.name for task in facts.tasks}
    last = max((at for at, part in enumerate(parts) if part.name in judged), default=len(parts))
    after = [
        quoted(question["label"])
        for part in parts[last + 1 :]
        for question in part.questions
        if question.get("kind") in (TEXT, LONG_TEXT)
    ]
    said.append(
        ended(f"After the judgements people could answer in their own words: {listed(after, shown=20)}")
        if after
        else "After the judgements people were asked for no comment on the platform."
    )
    return known(" ".join(said), facts.setup)

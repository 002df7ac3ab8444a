"""Write the sections Materials, Procedure and Plan of a manuscript from the study's settings."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.exports.archive import single_files
from analysis.exports.of_task import task_label
from analysis.exports.reports import labels_of
from analysis.exports.sheets import name_in_export
from analysis.methods.report import Column, Table
from analysis.methods.wording import counted, listed
from analysis.papers.blocks import Block, Heading, Paragraph, Tabular
from analysis.papers.collected import titled
from analysis.papers.references import OF_PARADIGM
from analysis.studies.design import Experiment, experiments_of_task
from analysis.studies.planned import planned_analyses
from experiments.design.estimability import efficiency
from experiments.design.together import TogetherDesign
from experiments.languages import name_of
from experiments.materials.lists import shown_together
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.pieces.media import has_sound
from experiments.procedure.arranging import complete_procedure
from experiments.rules.branching import rule_in_words
from experiments.rules.exclusion_rules import BY_SLUG, described
from experiments.rules.plan import complete_plan

ABOUT_SOUND = ("sound", "sound_check", "headphones_check")


def _of_task(title: str, study: Study) -> str:
    return f"{title}: {study.task.label}" if study.chosen_task else title


def order_of_parts(study: Study) -> Iterator[Block]:
    """Yield in which order a participant goes through the parts; nothing of a study of one task for all."""
    if not study.has_several_tasks and not any(part.shown_if for part in study.ordered_parts):
        return
    told = [f"{part.label} ({part.get_kind_display().lower()})" for part in study.ordered_parts]
    yield Heading(2, "Parts of a session")
    text = f"A session had {counted(len(told), 'part')}: {listed(told, shown=len(told))}."
    sets = dict.fromkeys(part.order_set for part in study.ordered_parts if part.order_set)
    for name in sets:
        members = [part.label for part in study.ordered_parts if part.order_set == name]
        how = "at random" if study.order_sets.get(name) == "random" else "balanced over participants"
        text += f" {listed(members, shown=len(members))} changed places, {how}."
    for name, tasks in study.pools.items():
        pooled = listed([task.label for task in tasks], shown=len(tasks))
        text += f" {pooled} are one task in the analyses, called {name}."
    for part in study.ordered_parts:
        if part.shown_if:
            text += f" {part.label} was only for participants of whom {rule_in_words(part.shown_if)} held."
    if study.groups:
        text += f" The groups of participants were {listed([str(group['name']) for group in study.groups], shown=20)}."
    yield Paragraph(text, source=f"parts of the study, version {study.version}")


def materials_blocks(study: Study) -> Iterator[Block]:
    """Yield design, items and lists; of the task through which the study is seen, where it has several."""
    yield Heading(2, _of_task("Design and materials", study))
    files = single_files(study.seen_through(""), layout="flat", variant="plain")
    name = f"{name_in_export(study, 'materials', task=study.task.name)}.csv"
    pieces = next(pieces for path, pieces in files if path == name)
    source = f"{name}, SHA-256 {hashlib.sha256(b''.join(pieces)).hexdigest()}, study version {study.version}"
    yield Paragraph(design_words(_in_print(study)), source=source)
    items = list(study.items.values_list("item_set", "is_filler", "is_practice"))
    targets = [item_set for item_set, is_filler, is_practice in items if not is_filler and not is_practice]
    said = [f"There were {counted(len(targets), 'item')}"]
    if fillers := sum(is_filler and not is_practice for _set, is_filler, is_practice in items):
        said.append(f"{counted(fillers, 'filler')}")
    if practice := sum(is_practice for _set, _filler, is_practice in items):
        said.append(f"{counted(practice, 'practice text')}")
    text = f"{listed(said)}."
    sets = Counter(targets)
    if len(sets) > 1:
        told = listed([f"{name or '(no name)'} ({n})" for name, n in sorted(sets.items())])
        text += f" The items form {len(sets)} sets: {told}."
    text += "".join(f" {sentence}" for sentence in incompleteness_words(experiments_of_task(study)))
    lists = Counter(study.lists.values_list("item_set", flat=True))
    together = shown_together(study)
    if together is not None:
        text += f" {together_sentence(together)}"
    elif sum(lists.values()) and complete_procedure(study.procedure)["conditions"] == "one":
        how = (
            "so that every list shows every item in one of its conditions, every text of an item is in equally many "
            "lists, and a condition occurs equally often in each list, give or take one."
            if any(experiment.design.is_incomplete for experiment in experiments_of_task(study))
            else "by a Latin square: a list shows every item in one condition."
        )
        text += f" They were distributed over {counted(sum(lists.values()), 'list')} {how}"
    yield Paragraph(text, source=source)


def incompleteness_words(experiments: Sequence[Experiment]) -> list[str]:
    """Say which item sets had conditions of their own, and how many conditions the items of incomplete sets had."""
    said = []
    if len(experiments) > 1:
        own = [f"{one.name} ({listed([*one.factors], shown=6) or 'no factor'})" for one in experiments]
        said.append(f"Sets without common conditions are experiments of their own: {listed(own, shown=12)}.")
    for one in experiments:
        if one.design.is_incomplete:
            sizes = sorted({len(cells) for cells in one.cells})
            number = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            of = len({condition for cells in one.cells for condition in cells})
            place = f" of {one.name}" if one.name else ""
            said.append(
                f"The design{place} was incomplete: every item had {number} of the {of} conditions "
                f"(efficiency factor {efficiency(one.cells):.3f} against items in all of them)."
            )
    return said


def _in_print(study: Study) -> list[dict[str, Any]]:
    """Return the factors of a task with the names for print of the study."""
    labels = labels_of(study)
    return [
        {
            "name": labels.names[str(factor["name"])],
            "levels": [labels.levels[str(factor["name"])][str(level)] for level in factor["levels"]],
        }
        for factor in study.factors
    ]


def design_words(factors: list[dict[str, Any]]) -> str:
    """Say which factors were crossed.

    >>> design_words([{"name": "order", "levels": ["a", "b"]}, {"name": "marker", "levels": ["x", "y", "z"]}])
    'The design was 2 × 3: order (a, b) and marker (x, y, z).'
    """
    if not factors:
        return "The materials have no factors."
    told = listed([f"{factor['name']} ({', '.join(map(str, factor['levels']))})" for factor in factors])
    if len(factors) == 1:
        return f"The design had one factor: {told}."
    return f"The design was {' × '.join(str(len(factor['levels'])) for factor in factors)}: {told}."


def procedure_blocks(study: Study) -> Iterator[Block]:
    """Yield paradigm, order and settings; of the task through which the study is seen, where it has several."""
    paradigm = paradigm_named(study.paradigm)
    source = f"settings and procedure of the study, version {study.version}"
    yield Heading(2, _of_task("Procedure", study))
    read = [name_of(study.said_in(tag).participants_language) for tag in ("", *study.languages)]
    language = " and ".join(filter(None, [", ".join(read[:-1]), read[-1]]))
    yield Paragraph(
        f"Paradigm: {paradigm.label}. {paradigm.summary} The interface was in {language}.".replace("..", "."),
        cites=OF_PARADIGM.get(study.paradigm, ()),
        source=source,
    )
    together = shown_together(study)
    yield Paragraph(order_words(complete_procedure(study.procedure), together=together is not None), source=source)
    rows = tuple(settings_rows(study))
    if rows:
        columns = (Column("setting", "Setting", "text"), Column("value", "Value", "text"))
        yield Tabular(
            path=f"tables/settings-{study.chosen_task}" if study.chosen_task else "tables/settings",
            title=_of_task("Settings of the paradigm", study),
            heads=("Setting", "Value"),
            rows=rows,
            is_number=(False, False),
            note="",
            source=source,
            full=Table("settings", "Settings of the paradigm", columns, rows),
        )


def together_sentence(design: TogetherDesign) -> str:
    """Say which conditions were compared with each other, and how that was shared among participants.

    >>> from experiments.design.together import together_design
    >>> together_sentence(together_design(3, size=2))
    'Of the 3 conditions of an item, 2 were compared at a time: every participant compared every item once, 6 lists \
sharing all 3 pairs at all places (efficiency factor 0.750).'
    """
    several = "pairs" if design.size == 2 else f"groups of {design.size}"
    said = f"Of the {design.n_conditions} conditions of an item, {design.size} were compared at a time"
    times = "once" if design.per_item == 1 else f"{design.per_item} times"
    if design.is_adaptive:
        return (
            f"{said}: every participant compared every item {times}, in pairs that earlier answers left least certain."
        )
    return (
        f"{said}: every participant compared every item {times}, {counted(design.n_lists, 'list')} sharing all "
        f"{len(design.blocks)} {several} at all places (efficiency factor {design.efficiency:.3f})."
    )


def order_words(procedure: Mapping[str, Any], *, together: bool = False) -> str:
    """Say in which order a participant saw the texts; with `together`, nothing of the conditions of one item."""
    said = ["Practice texts came first." if procedure["practice_first"] else "Practice texts stood among the others."]
    if not together and procedure["conditions"] == "all":
        said.append("Every participant saw every item in all conditions.")
    if not together and procedure["conditions"] == "several":
        said.append(
            f"Every participant saw every item in {procedure['conditions_per_item']} of its conditions, by a balanced "
            "incomplete block design over lists."
        )
    elif not together:
        said.append("Every participant saw an item in one condition.")
    if procedure["item_sets"] == "apart":
        said.append("Every participant saw one item set.")
    within = " within each block" if procedure["block_by"] else ""
    if procedure["blocked"]:
        said.append("Conditions were blocked, and the order of the blocks was random.")
    elif procedure["sequence"] == "as-given":
        said.append(f"The texts came in the order of the materials{within}.")
    elif within:
        said.append("The order of the texts was random for every participant within each block, from a stored seed.")
    else:
        said.append("The order of the texts was random for every participant, from a stored seed.")
    if n := procedure["leading_fillers"]:
        said.append(f"The first {counted(n, 'text was a filler', 'texts were fillers')}.")
    if n := procedure["max_same_condition_run"]:
        said.append(f"At most {counted(n, 'item')} of one condition followed each other.")
    if n := procedure["max_target_run"]:
        said.append(f"At most {counted(n, 'item')} followed each other without a filler.")
    said += arrangement_sentences(procedure)
    said.append(
        "Sessions were supervised in a laboratory, in full screen."
        if procedure["supervised"]
        else "Participants took part in their own browser, unsupervised."
    )
    after = {
        "continue": "went on with the trial that was open",
        "restart-block": "went on after the last break",
        "end": "could not go on",
    }
    said.append(f"People who reloaded the page {after[procedure['resume']]}.")
    return " ".join(said)


def arrangement_sentences(procedure: Mapping[str, Any]) -> list[str]:
    """Say what was in blocks, stayed together, was fixed or repeated.

    >>> from experiments.procedure.arranging import complete_procedure
    >>> arrangement_sentences(complete_procedure({"chain_by": "pair", "repetitions": 2}))
    ["Texts with the same 'pair' followed each other in a fixed order.", 'Every text was shown 2 times.']
    """
    said = []
    if column := procedure["block_by"]:
        orders = {
            "as-given": "fixed",
            "random": "random for every participant",
            "latin-square": "balanced over participants by a Williams design within every list",
        }
        breaks = ", with a break between them" if procedure["block_breaks"] else ""
        said.append(
            f"The texts came in blocks by '{column}'{breaks}; the order of the blocks was "
            f"{orders[procedure['block_order']]}."
        )
    if column := procedure["chain_by"]:
        said.append(f"Texts with the same '{column}' followed each other in a fixed order.")
    if column := procedure["fixed_by"]:
        said.append(f"First and last texts were fixed (column '{column}').")
    if procedure["mix_fillers"]:
        said.append("Fillers were mixed evenly among the items.")
    rounds = ", all of them once before any came again" if procedure["repetition_rounds"] else ""
    if column := procedure["repetitions_by"]:
        said.append(f"Texts were shown as often as the column '{column}' says{rounds}.")
    elif (times := procedure["repetitions"]) > 1:
        said.append(f"Every text was shown {times} times{rounds}.")
    if distance := procedure["min_distance"]:
        said.append(f"Between two trials of one item lay at least {counted(distance, 'other')}.")
    return said + feedback_sentences(procedure)


def feedback_sentences(procedure: Mapping[str, Any]) -> list[str]:
    """Say how long instructions stayed, whether practice came again, and what people were told at breaks.

    >>> from experiments.procedure.arranging import complete_procedure
    >>> feedback_sentences(complete_procedure({"practice_until": 80, "break_feedback": "both"}))
    ['Practice was repeated until 80 % of the answers were right, 3 times at most.', \
'At breaks people were told the share of right answers and the mean time of an answer since the last break.']
    """
    said = []
    if seconds := procedure["minimum_seconds"]:
        said.append(f"Every page of the instructions stayed for at least {seconds} s.")
    if share := procedure["practice_until"]:
        times = procedure["practice_rounds"]
        said.append(f"Practice was repeated until {share} % of the answers were right, {times} times at most.")
    told = {
        "right": "the share of right answers",
        "time": "the mean time of an answer",
        "both": "the share of right answers and the mean time of an answer",
    }
    if what := told.get(procedure["break_feedback"]):
        said.append(f"At breaks people were told {what} since the last break.")
    if what := told.get(procedure["end_feedback"]):
        said.append(f"At the end of the task they were told {what}.")
    return said


def settings_rows(study: Study) -> Iterator[tuple[str, str]]:
    """Yield label and value of every setting of the paradigm, in words; nothing of sound in a study without."""
    paradigm = paradigm_named(study.paradigm)
    settings = paradigm.complete_settings(study.settings)
    for name, declared in paradigm.settings_form.base_fields.items():
        value = settings.get(name, "")
        if value in ("", None, [], ()) or (name in ABOUT_SOUND and not has_sound(settings)):
            continue
        choices = dict(getattr(declared, "choices", ()))
        label = str(declared.label or name.replace("_", " "))
        yield label, _value(value, {str(key): str(shown) for key, shown in choices.items()})


def _value(value: Any, choices: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "; ".join(_value(entry, choices) for entry in value)
    if isinstance(value, Mapping) and "text" in value and "kind" in value:
        return question_words(value)
    if isinstance(value, Mapping):
        told = ((name.replace("_", " "), entry) for name, entry in value.items() if entry not in ("", None, []))
        return ", ".join(f"{name} {_value(entry, {})}" for name, entry in told)
    return choices.get(str(value), " ".join(str(value).split()))


def question_words(question: Mapping[str, Any]) -> str:
    """Return a question about texts with the form of its answer, in words.

    >>> question_words({"text": "Is it clear?", "kind": "scale", "points": 5, "labels": ["no", "yes"]})
    '“Is it clear?” (a scale of 5 points from “no” to “yes”)'
    """
    labels = [f"“{' '.join(str(label).split())}”" for label in question.get("labels", ())]
    ends = (
        f" from {labels[0]} to {labels[-1]}" if len(labels) == 2 else f": {listed(labels, shown=20)}" if labels else ""
    )
    match question["kind"]:
        case "scale":
            form = f"a scale of {question.get('points', 0)} points{ends}"
        case "slider":
            form = f"a slider{ends}"
        case "error-spans":
            form = "errors are marked in the text"
        case "magnitude":
            form = "a number without limits"
        case kind:
            form = str(kind).replace("-", " ").replace("_", " ")
    optional = "" if question.get("required", True) else "; it may be left out"
    return f"“{' '.join(str(question['text']).split())}” ({form}{optional})"


def plan_blocks(study: Study) -> Iterator[Block]:
    """Yield hypotheses, exclusion rules and analyses as they were planned."""
    plan = complete_plan(study.plan)
    source = f"plan of the study, version {study.version}"
    yield Heading(2, "Plan")
    if not any(plan.values()):
        yield Paragraph("Nothing was planned before the study opened; all analyses are exploratory.", source=source)
        return
    frozen = study.opened_at is not None
    when = f"fixed when the study opened on {study.opened_at:%Y-%m-%d}" if frozen else "stated in the study"
    yield Paragraph(f"Hypotheses, exclusion rules and analyses below were {when}.", source=source)
    if plan["hypotheses"]:
        yield Paragraph(f"Hypotheses, as stated: “{' '.join(plan['hypotheses'].split())}”", source=source)
    for level, whom in (("participant", "participants"), ("trial", "single trials")):
        rules = [described(rule) for rule in plan["exclusion_rules"] if BY_SLUG[rule["rule"]].level == level]
        if rules:
            yield Paragraph(f"Rules by which {whom} were to be left out: {'; '.join(rules)}.", source=source)
    if plan["analyses"]:
        told = [titled(analysis["title"], task_label(study, analysis["part"])) for analysis in planned_analyses(study)]
        yield Paragraph(f"Planned analyses: {'; '.join(told)}.", source=source)

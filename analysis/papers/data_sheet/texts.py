"""Sections 1, 2 and 3.1: paper and resources, the systems, and the texts that were judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import mean

from analysis.exports.reports import labels_of
from analysis.methods.wording import counted, listed, number_text
from analysis.papers.data_sheet.answers import OPEN, Answer, Answers, ended, in_part, known, quoted
from analysis.papers.data_sheet.facts import Facts
from analysis.text.boundaries import running_sentences
from experiments.languages import name_of
from experiments.models import Stimulus, Study
from experiments.paradigms import paradigm_named

# Columns of the materials with what systems made their texts from, or what stands above them.
INPUTS = {"source": "a source, from which the texts were made", "input": "an input", "context": "a context"}
LONGEST = 200


def text_answers(facts: Facts) -> Answers:
    """Return the answers to sections 1, 2 and 3.1."""
    study = facts.study
    stimuli = {task.task.name: target_stimuli(task) for task in facts.tasks}
    return {
        "1.1": OPEN,
        "1.2": in_part(
            f"Texts, data and codebook are exported from the platform as one archive (study {quoted(study.slug)}, "
            f"version {study.version}) with the SHA-256 of every file; where it is deposited is not known.",
            facts.setup,
        ),
        "1.3": _contact(facts),
        "2.1": _inputs(facts, stimuli),
        "2.2": _outputs(facts, stimuli),
        "2.3": OPEN,
        "2.4": OPEN,
        "2.5": known(
            f"{name_of(study.participants_language)} (ISO 639-1: {study.participants_language}): "
            "the language that is set for the study, "
            "its pages and the measures of its texts.",
            facts.setup,
            add="another language, where the texts are not in that of the study",
        ),
        "3.1.1": _sample(facts, stimuli),
        "3.1.2": in_part(
            "The texts are those in the materials of the study; how they were chosen is not stored. "
            f"{_materials_report(facts)}".strip(),
            facts.setup,
        ),
        "3.1.3": _power(facts),
    }


def target_stimuli(task: Study) -> list[Stimulus]:
    """Return what is judged in a task, without fillers and practice, in the order of the materials."""
    found = Stimulus.objects.filter(item__part=task.task.pk, item__is_filler=False, item__is_practice=False)
    return list(found.select_related("item", "condition").order_by("item__position", "pk"))


def _contact(facts: Facts) -> Answer:
    study = facts.study
    named = [
        f"{label}: {said}."
        for label, said in (("Responsible", study.responsible.strip()), ("Contact", study.contact.strip()))
        if said
    ]
    if not named:
        return OPEN
    if len(named) < 2:
        return in_part(" ".join(named), facts.setup)
    return known(" ".join(named), facts.setup, add="who filled in the sheet, if that is somebody else")


def _inputs(facts: Facts, stimuli: dict[str, list[Stimulus]]) -> Answer:
    said = []
    for task in facts.tasks:
        own = stimuli[task.task.name]
        told = [
            _input_words(what, {one.item_id: _held(one, column) for one in own})
            for column, what in INPUTS.items()
            if any(_held(one, column) for one in own)
        ]
        said.append(facts.titled(task, " ".join(told) or "The materials hold no input beside the texts."))
    return in_part(" ".join(said), facts.setup)


def _held(stimulus: Stimulus, column: str) -> str:
    """Return what a column of the materials holds of a text: shown with it, or about its item."""
    return str(stimulus.extra.get(column) or stimulus.item.attributes.get(column) or "").strip()


def _input_words(what: str, of_item: Mapping[int, str]) -> str:
    shown = [text for text in of_item.values() if text]
    words = number_text(mean(len(text.split()) for text in shown), places=1)
    return (
        f"For {len(shown)} of {counted(len(of_item), 'item')} the materials hold {what}, {words} words on average, "
        f"such as {ended(quoted(shortened(shown[0])))}"
    )


def shortened(text: str) -> str:
    """Return the beginning of a long text, whole words of it.

    >>> shortened("one two " * 40).endswith("one two …"), shortened("short")
    (True, 'short')
    """
    return " ".join(text.split()) if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"


def _outputs(facts: Facts, stimuli: dict[str, list[Stimulus]]) -> Answer:
    said = []
    for task in facts.tasks:
        own = stimuli[task.task.name]
        if not own:
            return OPEN
        kinds = paradigm_named(task.paradigm).media_columns
        with_media = [
            f"{counted(n, what)}"
            for name, kind in kinds.items()
            for what in ["picture" if kind == "image" else "sound"]
            if (n := sum(bool(one.extra.get(name)) for one in own))
        ]
        texts = [one.text for one in own if one.text.strip()]
        told = [f"{listed(with_media)} (visual output or sound)"] if with_media else []
        if texts:
            told.append(_kind_of(texts, task.language))
        said.append(facts.titled(task, f"{'; '.join(told)}."))
    return known(
        " ".join(said), facts.setup, add="another kind, where the texts are documents with a structure or dialogues"
    )


def _kind_of(texts: list[str], language: str) -> str:
    """Say what kind of text these are, by counting.

    >>> _kind_of(["It rained. It stopped.", "It rained."], "en")
    'Text: one or several sentences (1 to 2, mean 1.5; mean 3.0 words; 2 texts)'
    """
    numbers = [len(running_sentences(text, language=language)) for text in texts]
    is_whole = [text.rstrip().rstrip("\"'”’»“)").endswith((".", "!", "?", "…", "。")) for text in texts]
    words = number_text(mean(len(text.split()) for text in texts), places=1)
    if max(numbers) <= 1:
        kind = "Text: one sentence" if all(is_whole) else "Text: a sentence, or a part of one without a full stop"
        return f"{kind} (mean {words} words; {counted(len(texts), 'text')})"
    kind = "Text: several sentences" if min(numbers) > 1 else "Text: one or several sentences"
    return (
        f"{kind} ({min(numbers)} to {max(numbers)}, mean {number_text(mean(numbers), places=1)}; mean {words} words; "
        f"{counted(len(texts), 'text')})"
    )


def _sample(facts: Facts, stimuli: dict[str, list[Stimulus]]) -> Answer:
    said = []
    labels = labels_of(facts.study)
    for task in facts.tasks:
        own = stimuli[task.task.name]
        if not own:
            return OPEN
        each = Counter(one.condition.name if one.condition else "" for one in own)
        if set(each) == {""}:
            said.append(
                facts.titled(task, f"{counted(len(own), 'stimulus', 'stimuli')}; the materials name no systems.")
            )
            continue
        numbers = set(each.values())
        names = [labels.name(name) or name or "(no condition)" for name in each]
        told = (
            f"{numbers.pop()} of each of {counted(len(each), 'condition')} ({listed(names, shown=20)})"
            if len(numbers) == 1
            else listed([f"{name}: {n}" for name, n in zip(names, each.values(), strict=True)], shown=20)
        )
        items = len({one.item_id for one in own})
        said.append(
            facts.titled(
                task,
                f"{told}; {counted(len(own), 'stimulus', 'stimuli')} of {counted(items, 'item')} in the materials.",
            )
        )
    return known(" ".join(said), facts.setup)


def _materials_report(facts: Facts) -> str:
    return " ".join(
        f"{told.shown.sentences[0]} (report {told.run.pk})" for told in facts.found.materials if told.shown.sentences
    )


def _power(facts: Facts) -> Answer:
    told = [one for one in facts.found.sample_size if one.shown.sentences]
    if not told:
        return OPEN
    text = " ".join(f"{' '.join(one.shown.sentences[:4])} (report {one.run.pk})" for one in told)
    return known(text, "; ".join(one.source for one in told))

"""The rows of `codings.csv`, and the final codes as cells of `trials.csv`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from analysis.codebook.columns import names
from analysis.codebook.tables import coding_columns
from analysis.coding.final import Final, finals
from analysis.coding.recalls import coded_tasks, recall_id, recalled, state_of
from analysis.exports.cells import Cells, cell
from analysis.exports.rows.judged import judged_sessions, stimulus_cells
from analysis.exports.stored import StoredTrial, stored_stimuli
from analysis.models import Adjudication, Coding, CodingQueue
from experiments.formats.words import NeedsRegions, count_words
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.rules.error_codes import SchemeCode, score
from experiments.study.schemes import scheme_of


class Given(NamedTuple):
    """Codes that somebody gave, with what belongs to them."""

    codes: Sequence[str]
    note: str
    seconds: float | None
    at: datetime


def coded_cells(study: Study) -> dict[int | None, Cells]:
    """Return the cells of `codebook.trials.final_code_columns` of every coded response, by response."""
    scheme = scheme_of(study)
    return {response: _final_cells(final, scheme) for response, final in finals(study).items()}


def _final_cells(final: Final, scheme: Sequence[SchemeCode]) -> Cells:
    if final.codes is None:
        return (*(None for _ in scheme), None, final.source)
    return (*_code_cells(final.codes, scheme), final.source)


def _code_cells(codes: Sequence[str], scheme: Sequence[SchemeCode]) -> Cells:
    return (*(int(entry.code in codes) for entry in scheme), score(codes, scheme))


def coding_rows(study: Study) -> Iterator[Cells]:
    """Yield the cells of `codings.csv`, in the order of `codebook.tables.coding_columns(study)`."""
    if study.shows_several_tasks:
        every = names(coding_columns(study))
        for seen in coded_tasks(study):
            place = {name: index for index, name in enumerate(names(coding_columns(seen)))}
            for cells in coding_rows(seen):
                yield tuple(cells[place[name]] if name in place else None for name in every)
        return
    part = (study.task.name,) if study.has_several_tasks else ()
    paradigm = paradigm_named(study.paradigm)
    scheme = scheme_of(study)
    state = state_of(study)
    of = finals(study)
    given = stored_codings(study)
    settled = stored_decisions(study)
    stimuli = stimulus_cells(study)
    words = words_of_stimuli(study)
    for judged in judged_sessions(study):
        for trial in judged.trials:
            if trial.response not in of or trial.payload is None:
                continue
            stimulus = stimuli[trial.stimulus]
            before = (
                *judged.person_in(study.task.pk),
                trial.position,
                *stimulus.place,
                recall_id(state, trial.response),
                stimulus.text,
                recalled(paradigm, trial.params, trial.payload),
                _words(trial, judged.measured, words),
            )
            facts = judged.facts_of(trial)
            after = (facts.simulated, facts.is_excluded, facts.reason, *stimulus.attributes, *part)
            for coder, entry in given[trial.response]:
                yield (*before, *_given_cells(entry, coder, "coder", None, scheme), *after)
            final = of[trial.response]
            if final.codes is not None:
                entry = settled.get(trial.response) or agreed_on(final, [entry for _, entry in given[trial.response]])
                yield (*before, *_given_cells(entry, "final", "final", final.source, scheme), *after)


def agreed_on(final: Final, entries: Sequence[Given]) -> Given:
    """Return what coders agree on as final codes: without note and time, since the last of them coded."""
    return Given(final.codes or (), "", None, max(entry.at for entry in entries))


def _given_cells(entry: Given, coder: str, role: str, source: str | None, scheme: Sequence[SchemeCode]) -> Cells:
    return (
        coder,
        role,
        source,
        ";".join(entry.codes),
        *_code_cells(entry.codes, scheme),
        entry.note,
        entry.seconds,
        cell(entry.at),
    )


def stored_codings(study: Study) -> Mapping[int | None, list[tuple[str, Given]]]:
    """Return what coders gave, by response and in the order of their numbers, under their pseudonyms."""
    queues = {queue.coder_id: queue for queue in CodingQueue.objects.filter(study=study)}
    rows = Coding.objects.filter(response__trial__session__study=study).values_list(
        "response_id", "coder_id", "codes", "note", "seconds", "changed_at"
    )
    found: dict[int | None, list[tuple[int, str, Given]]] = defaultdict(list)
    for response, coder, codes, note, seconds, at in rows:
        queue = queues.get(coder)
        if queue is None:  # a coding that its coder's queue left behind counts no more
            continue
        found[response].append((queue.number, queue.pseudonym, Given(codes, note, round(seconds, 3), at)))
    return defaultdict(
        list,
        {
            response: [(pseudonym, entry) for _, pseudonym, entry in sorted(entries, key=lambda entry: entry[0])]
            for response, entries in found.items()
        },
    )


def stored_decisions(study: Study) -> dict[int | None, Given]:
    """Return what was settled, by response."""
    rows = Adjudication.objects.filter(response__trial__session__study=study)
    return {
        response: Given(codes, note, None, at)
        for response, codes, note, at in rows.values_list("response_id", "codes", "note", "changed_at")
    }


def words_of_stimuli(study: Study) -> dict[int | None, int | None]:
    """Return the number of words of every stimulus; None where its words cannot be told apart."""
    return {pk: words_in(stimulus.text, stimulus.extra) for pk, stimulus in stored_stimuli(study).items()}


def words_in(text: str, extra: Mapping[str, Any]) -> int | None:
    """Return the number of words of a stimulus; None in a script without spaces and without marked regions."""
    try:
        return count_words(text, regions=str(extra.get("regions", "")))
    except NeedsRegions:
        return None


def _words(
    trial: StoredTrial, measured: Mapping[int, Mapping[str, Any]], words: Mapping[int | None, int | None]
) -> int | None:
    value = measured.get(trial.pk, {}).get("words")
    return value if isinstance(value, int) else words.get(trial.stimulus)

"""The rows of a paradigm's long tables, such as visits: any number for each answered trial, in order."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.codebook.materials import named_measures
from analysis.codebook.regions import REGIONS
from analysis.codebook.tables import long_columns
from analysis.exports.cells import Cells, cell
from analysis.exports.rows.judged import judged_sessions, stimulus_cells
from analysis.exports.rows.pooled import joined_rows
from analysis.exports.rows.regions import added_cells, lines_of
from analysis.exports.rows.words import WordScores
from analysis.exports.stored import Wanted, stored_events
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import LongTable


def long_rows(study: Study, table: LongTable, only: Wanted | None = None) -> Iterator[Cells]:
    """Yield the cells of `<table>.csv`, in the order of `codebook.tables.long_columns(study, table)`; with `only`,
    those of the sessions that are wanted.
    """
    if study.chosen_task and study.shows_several_tasks:
        yield from joined_rows(study, lambda seen: long_columns(seen, table), lambda seen: long_rows(seen, table, only))
        return
    paradigm = paradigm_named(study.paradigm)
    stimuli = stimulus_cells(study)
    task = study.task.pk
    names = [column.name for column in table.columns]
    of_words = WordScores.of(study, table.name)
    of_media = [column.name for column in named_measures(study, table.of_media)]
    for judged in judged_sessions(study, only):
        events = stored_events(judged.trials)
        found = []
        for trial in judged.trials:
            if trial.payload is None or trial.part != task or trial.plugin not in paradigm.responses:
                continue
            of_trial = [event for _, batch in events.get(trial.pk, ()) for event in batch]
            if rows := paradigm.long_rows(table.name, trial.params, trial.payload, of_trial):
                found.append((trial, rows))
        # Residuals are of a participant: all regions of the session have to be there first.
        has_more = table.name == REGIONS
        lines = lines_of([row for trial, rows in found if trial.phase == "main" for row in rows] if has_more else [])
        for trial, rows in found:
            stimulus, facts = stimuli[trial.stimulus], judged.facts_of(trial)
            before = (*judged.person_in(task), trial.position, trial.phase, *stimulus.place)
            after = (facts.simulated, facts.is_excluded, facts.reason, *stimulus.attributes)
            own = paradigm.stimuli_of_rows(table.name, trial.params, trial.payload or {})
            more: list[Cells] = [()] * len(rows)
            if has_more:
                more = added_cells(rows, language=study.participants_language, lines=lines)
            scored = of_words.cells(rows, trial.params, trial.stimulus)
            for number, (row, added) in enumerate(zip(rows, more, strict=True)):
                if own is not None:
                    stimulus = stimuli[own[number]]
                    before = (*judged.person_in(task), trial.position, trial.phase, *stimulus.place)
                    after = (*after[:3], *stimulus.attributes)
                yield (
                    *before, *(cell(row.get(name)) for name in names), *after, *added,
                    *(cell(row.get(name)) for name in of_media), *scored[number]
                )  # fmt: skip

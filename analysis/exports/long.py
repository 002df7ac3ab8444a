"""The rows of a paradigm's long tables, such as visits: any number for each answered trial, in order."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.exports.cells import Cells, cell
from analysis.exports.judged import judged_sessions, stimulus_cells
from analysis.exports.stored import stored_events
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import LongTable


def long_rows(study: Study, table: LongTable) -> Iterator[Cells]:
    """Yield the cells of `<table>.csv`, in the order of `codebook.tables.long_columns(study, table)`."""
    paradigm = paradigm_named(study.paradigm)
    stimuli = stimulus_cells(study)
    names = [column.name for column in table.columns]
    for judged in judged_sessions(study, stimuli):
        events = stored_events(judged.trials)
        for trial in judged.trials:
            if trial.payload is None or trial.plugin not in paradigm.responses:
                continue
            of_trial = [event for _, batch in events.get(trial.pk, ()) for event in batch]
            rows = paradigm.long_rows(table.name, trial.params, trial.payload, of_trial)
            if not rows:
                continue
            stimulus, facts = stimuli[trial.stimulus], judged.facts_of(trial)
            before = (*judged.person, trial.position, trial.phase, *stimulus.place)
            after = (facts.simulated, facts.is_excluded, facts.reason, *stimulus.attributes)
            for row in rows:
                yield (*before, *(cell(row.get(name)) for name in names), *after)

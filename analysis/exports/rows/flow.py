"""The rows of `flow.csv`: people and trials at every stage, counted from the rows of `trials.csv`."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.codebook.columns import names
from analysis.codebook.trials import trial_columns
from analysis.exports.rows.stages import Kind, Stage, flow_of
from analysis.exports.rows.trials import trial_rows
from experiments.models import Study


def study_flow(study: Study) -> list[Stage]:
    """Return how many people and trials a study has at every stage; without answers there are none at any."""
    return flow_of(kinds_of(study))


def kinds_of(study: Study) -> Iterator[Kind]:
    """Yield of every answered trial of the main phase what the flow asks of it."""
    at = {name: place for place, name in enumerate(names(trial_columns(study).all))}
    for row in trial_rows(study):
        if row[at["phase"]] == "main" and row[at["answered"]] == "true":
            yield Kind(
                participant=str(row[at["participant"]]),
                is_filler=row[at["is_filler"]] == "true",
                is_simulated=row[at["simulated"]] == "true",
                is_excluded=row[at["excluded"]] == "true",
                reason=str(row[at["exclusion_reason"]] or ""),
            )

"""Load the facts about a study that all sections of the sheet use."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.exports.of_task import known_part, task_label, through_task
from analysis.papers.collected import Collected, Told
from analysis.papers.people import People
from experiments.models import Study
from experiments.paradigms.comparison.paradigm import Comparison
from experiments.paradigms.rating.paradigm import Rating

JUDGED = (Rating.slug, Comparison.slug)


@dataclass(frozen=True)
class Facts:
    """A study, its people, its reports, and its tasks of rating and comparison, each as the study seen through it."""

    study: Study
    people: People
    found: Collected
    tasks: tuple[Study, ...]

    @property
    def setup(self) -> str:
        """Where an answer is from that rests on how the study is set up."""
        return f"set-up of the study, version {self.study.version}"

    def titled(self, task: Study, text: str) -> str:
        """Return text about a task, of several tasks with its name."""
        return f"{task_label(self.study, task.chosen_task)}: {text}" if len(self.tasks) > 1 else text

    def reports_of(self, task: Study) -> list[Told]:
        """Return the reports about a task, by their numbers."""
        name = known_part(self.study, task.chosen_task)
        own = [told for told in self.found.all if known_part(self.study, told.run.part) == name]
        return sorted(own, key=lambda told: told.run.pk)


def facts_of(study: Study, found: Collected, people: People) -> Facts:
    """Return the facts of a study."""
    tasks = tuple(seen for name in study.analysed_tasks if (seen := through_task(study, name)).paradigm in JUDGED)
    return Facts(study, people, found, tasks)

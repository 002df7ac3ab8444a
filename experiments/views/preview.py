"""Page of previews: try out any list without being counted."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from experiments.languages import name_of
from experiments.models.one_task import SlugOfTask
from experiments.views.page import StudyView


class Preview(StudyView):
    """Links into the participants' pages, one for each list."""

    step = "preview"
    template_name = "studies/preview.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        study = self.study
        return self.page(
            lists=[
                (task, SlugOfTask(str(study.slug), task.name) if study.has_several_tasks else study.slug, each)
                for task in study.tasks
                for each in task.lists.all()
            ],
            has_choice=len(study.ordered_parts) > 1 or bool(study.groups or study.languages),
            languages=[(tag, name_of(tag)) for tag in study.all_languages] if study.languages else [],
        )

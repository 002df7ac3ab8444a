from django.apps import AppConfig
from django.urls import register_converter


class ExperimentsConfig(AppConfig):
    name = "experiments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the URL converter for studies before any app lists its URLs, and translate sentences in
        templates.
        """
        from experiments.languages import in_language
        from experiments.sentences import Sentence
        from experiments.views.addresses import StudyConverter

        register_converter(StudyConverter, "study")
        Sentence.voice = in_language

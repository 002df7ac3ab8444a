from django.apps import AppConfig
from django.urls import register_converter


class ExperimentsConfig(AppConfig):
    name = "experiments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make addresses of studies known before any app lists its pages; let pages say sentences in their language."""
        from experiments.languages import in_language
        from experiments.sentences import Sentence
        from experiments.views.addresses import StudyConverter

        register_converter(StudyConverter, "study")
        Sentence.voice = in_language

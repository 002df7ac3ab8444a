from django.apps import AppConfig
from django.urls import register_converter


class ExperimentsConfig(AppConfig):
    name = "experiments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make addresses of studies known before any app lists its pages."""
        from experiments.views.addresses import StudyConverter

        register_converter(StudyConverter, "study")

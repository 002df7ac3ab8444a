from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Connects the receiver that erases reports when a participant withdraws.
        from analysis.archives import erasure as erasure_of_archives  # noqa: F401 - and archives
        from analysis.deposits import erasure as erasure_of_deposits  # noqa: F401 - and files of deposits
        from analysis.methods import catalogue
        from analysis.studies import erasure  # noqa: F401

        # A name that two methods have is told at start, not to whoever lists them first.
        catalogue.offered()

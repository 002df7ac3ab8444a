from django.apps import AppConfig


class ParticipantsConfig(AppConfig):
    name = "participants"
    default_auto_field = "django.db.models.BigAutoField"

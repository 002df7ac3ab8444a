from django.apps import AppConfig


class AssistantsConfig(AppConfig):
    name = "config.assistants"
    label = "assistants"

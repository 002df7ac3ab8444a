from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "config.accounts"
    label = "accounts"

    def ready(self) -> None:
        from django.contrib import admin

        from config.accounts.languages import name_records_in_languages

        # Records are those that the admin knows, which finds them at the end of the start.
        admin.autodiscover()
        name_records_in_languages()

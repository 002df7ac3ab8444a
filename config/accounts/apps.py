from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "config.accounts"
    label = "accounts"

    def ready(self) -> None:
        from config.accounts.languages import name_records_in_languages

        # Before any page or form is made of them; every other app stands before this one.
        name_records_in_languages()

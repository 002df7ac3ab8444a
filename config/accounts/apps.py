from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "config.accounts"
    label = "accounts"

    def ready(self) -> None:
        from config.accounts.languages import name_records_in_languages

        # Records are those that the admin knows, which stands before this app and has found them.
        name_records_in_languages()

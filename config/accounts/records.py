"""The admin, whose records are found when pages are served or checked: no command shows one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core import checks


class AdminConfig(SimpleAdminConfig):
    """Django's own finds the records while it starts, and with them half of the platform."""

    def ready(self) -> None:
        checks.register(check_dependencies, checks.Tags.admin)
        checks.register(check_records, checks.Tags.admin)


def check_records(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[checks.CheckMessage]:
    """Return what Django finds wrong with the pages of records."""
    admin.autodiscover()
    found: list[checks.CheckMessage] = check_admin_app(app_configs=app_configs)
    return found

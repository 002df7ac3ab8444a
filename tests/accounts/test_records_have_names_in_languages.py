"""The records whose names pages say in their own language are those that the admin shows."""

import subprocess
import sys

from django.contrib import admin
from django.contrib.admin.sites import AdminSite
from django.core.checks import CheckMessage, run_checks
from django.core.checks.registry import Tags

from config.accounts.languages import OWN_APPS, own_models
from tests.prepared import ROOT, SET_UP


def test_every_record_of_ours_that_the_admin_shows_is_named() -> None:
    admin.autodiscover()
    shown = {model for model in admin.site._registry if model._meta.app_label in OWN_APPS}
    assert set(own_models()) == shown
    assert len(shown) > 5


def test_checks_look_at_the_pages_of_records(monkeypatch) -> None:
    looked: list[int] = []

    def look(site: AdminSite, app_configs: object) -> list[CheckMessage]:
        looked.append(len(site._registry))
        return []

    monkeypatch.setattr(AdminSite, "check", look)
    assert run_checks(tags=[Tags.admin]) == []
    assert max(looked) > 5


def test_records_of_the_library_are_not_offered_whatever_is_imported_first() -> None:
    asked = (
        "import config.accounts.admin\n"
        "from django.contrib import admin\n"
        "admin.autodiscover()\n"
        "print(sorted({model._meta.app_label for model in admin.site._registry}))"
    )
    done = subprocess.run([sys.executable, "-c", SET_UP + asked], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "['analysis', 'auth', 'experiments', 'participants']"

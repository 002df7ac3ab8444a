"""Settings of the test suite: the platform's own, with fast password hashing, a database file and tasks run at once."""

import os
import tempfile
from pathlib import Path

# Tests never touch the data of a platform that lives in the same checkout. Processes of tests beside each other have a
# folder each: who writes to a database waits for all others in its folder, and files are named by what is in them.
# What a test starts keeps the folder that the test gives it.
OWN = os.environ.get("PYTEST_XDIST_WORKER", "only")
if os.environ.get("TESTS_OWN_FOLDER") != OWN:
    FOLDER = Path(os.environ.get("VAR_DIR") or tempfile.mkdtemp(prefix="lectern-tests-"))
    os.environ |= {"TESTS_OWN_FOLDER": OWN, "VAR_DIR": str(FOLDER / OWN)}

from config.caches import shared_cache  # noqa: E402
from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, DATABASES, STORAGES, VAR_DIR  # noqa: E402

if DATABASES["default"]["ENGINE"] == "config.sqlite":
    # A file instead of memory, so that threads and a live server meet the same locks as in production.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON;"
    )

# Tests of the shared cache name the platform's own.
CACHES = {**CACHES, "default": shared_cache("memory")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
AXES_ENABLED = False
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}

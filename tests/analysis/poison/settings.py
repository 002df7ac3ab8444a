"""The platform's own settings with the poisonous analyses and short limits."""

from config.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.analysis.poison.apps.PoisonConfig"]  # noqa: F405
ANALYSIS_TIME_LIMIT = 15
ANALYSIS_MEMORY_LIMIT = 2048

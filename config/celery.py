"""The Celery application: one queue, one task for every analysis, one sweeper."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("lectern")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["analysis.runs", "participants.erasure", "participants.simulating"])

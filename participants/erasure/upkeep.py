"""Periodic maintenance in the worker, every minute: finish erasures, enforce retention, and what settings name."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import DatabaseError
from django.utils.module_loading import import_string

from participants.erasure.retention import keep_promises
from participants.erasure.traces import clear

logger = logging.getLogger(__name__)
EVERY_SECONDS = 60.0


def look_after() -> None:
    """Do what is due; safe to call at any time and from several processes. Raises only DatabaseError.

    Failures are logged and retried a minute later; they stop neither the other duties nor the analyses.
    """
    for duty in (keep_promises, clear, *map(import_string, settings.DUTIES)):
        try:
            duty()
        except DatabaseError:
            raise
        except Exception:
            logger.exception("%s failed; trying again in a minute", duty.__name__)

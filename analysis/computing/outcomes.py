"""Outcomes of a computation, with the message for researchers if it failed.

An outcome holds `kind` and what belongs to it. `refused` has the method's own sentence as `error`, `error` a
`reference`, `died` an `exitcode`; `cancelled`, `outdated`, `memory` and `time` have nothing more. What a successful
computation returns is up to it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext as _

from analysis.methods.report import BadInput, Cancelled

logger = logging.getLogger(__name__)
Outcome = dict[str, Any]


def outcome_of(computation: Callable[[], Outcome], *, name: str) -> Outcome:
    """Run a computation and return its outcome, whatever happens; `name` says in the log what it was."""
    try:
        return computation()
    except BadInput as fault:
        return {"kind": "refused", "error": str(fault)}
    except (Cancelled, ObjectDoesNotExist):
        return {"kind": "cancelled"}
    except MemoryError:
        return {"kind": "memory"}
    except Exception:
        reference = secrets.token_hex(4)
        logger.exception("%s ended with an unexpected error, reference %s", name, reference)
        return {"kind": "error", "reference": reference}


def failure_sentence(outcome: Mapping[str, Any]) -> str:
    """Return what a researcher is told about an outcome that is no result."""
    match outcome["kind"]:
        case "refused":
            return str(outcome["error"])
        case "memory":
            return _(
                "The analysis needed more memory than it may use (%(limit)d MB). Use fewer rows or a simpler "
                "model, or ask the people who run the server to raise ANALYSIS_MEMORY_LIMIT."
            ) % {"limit": settings.ANALYSIS_MEMORY_LIMIT}
        case "time":
            return _(
                "The analysis took longer than it may (%(limit)d minutes) and was stopped. Use fewer rows or a "
                "simpler model, or ask the people who run the server to raise ANALYSIS_TIME_LIMIT."
            ) % {"limit": round(settings.ANALYSIS_TIME_LIMIT / 60)}
        case "died":
            return _(
                "The operating system ended the analysis (code %(code)s), most often because there was not "
                "enough memory. Use fewer rows or a simpler model."
            ) % {"code": outcome["exitcode"]}
        case "lost":
            return _(
                "The background process crashed %(times)d times while it computed this analysis, so the platform "
                "stopped the analysis. It may need more memory than the server has: use fewer rows or a simpler "
                "model."
            ) % {"times": outcome["times"]}
        case _:
            return _(
                "The analysis ended with an unexpected error. Your data are untouched. Please tell the people "
                "who run the server and give them the reference %(reference)s."
            ) % {"reference": outcome["reference"]}


def limits_in_words() -> str:
    """Return the limits as a sentence for the pages."""
    return _("An analysis may take %(minutes)d minutes and %(megabytes)d MB of memory.") % {
        "minutes": round(settings.ANALYSIS_TIME_LIMIT / 60),
        "megabytes": settings.ANALYSIS_MEMORY_LIMIT,
    }

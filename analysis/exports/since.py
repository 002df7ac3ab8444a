"""Exports of the sessions that ended after an earlier one: each session is in exactly one export of a chain.

A session that has ended does not change any more, but for exclusions and withdrawals; a complete export shows those.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils import timezone

from analysis.exports.archive import NoSuchFile, in_snapshot, single_files
from analysis.exports.cells import Variant, csv_pieces
from analysis.exports.sheets import sheets_of
from experiments.models import Study
from participants.models import Session

# The time at which a session ends is written before its transaction commits; none takes longer than this.
SETTLED = timedelta(seconds=30)


class NotACursor(ValueError):
    """A text that no export gave as its cursor."""


class CannotNarrow(ValueError):
    """A file that cannot be given for some sessions alone."""


def watermark(now: datetime | None = None) -> str:
    """Return the cursor of an export that is made now: what ended up to half a minute ago is in it.

    >>> from datetime import UTC
    >>> _time_of(watermark(datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)))
    datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.timezone.utc)
    """
    moment = (now or timezone.now()) - SETTLED
    return base64.urlsafe_b64encode(moment.isoformat().encode("ascii")).decode("ascii").rstrip("=")


def since(study: Study, name: str, after: str, until: str, *, variant: Variant = "plain") -> Iterator[bytes]:
    """Yield a CSV file in pieces with the rows of sessions that ended after one cursor and up to another.

    An empty `after` begins with the first session. Raises NoSuchFile, CannotNarrow and NotACursor before anything is
    yielded.
    """
    sheet = next((sheet for sheet in sheets_of(study) if f"{sheet.name}.csv" == name), None)
    if sheet is None and all(path != name for path, _ in single_files(study, layout="flat", variant=variant)):
        raise NoSuchFile(name)
    if sheet is None or sheet.narrowed is None:
        raise CannotNarrow(name)
    ended = Session.objects.filter(study=study, finished_at__isnull=False, finished_at__lte=_time_of(until))
    if after:
        ended = ended.filter(finished_at__gt=_time_of(after))
    return in_snapshot(csv_pieces(sheet.columns(study), sheet.narrowed(study, ended), variant=variant))


def _time_of(cursor: str) -> datetime:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise NotACursor(cursor) from error
    if moment.tzinfo is None:
        raise NotACursor(cursor)
    return moment

"""Pages of lists: a cursor names the row after which the next page begins, so that no row is given twice or missed."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet

from config.api.declarations import Answer, Call
from config.api.fields import Asked, Shape, Text, Whole
from config.api.problems import Problem, at

USUAL, MOST = 50, 200


class Page(Asked):
    """Which page of a list."""

    limit = Whole(required=False, min_value=1, max_value=MOST, help_text=f"Rows of a page; {USUAL} unless told.")
    cursor = Text(required=False, max_length=200, help_text="Where the page begins: `next_cursor` of the page before.")


def page_of(row: type[Shape], name: str) -> type[Shape]:
    """Return the shape of a page of a list."""
    fields = {
        "items": row(many=True, help_text="The rows, in the order of the list."),
        "next_cursor": Text(allow_null=True, help_text="Where the next page begins; null on the last one."),
        "next": Text(allow_null=True, help_text="The address of the next page; null on the last one."),
        "__doc__": f"A page of {name}.",
    }
    return type(f"PageOf{row.__name__}", (Shape,), fields)


def paged(call: Call, rows: QuerySet[Any], shown: Callable[[Any], Any], *, newest_first: bool = False) -> Answer:
    """Return the page of a list by its keys that the query asks for."""
    limit, after = call.query.get("limit", USUAL), _place(call.query.get("cursor", ""))
    rows = rows.order_by("-pk" if newest_first else "pk")
    if after is not None:
        rows = rows.filter(**{"pk__lt" if newest_first else "pk__gt": after})
    found = list(rows[: limit + 1])
    following = _cursor(found[limit - 1].pk) if len(found) > limit else None
    return _page(call, [shown(one) for one in found[:limit]], following)


def paged_list(call: Call, rows: Sequence[Any], shown: Callable[[Any], Any]) -> Answer:
    """Return the page of a list that is computed, and the same at every time, by the places of its rows."""
    limit, first = call.query.get("limit", USUAL), _place(call.query.get("cursor", "")) or 0
    following = _cursor(first + limit) if first + limit < len(rows) else None
    return _page(call, [shown(one) for one in rows[first : first + limit]], following)


def _page(call: Call, items: list[Any], following: str | None) -> Answer:
    address = None
    if following is not None:
        query = call.request.GET.copy()
        query["cursor"] = following
        address = call.address(f"{call.request.path}?{query.urlencode()}")
    headers = {"Link": f'<{address}>; rel="next"'} if address else {}
    return Answer({"items": items, "next_cursor": following, "next": address}, headers=headers)


def _cursor(place: int) -> str:
    return base64.urlsafe_b64encode(f"after {place}".encode()).decode("ascii").rstrip("=")


def _place(cursor: str) -> int | None:
    if not cursor:
        return None
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        word, number = text.split(" ")
        if word == "after" and number.isdecimal() and len(number) < 19:
            return int(number)
    except ValueError:
        pass
    raise Problem(
        "invalid", "The cursor is none of this list. Begin without one.", [at("/cursor", "This is no cursor.")]
    )

"""Server-side tables with sorting, filters and pagination, whose state is in the URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.http import HttpRequest

    from experiments.sentences import Words


@dataclass(frozen=True)
class Column:
    """A column of a table. `order_by` names the fields it sorts by; a column without any does not sort."""

    name: str
    label: Words
    order_by: tuple[str, ...] = ()
    numeric: bool = False


@dataclass(frozen=True)
class Header:
    """A column's header as it is shown: where a click leads and how the table is sorted now."""

    label: Words
    numeric: bool
    url: str = ""
    aria_sort: str = ""


@dataclass(frozen=True)
class Choice:
    """One value of a filter with its address."""

    label: Words
    url: str
    chosen: bool


@dataclass(frozen=True)
class Table:
    """A page of rows with everything its template needs."""

    headers: list[Header]
    page: Page[Any]
    search: str
    filters: dict[str, list[Choice]] = field(default_factory=dict)
    kept: list[tuple[str, str]] = field(default_factory=list)
    is_narrowed: bool = False
    previous_url: str = ""
    next_url: str = ""


def address(request: HttpRequest, **changes: str | None) -> str:
    """Return the query string of this page with `changes`; None removes a parameter."""
    query = request.GET.copy()
    for name, value in changes.items():
        if value is None:
            query.pop(name, None)
        else:
            query[name] = value
    return "?" + query.urlencode()


def sort_order(request: HttpRequest, columns: Sequence[Column], default: str) -> tuple[str, bool]:
    """Return (column name, descending) from the address; anything unknown falls back to `default`."""
    asked = request.GET.get("sort", default)
    name = asked.removeprefix("-")
    if not any(column.name == name and column.order_by for column in columns):
        asked = default
    return asked.removeprefix("-"), asked.startswith("-")


def table_of(
    request: HttpRequest,
    rows: QuerySet[Any],
    *,
    columns: Sequence[Column],
    default_sort: str,
    search_in: Sequence[str] = (),
    filters: Mapping[str, Sequence[tuple[str, Words, Q]]] | None = None,
    per_page: int = 50,
) -> Table:
    """Return one page of `rows`, narrowed and sorted as the address says.

    `filters` gives for each parameter its values as (value, label, condition); an unknown value narrows nothing.
    The parameters of the address are `sort`, `page`, `q` and the names of the filters.
    """
    words = request.GET.get("q", "").strip()
    narrowed = False
    if words and search_in:
        condition = Q()
        for name in search_in:
            condition |= Q(**{f"{name}__icontains": words})
        rows = rows.filter(condition)
        narrowed = True
    choices: dict[str, list[Choice]] = {}
    for parameter, values in (filters or {}).items():
        chosen = next((value for value in values if value[0] == request.GET.get(parameter)), None)
        if chosen is not None:
            rows = rows.filter(chosen[2])
            narrowed = True
        everything = Choice(
            label=_("All"), url=address(request, **{parameter: None, "page": None}), chosen=chosen is None
        )
        choices[parameter] = [everything] + [
            Choice(
                label=label,
                url=address(request, **{parameter: value, "page": None}),
                chosen=chosen is not None and chosen[0] == value,
            )
            for value, label, _condition in values
        ]
    name, descending = sort_order(request, columns, default_sort)
    fields = next(column.order_by for column in columns if column.name == name)
    rows = rows.order_by(*((_reversed(each) if descending else each) for each in fields), "-pk" if descending else "pk")
    page = Paginator(rows.values_list("pk", flat=True), per_page).get_page(request.GET.get("page"))
    # What rows show, and what is counted for it, is read of those of the page alone.
    by_key = rows.order_by().in_bulk(list(page.object_list))
    page.object_list = [by_key[pk] for pk in page.object_list if pk in by_key]
    return Table(
        headers=[_header(request, column, name, descending) for column in columns],
        page=page,
        search=words,
        filters=choices,
        kept=[(key, str(value)) for key, value in request.GET.items() if key not in ("q", "page")],
        is_narrowed=narrowed,
        previous_url=address(request, page=str(page.previous_page_number())) if page.has_previous() else "",
        next_url=address(request, page=str(page.next_page_number())) if page.has_next() else "",
    )


def _reversed(name: str) -> str:
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"


def _header(request: HttpRequest, column: Column, sorted_by: str, descending: bool) -> Header:
    if not column.order_by:
        return Header(label=column.label, numeric=column.numeric)
    is_sorted = column.name == sorted_by
    target = f"-{column.name}" if is_sorted and not descending else column.name
    aria_sort = ("descending" if descending else "ascending") if is_sorted else ""
    return Header(
        label=column.label,
        numeric=column.numeric,
        url=address(request, sort=target, page=None),
        aria_sort=aria_sort,
    )

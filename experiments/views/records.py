"""Base classes for read-only records in the Django admin: access to rows, display of structured values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.formats import get_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from experiments.labels import in_list
from experiments.study.access import studies_for


def plain(value: Any) -> str:
    """Return one plain value in words: yes, no, a dash for nothing, numbers to three decimals as the page writes them.

    >>> plain(0.25), plain(1234567.0), plain(None)
    ('0.25', '1234567', '–')
    """
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return f"{round(value, 3):.15g}".replace(".", get_format("DECIMAL_SEPARATOR"))
    return str(value)


def facts(value: Any) -> SafeString | str:
    """Return a structured value as nested definition lists; plain values as they are.

    >>> facts({"typed": "12,5", "edits": 0})
    '<dl class="record-facts"><dt>text typed</dt><dd>12,5</dd><dt>number of corrections</dt><dd>0</dd></dl>'
    >>> facts([])
    '–'
    """
    if value is None or value in ("", {}, []):
        return "–"
    if isinstance(value, Mapping):
        rows = format_html_join(
            "", "<dt>{}</dt><dd>{}</dd>", ((in_list(str(key)), facts(part)) for key, part in value.items())
        )
        return format_html('<dl class="record-facts">{}</dl>', rows)
    if isinstance(value, list | tuple):
        rows = format_html_join("", "<li>{}</li>", ((facts(part),) for part in value))
        return format_html('<ul class="record-list">{}</ul>', rows)
    return plain(value)


class DeclaredLookups:
    """A list that can be narrowed by its declared filters and by nothing else.

    By default the admin accepts any lookup on any field of its model from the URL, so that a user who may see a row
    could guess hidden values letter by letter.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Return whether a parameter of the address belongs to a declared filter."""
        return lookup in self.declared_lookups(request)

    def declared_lookups(self, request: HttpRequest | None) -> set[str]:
        """Return the parameters that the filters at the side and the bar of dates put into addresses."""
        declared = {f"{self.date_hierarchy}__{part}" for part in ("year", "month", "day") if self.date_hierarchy}  # type: ignore[attr-defined]
        filters = self.get_list_filter(request) if request is not None else self.list_filter  # type: ignore[attr-defined]
        for one in filters:
            if isinstance(one, type) and issubclass(one, SimpleListFilter):
                declared.add(str(one.parameter_name))
                continue
            field = str(one[0] if isinstance(one, list | tuple) else one)
            declared |= {field, *(f"{field}__{lookup}" for lookup in ("exact", "isnull", "id__exact", "pk__exact"))}
        return declared


class Records(ChangeList):
    """A list whose link "Clear all filters" leads to the whole list.

    By default the admin keeps the bounds of the chosen day, month or year in that link, as parameters that no filter
    declares.
    """

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        self.clear_all_filters_qs = self.get_query_string(remove=self.get_filters_params())
        return rows


class RecordAdmin(DeclaredLookups, ModelAdmin):
    """Rows of the studies a researcher owns or was added to, to look at and never to change.

    `study_lookup` leads from the model to the study. No model permission has to be assigned by hand: being staff and
    being a member of the study is what counts. Superusers see all rows.
    """

    study_lookup = "study"
    list_per_page = 50
    show_full_result_count = False
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        return rows.filter(**{f"{self.study_lookup}__in": studies_for(request.user)})

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Records

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if not self.has_module_permission(request):
            return False
        return obj is None or self.get_queryset(request).filter(pk=obj.pk).exists()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

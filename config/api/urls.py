"""Addresses of the API, below /api/v1/: one for each path that operations are declared at."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.urls import URLPattern, path, re_path

from config.api.catalogue import OPERATIONS
from config.api.clients.views import r_client
from config.api.declarations import Operation, routes
from config.api.schema.views import openapi
from config.api.view import NothingHere, OperationsView

app_name = "api-v1"
ROUTES = routes(OPERATIONS)


def view_of(operations: Mapping[str, Operation]) -> type[OperationsView]:
    """Return the view of an address with these operations, by their methods."""
    methods = {method.lower(): OperationsView.answer for method in operations}
    return type("View", (OperationsView,), {**methods, "operations": operations, "http_method_names": list(methods)})


def pattern_of(route: str, operations: Mapping[str, Operation]) -> URLPattern:
    """Return the pattern of an address, whose name is the route."""
    given: dict[str, str] = {}
    if route == "studies/validate/":
        # A study may be called so: what is not asked of the address itself is asked of the study.
        operations, given = {**ROUTES["studies/{slug}/"], **operations}, {"slug": "validate"}
    return path(re.sub(r"\{(\w+)\}", r"<str:\1>", route), view_of(operations).as_view(), given, name=route)


urlpatterns: list[URLPattern] = [
    path("openapi.json", openapi, name="openapi"),
    path("schema/", openapi, name="schema"),
    path("lectern.R", r_client, name="r-client"),
    # What names no parameter comes first, so that no parameter takes its place.
    *(
        pattern_of(route, ROUTES[route])
        for route in sorted(ROUTES, key=lambda route: ["{" in step for step in route.split("/")])
    ),
    re_path(r"", NothingHere.as_view(), name="nothing"),
]

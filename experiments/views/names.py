"""Names that make themselves: what a study, a column or a part may be called after what was written."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBadRequest, JsonResponse
from django.http.response import HttpResponseBase

from experiments.formats.names import short_name
from experiments.models import Study
from experiments.rules.shape import RESERVED_SLUGS
from experiments.views.page import ResearcherView

# What joins words, how many characters there may be, and the name of what is written without a letter.
KINDS = {
    "address": ("-", 60, "study"),
    "part": ("-", 40, "part"),
    "column": ("_", 30, "answer"),
    "criterion": ("-", 40, "criterion"),
    "code": ("", 10, "code"),
}
MOST_TAKEN = 500


def free_address(text: str) -> str:
    """Return an address after a text that no study has and that the platform does not use itself."""
    joint, most, otherwise = KINDS["address"]
    # The stem leaves room for a number.
    stem = short_name(text, joint=joint, most=most - 5, otherwise=otherwise)
    taken = {*RESERVED_SLUGS, *Study.objects.filter(slug__startswith=stem).values_list("slug", flat=True)}
    return short_name(stem, joint=joint, most=most, taken=taken)


class SuggestedName(ResearcherView):
    """`?kind=…&text=…&taken=a,b`: a name that is free, as JSON. An address is one that no study has."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        kind = request.GET.get("kind", "")
        if kind not in KINDS:
            return HttpResponseBadRequest("kind")
        joint, most, otherwise = KINDS[kind]
        taken = set(request.GET.get("taken", "").split(",")[:MOST_TAKEN])
        text = request.GET.get("text", "")
        if kind == "address":
            return JsonResponse({"name": free_address(text)})
        return JsonResponse({"name": short_name(text, joint=joint, most=most, taken=taken, otherwise=otherwise)})

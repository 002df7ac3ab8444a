"""The order in which reports show the levels of factors: by drag, or by a button for every step."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from analysis.views.reports import RunView
from experiments.study.labels import LabelFaults, factors_to_label, save_order

LONGEST = 20_000


class OrderOfLevels(RunView):
    """Store the order of the levels of one factor: `order` has all of them, `move` one and how far it goes."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponseBase:
        run = self.find(to_read=False)
        factor = request.POST.get("factor", "")
        levels = list(factors_to_label(self.study).get(factor, ()))
        try:
            given = json.loads(request.POST.get("order", "")[:LONGEST] or "[]")
            if isinstance(given, list) and sorted(map(str, given)) == sorted(levels):
                levels = [str(level) for level in given]
            place, _colon, way = request.POST.get("move", "").partition(":")
            if place.isdecimal() and way in ("up", "down"):
                levels = moved(levels, int(place), -1 if way == "up" else 1)
            if levels:
                save_order(self.study, factor, levels, request.user)
        except ValueError as fault:
            if isinstance(fault, LabelFaults):
                messages.error(request, str(fault))
        return redirect(reverse("analysis:run", args=[self.study.slug, run.pk]) + "#levels")


def moved(levels: list[str], place: int, by: int) -> list[str]:
    """Return levels with one of them moved by a step; the same ones where it cannot go there.

    >>> moved(["a", "b", "c"], 2, -1), moved(["a", "b"], 1, 1)
    (['a', 'c', 'b'], ['a', 'b'])
    """
    other = place + by
    if not 0 <= place < len(levels) or not 0 <= other < len(levels):
        return levels
    found = list(levels)
    found[place], found[other] = found[other], found[place]
    return found

"""Recruitment: sources, quotas, personal links."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework import serializers

from config.api.declarations import READ, WRITE, Answer, Call, Operation
from config.api.fields import Anything, Choice, Shape, Table, Text, Truth, Whole
from experiments.rules.sources import KINDS, OUTCOMES, sources_of
from experiments.study.lifecycle import save_details
from experiments.study.personal_links import LINKS_MAX, personal_links
from experiments.study.recruiting import add_source, remove_source, save_criteria, save_source
from experiments.views.forms import QUOTA_MAX
from participants.session.assignment import valid_sessions


class SourceShape(Shape):
    """Where people come from, and how each outcome leads back there."""

    name = Text()
    kind = Choice(choices=[str(kind) for kind in KINDS])
    parameters = serializers.ListField(child=Text(), help_text="The parameters of the link that name a person.")
    outcomes = Table(help_text=f"By outcome ({', '.join(OUTCOMES)}): text, link and code of the last page.")
    id_only = Truth(help_text="Whether people may come back with no more than their id.")
    link = Text(help_text="The address to enter where people come from.")


class Sources(Shape):
    """All sources of a study, and quotas by criterion."""

    items = SourceShape(many=True)
    criteria = serializers.ListField(child=Anything(), help_text="Quotas by criterion, as a study file has them.")


class NewSource(Shape):
    """A new source."""

    kind = Choice(choices=[str(kind) for kind in KINDS])


class ChangedSource(Shape):
    """What of a source changes; what is left out stays."""

    name = Text(required=False, max_length=40)
    parameters = serializers.ListField(child=Text(max_length=60), required=False, max_length=20)
    outcomes = Table(required=False)
    id_only = Truth(required=False)


class Criteria(Shape):
    """Quotas by criterion, as a study file has them."""

    criteria = serializers.ListField(child=Table(), max_length=100)


class NewQuota(Shape):
    """How many people may take part."""

    quota = Whole(allow_null=True, min_value=1, max_value=QUOTA_MAX, help_text="Null for no limit.")


class QuotaShape(Shape):
    """How many people may take part, and how many have."""

    quota = Whole(allow_null=True)
    taken = Whole(help_text="Valid sessions of people: finished, or running and not abandoned.")


class HowMany(Shape):
    """How many links."""

    number = Whole(min_value=1, max_value=LINKS_MAX)


class PersonalLinks(Shape):
    """Links, each good for one person."""

    links = serializers.ListField(child=Text())


def shown(call: Call, source: dict[str, Any]) -> dict[str, Any]:
    """Return a source as `SourceShape` has it."""
    [told] = sources_of([source])
    address = call.address(call.study.get_absolute_url())
    return {
        "name": told.name,
        "kind": told.kind,
        "parameters": list(told.parameters),
        "outcomes": source.get("outcomes", {}),
        "id_only": told.id_only,
        "link": f"{address}?{told.query}" if told.query else address,
    }


def list_sources(call: Call) -> Answer:
    """All sources, and quotas by criterion."""
    study = call.study
    return Answer({"items": [shown(call, one) for one in study.sources], "criteria": study.criteria})


def create_source(call: Call) -> Answer:
    """Add a source of a kind with its usual parameters."""
    name = add_source(call.study, call.body["kind"], call.user)
    call.with_study_anew()
    return Answer(shown(call, _named(call, name)))


def get_source(call: Call) -> Answer:
    """One source."""
    return Answer(shown(call, _named(call, call.path["name"])))


def change_source(call: Call) -> Answer:
    """Change a source; while the study is open, its name and its parameters stay."""
    save_source(call.study, call.path["name"], call.body, call.user)
    call.with_study_anew()
    # Under another name it is found there from now on.
    call.path = {**call.path, "name": call.body.get("name", call.path["name"])}
    return get_source(call)


def delete_source(call: Call) -> Answer:
    """Remove a source from a draft."""
    remove_source(call.study, call.path["name"], call.user)
    return Answer(status=204)


def put_criteria(call: Call) -> Answer:
    """Replace the quotas by criterion; while the study is open, only the numbers may change."""
    save_criteria(call.study, call.body["criteria"], call.user)
    call.with_study_anew()
    return get_criteria(call)


def get_criteria(call: Call) -> Answer:
    """The quotas by criterion."""
    return Answer({"criteria": call.study.criteria})


def _named(call: Call, name: str) -> dict[str, Any]:
    for source in call.study.sources:
        if source["name"] == name:
            found: dict[str, Any] = source
            return found
    raise Http404


def get_quota(call: Call) -> Answer:
    """The quota, and how much of it is taken."""
    return Answer(
        {"quota": call.study.quota, "taken": valid_sessions(call.study, simulated=False, now=timezone.now()).count()}
    )


def put_quota(call: Call) -> Answer:
    """Change the quota, at any time."""
    save_details(call.study, {"quota": call.body["quota"]}, call.user)
    call.with_study_anew()
    return get_quota(call)


def create_links(call: Call) -> Answer:
    """Make links that each open the session of one person on any device."""
    address = call.address(call.study.get_absolute_url())
    return Answer({"links": personal_links(call.study, address, number=call.body["number"], user=call.user)})


def _edit(name: str, method: Any, path: str, summary: str, handle: Any, **more: Any) -> Operation:
    return Operation(name, method, f"studies/{{slug}}/{path}", summary, handle, (READ, WRITE), "editor", **more)


def _state_of_source(call: Call) -> Any:
    return _named(call, call.path["name"])


def _state_of_criteria(call: Call) -> Any:
    return call.study.criteria


def _state_of_quota(call: Call) -> Any:
    return {"quota": call.study.quota}


OPERATIONS = (
    Operation("list_sources", "GET", "studies/{slug}/sources/", "List sources", list_sources, gives=Sources),
    _edit(
        "create_source", "POST", "sources/", "Add a source", create_source, body=NewSource, gives=SourceShape,
        status=201, creates=True,
    ),
    Operation(
        "get_source", "GET", "studies/{slug}/sources/{name}/", "Read a source", get_source,
        gives=SourceShape, state=_state_of_source,
    ),
    _edit(
        "change_source", "PATCH", "sources/{name}/", "Change a source", change_source, body=ChangedSource,
        gives=SourceShape, state=_state_of_source,
    ),
    _edit(
        "delete_source", "DELETE", "sources/{name}/", "Remove a source from a draft", delete_source, status=204,
        state=_state_of_source,
    ),
    Operation(
        "get_criteria", "GET", "studies/{slug}/criteria/", "Read the quotas by criterion", get_criteria,
        gives=Criteria, state=_state_of_criteria,
    ),
    _edit(
        "put_criteria", "PUT", "criteria/", "Replace the quotas by criterion", put_criteria, body=Criteria,
        gives=Criteria, state=_state_of_criteria,
    ),
    Operation(
        "get_quota", "GET", "studies/{slug}/quota/", "Read the quota", get_quota, gives=QuotaShape,
        state=_state_of_quota,
    ),
    _edit("put_quota", "PUT", "quota/", "Change the quota", put_quota, body=NewQuota, gives=QuotaShape,
          state=_state_of_quota),
    _edit(
        "create_personal_links", "POST", "personal-links/", "Make personal links", create_links, body=HowMany,
        gives=PersonalLinks, status=201, creates=True,
        description="Each is good for one person. The platform keeps none of them.",
    ),
)  # fmt: skip

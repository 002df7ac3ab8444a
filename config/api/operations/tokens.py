"""The token itself: what it may do, and revoking it."""

from __future__ import annotations

from rest_framework import serializers

from config.accounts.models import PersonalToken
from config.accounts.tokens.made import revoke_token
from config.api.declarations import Answer, Call, Operation
from config.api.fields import Choice, Shape, Text
from config.api.operations.shapes import Nothing
from config.api.reach import studies_of


class TokenShape(Shape):
    """What a token is and may do; never the token itself."""

    name = Text()
    beginning = Text(help_text="The first characters of the token, by which people recognise it.")
    person = Text(help_text="The user name of the person for whom it acts.")
    scopes = serializers.ListField(child=Choice(choices=PersonalToken.Scope.choices))
    studies = serializers.ListField(
        child=Text(), allow_null=True, help_text="The addresses of the studies that it is for; null for all."
    )
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


def own(call: Call) -> Answer:
    """What the token is and may do."""
    token = call.token
    studies = [str(study.slug) for study in studies_of(token)] if token.is_for_some_studies else None
    return Answer(
        {
            "name": token.name,
            "beginning": token.beginning,
            "person": token.user.get_username(),
            "scopes": token.scopes,
            "studies": studies,
            "created_at": token.created_at,
            "expires_at": token.expires_at,
        }
    )


def revoke(call: Call) -> Answer:
    """Revoke the token with which it is asked."""
    revoke_token(call.token, by=call.user)
    return Answer(status=204)


OPERATIONS = (
    Operation("get_token", "GET", "tokens/self/", "Say what the token may do", own, role="anybody", gives=TokenShape),
    Operation(
        "revoke_token", "POST", "tokens/self/revoke/", "Revoke the token", revoke,
        role="anybody", body=Nothing, is_body_optional=True, status=204,
        description="For programs that have done what they were made for. The token cannot be used afterwards.",
    ),
)  # fmt: skip

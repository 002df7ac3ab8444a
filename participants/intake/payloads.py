"""Validate payloads with the serializers of their paradigm."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

from experiments.paradigms.base import Paradigm
from participants.session.planning import response_serializer


class _Checkers(threading.local):
    """One serializer of each kind per thread: building its fields takes longer than validating a payload."""

    def __init__(self) -> None:
        self.made: dict[type[Serializer[Any]], tuple[Serializer[Any], dict[str, Any]]] = {}

    def checker(self, serializer_class: type[Serializer[Any]], **context: Any) -> Serializer[Any]:
        if serializer_class not in self.made:
            shared: dict[str, Any] = {}
            self.made[serializer_class] = serializer_class(context=shared), shared
        serializer, shared = self.made[serializer_class]
        shared.update(context)
        return serializer


_checkers = _Checkers()


def payload_faults(
    paradigm: Paradigm,
    *,
    plugin: str,
    params: Mapping[str, Any],
    private: Mapping[str, Any],
    payload: Mapping[str, Any],
) -> list[str]:
    """Return what is wrong with a payload by the rules of its plugin; empty where it is right."""
    serializer_class = response_serializer(paradigm, plugin)
    if serializer_class is None:
        return [f"This study has no plugin '{plugin}'."]
    try:
        _checkers.checker(serializer_class, params=params, private=private).run_validation(payload)
    except ValidationError as refused:
        return _flattened(refused.detail)
    return []


def _flattened(errors: Any, path: str = "") -> list[str]:
    if isinstance(errors, Mapping):
        return [
            line
            for name, inner in errors.items()
            for line in _flattened(inner, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
        ]
    if isinstance(errors, list | tuple):
        return [line for inner in errors for line in _flattened(inner, path)]
    return [f"{path}: {errors}" if path else str(errors)]

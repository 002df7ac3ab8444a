"""Load paradigms from installed packages (entry points), together with their browser modules.

A package offers a paradigm by an entry point of the group `lectern.paradigms` whose name is the paradigm's slug, and
declares in `browser_modules` which file of the package is the module of each plugin. A module is identified by the
SHA-256 of its content: its URL contains the hash, and an open study runs only with the module it was opened with.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence

ENTRY_POINTS = "lectern.paradigms"


@dataclass(frozen=True)
class BrowserModule:
    """The browser module of one plugin, as installed."""

    plugin: str
    source: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the source in hexadecimal digits, as in its URL."""
        return hashlib.sha256(self.source).hexdigest()

    @property
    def integrity(self) -> str:
        """The same hash in the format of subresource integrity."""
        return "sha256-" + b64encode(hashlib.sha256(self.source).digest()).decode()


@dataclass(frozen=True)
class Origin:
    """The package of a paradigm, its version, and its modules by plugin."""

    distribution: str
    version: str
    modules: Mapping[str, BrowserModule]

    def as_json(self) -> dict[str, Any]:
        """Return what an open study stores about it."""
        digests = {plugin: module.digest for plugin, module in sorted(self.modules.items())}
        return {"distribution": self.distribution, "version": self.version, "modules": digests}


_ORIGINS: dict[str, Origin] = {}


def paradigms_from_packages(taken: Iterable[str]) -> tuple[Paradigm, ...]:
    """Return the paradigms of installed packages in the order of their slugs. `taken` are the slugs of the platform.

    Raises RuntimeError at start-up if an entry point is no paradigm, its slug differs from its name or is taken, or a
    plugin's module is missing; otherwise a study would fail in front of a participant.
    """
    found: dict[str, Paradigm] = {}
    known = set(taken)
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        paradigm = point.load()
        paradigm = paradigm() if isinstance(paradigm, type) else paradigm
        if not isinstance(paradigm, Paradigm) or paradigm.slug != point.name:
            raise RuntimeError(f"The entry point {point.name!r} ({point.value}) is not a paradigm of that slug.")
        if point.name in known:
            raise RuntimeError(f"Two paradigms are called {point.name!r}; one of them is {point.value}.")
        known.add(point.name)
        found[point.name] = paradigm
        _ORIGINS[point.name] = _origin(point, paradigm)
    return tuple(found.values())


def _origin(point: EntryPoint, paradigm: Paradigm) -> Origin:
    package = resources.files(type(paradigm).__module__.rpartition(".")[0] or type(paradigm).__module__)
    modules = {}
    for plugin, name in paradigm.browser_modules.items():
        file = package / name
        if plugin not in paradigm.responses or not file.is_file():
            raise RuntimeError(
                f"The paradigm {point.name!r} ({point.value}) names {name!r} as the module of its plugin {plugin!r}, "
                "and there is no such file in the package or no such plugin."
            )
        modules[plugin] = BrowserModule(plugin, file.read_bytes())
    metadata = point.dist.metadata if point.dist is not None else {"Name": point.module, "Version": ""}
    return Origin(str(metadata["Name"]), str(metadata["Version"]), modules)


def origin_of(slug: str) -> Origin | None:
    """Return the package of the paradigm with this slug; None for built-in paradigms."""
    return _ORIGINS.get(slug)


@cache
def module_with(digest: str) -> BrowserModule | None:
    """Return the installed module whose content has this SHA-256, or None."""
    installed = (module for origin in _ORIGINS.values() for module in origin.modules.values())
    return next((module for module in installed if module.digest == digest), None)


def why_changed(slug: str, frozen: Mapping[str, Any] | None) -> str | None:
    """Return why a study that was opened with the package version `frozen` cannot run now; None if it can.

    >>> why_changed("rating", None) is None
    True
    """
    origin = origin_of(slug)
    if not frozen or (origin is not None and origin.as_json() == frozen):
        return None
    named = f"{frozen['distribution']} {frozen['version']}"
    if origin is None:
        return Sentence(
            "The study was opened with the package {named}, but no version with the same content is installed "
            "now. Install {named} again, or duplicate the study and open the copy.",
            named=named,
        )
    return Sentence(
        "The study was opened with the package {named}; version {version} with the same content is installed "
        "now. Install {named} again, or duplicate the study and open the copy.",
        named=named,
        version=origin.version,
    )

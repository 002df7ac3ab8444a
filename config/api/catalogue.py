"""All operations of the API, by subject."""

from __future__ import annotations

from config.api.declarations import Operation
from config.api.operations import (
    exports,
    hooks,
    lifecycle,
    materials,
    media,
    runs,
    sessions,
    settings,
    simulation,
    sources,
    studies,
    texts,
    tokens,
    versions,
    watching,
)

SUBJECTS: dict[str, tuple[str, tuple[Operation, ...]]] = {
    "tokens": ("What a token may do.", tokens.OPERATIONS),
    "studies": ("Studies as a whole.", studies.OPERATIONS),
    "lifecycle": ("Opening, pausing, closing, copying.", lifecycle.OPERATIONS),
    "materials": ("The table of a task, and its versions.", (*materials.OPERATIONS, *versions.OPERATIONS)),
    "media": ("Pictures, sounds, videos.", media.OPERATIONS),
    "texts": ("What participants read.", texts.OPERATIONS),
    "settings": ("Settings, procedure, plan.", settings.OPERATIONS),
    "recruitment": ("Sources, quotas, personal links.", sources.OPERATIONS),
    "watching": ("How a study is going, in numbers alone.", watching.OPERATIONS),
    "hooks": ("Where events are sent.", hooks.OPERATIONS),
    "participants": ("Sessions, exclusion, erasure.", sessions.OPERATIONS),
    "simulation": ("Simulated participants.", simulation.OPERATIONS),
    "exports": ("Everything that leaves as a file.", exports.OPERATIONS),
    "analyses": ("Methods, runs, reports, papers.", runs.OPERATIONS),
}
OPERATIONS = tuple(one for _text, some in SUBJECTS.values() for one in some)

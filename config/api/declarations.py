"""How an operation of the API is declared: address, who may do it, what it takes and gives, and the function behind it.

`Call` is a request that was found to be allowed and well formed, as operations get it. The declaration is what checks
requests (`view`) and what describes them (`schema`), so that the two cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest

from config.accounts.models import PersonalToken
from config.api.fields import Asked, Shape
from experiments.models import Study

READ, WRITE, DATA, IDENTITIES = (scope.value for scope in PersonalToken.Scope)
# Who may do it: anybody with a token; people who make studies; members of the study from this role on.
Role = Literal["anybody", "maker", "viewer", "editor", "owner"]
KILOBYTE, MEGABYTE = 1024, 1024 * 1024
MOST_JSON = MEGABYTE
JSON = "application/json"
CSV = "text/csv; charset=utf-8"
ZIP = "application/zip"


@dataclass(frozen=True)
class Upload:
    """A body that is a file: the media types that are taken, and how many bytes at most."""

    types: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class Fields:
    """Parts of a form (multipart/form-data): the names of its files, those that are required, and its texts."""

    files: tuple[str, ...]
    required: tuple[str, ...]
    most: int
    texts: type[Shape] | None = None


@dataclass(frozen=True)
class Answer:
    """What an operation gives: JSON (`data`), or a file (`content`, or `pieces` that are made while it is sent)."""

    data: Any = None
    content: bytes | None = None
    pieces: Iterable[bytes] | None = None
    content_type: str = JSON
    name: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """One operation: `name` is its id in the schema, `path` its address below /api/v1/ with `{slug}` and the like.

    `scopes` have to be among those of the token. `body` and `query` are what is taken, and `gives` what is given: a
    shape, or the media types of a file. `prepare` reads and checks what takes long, before the database is locked;
    what it returns is `call.prepared`. `state` returns what is edited, whose hash is the ETag: reading it gives the
    ETag, changing it asks for If-Match. `creates` takes an Idempotency-Key. `problems` are codes beside the usual ones.
    """

    name: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    summary: str
    handle: Callable[[Call], Answer]
    scopes: tuple[str, ...] = (READ,)
    role: Role = "viewer"
    query: type[Asked] | None = None
    body: type[Shape] | None = None
    is_body_optional: bool = False
    upload: Upload | None = None
    form: Fields | None = None
    gives: type[Shape] | tuple[str, ...] | None = None
    status: int = 200
    description: str = ""
    prepare: Callable[[Call], Any] | None = None
    state: Callable[[Call], Any] | None = None
    creates: bool = False
    problems: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()

    @property
    def parameters(self) -> list[str]:
        """The names in the address, in order."""
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def is_of_study(self) -> bool:
        return "slug" in self.parameters

    @property
    def changes(self) -> bool:
        return self.method != "GET"

    @property
    def is_guarded(self) -> bool:
        """Whether it asks for If-Match."""
        return self.state is not None and self.changes

    @property
    def most_bytes(self) -> int:
        """How long a body may be."""
        taken = [one.most for one in (self.upload, self.form) if one is not None]
        return max([*taken, *([MOST_JSON] if self.body is not None or not taken else [])])


@dataclass
class Call:
    """One request: who asks by which token, about which study, with which values.

    `role` is that of the person in the study. `body` is a JSON object that was checked, or the bytes of a file; `files`
    are those of a form, by their names.
    """

    request: HttpRequest
    operation: Operation
    token: PersonalToken
    path: Mapping[str, str]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    content_type: str = ""
    files: Mapping[str, Sequence[tuple[str, bytes]]] = field(default_factory=dict)
    prepared: Any = None
    role: str = ""
    found_study: Study | None = None

    @property
    def user(self) -> User:
        return self.token.user

    @property
    def study(self) -> Study:
        """The study of the address, seen through the task that `part` names."""
        if self.found_study is None:
            raise Http404
        return self.found_study

    @property
    def is_owner(self) -> bool:
        return self.role == "owner"

    def address(self, path: str) -> str:
        """Return a complete address of the platform."""
        return self.request.build_absolute_uri(path)

    def with_study_anew(self) -> None:
        """Read the study again, after it was changed."""
        study = self.study
        self.found_study = Study.objects.select_related("owner").get(pk=study.pk).seen_through(study.chosen_task)


def routes(operations: Sequence[Operation]) -> dict[str, dict[str, Operation]]:
    """Return path → method → operation, in the order of the declarations. Raises ValueError where two are the same."""
    found: dict[str, dict[str, Operation]] = {}
    names: set[str] = set()
    for one in operations:
        methods = found.setdefault(one.path, {})
        if one.method in methods or one.name in names:
            raise ValueError(f"{one.method} {one.path} ({one.name}) is declared twice")
        methods[one.method] = one
        names.add(one.name)
    return found

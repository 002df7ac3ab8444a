"""Both clients have every operation of the schema with its address and its parameters, and nothing else."""

from __future__ import annotations

import copy
import doctest
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from config.api.schema.document import document
from config.packaging.clients import described as described_module
from config.packaging.clients import python
from config.packaging.clients.described import HEADERS, described
from config.packaging.clients.python import python_modules
from config.packaging.clients.r import declared, with_operations
from config.packaging.clients.written import lacking
from config.packaging.lectern import client
from config.packaging.lectern.client import Lectern, Problem, asking, files, problems, sending, tables, waiting
from config.packaging.lectern.client.operations.table import SENT
from config.packaging.lectern.client.sending import Request
from tests.api.clients.conftest import CLIENT, R_FILE, TOKEN
from tests.api.conforming import operation_of

PREFIX = "/api/v1/"
OPERATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    told["operationId"]: (method.upper(), path, told)
    for path, methods in document()["paths"].items()
    for method, told in methods.items()
}
WAITING = {"wait_for_run", "wait_for_simulation", "wait_for_archive", "report", "report_tables"}


def test_what_is_made_of_the_declarations_is_as_it_would_be_made_now() -> None:
    assert lacking() == [], "python -m config.packaging.clients"


def test_every_operation_is_a_method_and_every_method_an_operation() -> None:
    methods = {name for name in dir(Lectern) if not name.startswith("_")}
    assert methods - WAITING == set(OPERATIONS) == set(SENT)
    for name, sent in SENT.items():
        method, path, _told = OPERATIONS[name]
        assert (sent.method, PREFIX + sent.path) == (method, path)


def content(told: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = told.get("requestBody", {}).get("content", {}).get(kind, {}).get("schema", {})
    return found


def value_of(schema: Mapping[str, Any]) -> Any:
    """Return a value that the schema allows."""
    if "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return value_of(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "array":
        return [value_of(schema["items"])]
    if kind == "integer":
        return max(1, schema.get("minimum", 1))
    if kind == "string" and schema.get("format"):
        return "2030-01-31"
    return {"number": 0.5, "boolean": True, "object": {"a": "b"}, "string": "text"}.get(str(kind), "anything")


class Noted(Lectern):
    """A client that sends nothing and keeps what it would send."""

    def __init__(self) -> None:
        super().__init__("https://lectern.example.org", TOKEN)
        self.sent: list[Request] = []
        self._connection.read = self._connection.opened = self._note_request  # type: ignore[method-assign]

    def _note_request(self, request: Request) -> Any:
        self.sent.append(request)
        raise Problem("noted", "It was noted.")


def arguments_of(name: str, lab: Lectern, *, by_file: bool = False) -> dict[str, Any]:
    """Return a value for every argument of a method, of those that may come together."""
    _method, _path, told = OPERATIONS[name]
    body = content(told, "application/json")
    fields = document()["components"]["schemas"][body["$ref"].rpartition("/")[2]]["properties"] if body else {}
    declared_ = {one["name"]: one["schema"] for one in told["parameters"]}
    given: dict[str, Any] = {}
    for argument in inspect.signature(getattr(lab, name)).parameters.values():
        schema = {**declared_, **fields, **{f"new_{field}": one for field, one in fields.items()}}.get(argument.name)
        if argument.name in ("file", "materials"):
            if by_file or argument.default is inspect.Parameter.empty:
                given[argument.name] = b"item,text\n"
        elif argument.name in ("if_match", "idempotency_key"):
            given[argument.name] = '"abc"'
        elif argument.name != "content_type":
            assert schema is not None, f"{name} has no {argument.name}"
            if not by_file or argument.name in SENT[name].form_texts:
                given[argument.name] = value_of(schema)
    return given


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_argument_is_sent_where_the_schema_wants_it(name: str) -> None:
    method, _path, told = OPERATIONS[name]
    lab = Noted()
    with pytest.raises(Problem, match="noted"):
        getattr(lab, name)(**arguments_of(name, lab))
    [request] = lab.sent
    parameters = {place: {one["name"] for one in told["parameters"] if one["in"] == place}
                  for place in ("path", "query", "header")}  # fmt: skip
    assert request.method == method
    assert operation_of(method, PREFIX + request.path) is told
    json_fields = set()
    if body := content(told, "application/json"):
        assert request.body is not None
        sent = json.loads(request.body()[0])
        json_fields = set(sent)
        if "required" in document()["components"]["schemas"][body["$ref"].rpartition("/")[2]] or len(sent) == 1:
            Draft202012Validator({**body, "components": document()["components"]}).validate(sent)
        assert json_fields == set(document()["components"]["schemas"][body["$ref"].rpartition("/")[2]]["properties"])
    assert set(request.query) == parameters["query"] - json_fields
    assert set(request.headers) - {"Content-Type"} == parameters["header"] - {"If-None-Match", "Lectern-If-Status"}
    assert parameters["header"] <= HEADERS
    if "requestBody" in told:
        assert request.headers["Content-Type"] in told["requestBody"]["content"]


@pytest.mark.parametrize("name", [name for name, sent in SENT.items() if sent.form_files])
def test_every_part_of_a_form_is_sent(name: str) -> None:
    form = content(OPERATIONS[name][2], "multipart/form-data")
    lab = Noted()
    with pytest.raises(Problem, match="noted"):
        getattr(lab, name)(**arguments_of(name, lab, by_file=True))
    [request] = lab.sent
    assert request.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert request.body is not None
    data, length = request.body()
    assert len(data) == length
    assert set(re.findall(rb'name="(\w+)"', data)) == {part.encode() for part in form["properties"]}


def test_the_table_of_r_has_every_operation_with_its_parameters() -> None:
    table = declared(R_FILE.read_text(encoding="utf-8"))
    assert set(table) == set(OPERATIONS)
    for name, parts in table.items():
        method, path, told = OPERATIONS[name]
        assert (parts["method"], parts["path"]) == (f'"{method}"', f'"{path.removeprefix(PREFIX)}"')
        query = {one["name"] for one in told["parameters"] if one["in"] == "query"}
        body = content(told, "application/json")
        fields = (
            set(document()["components"]["schemas"][body["$ref"].rpartition("/")[2]]["properties"]) if body else set()
        )
        assert set(re.findall(r'= "(\w+)"', parts.get("query", ""))) == query - fields, name
        assert set(re.findall(r'= "(\w+)"', parts.get("body", ""))) == fields, name
        headers = {one["name"] for one in told["parameters"] if one["in"] == "header"}
        assert ("creates" in parts, "is_guarded" in parts) == ("Idempotency-Key" in headers, "If-Match" in headers)


def test_r_reads_its_table_as_it_is_written(rscript: str) -> None:
    script = f"source({str(R_FILE)!r}); cat(jsonlite::toJSON(.lectern_operations, auto_unbox = TRUE))"
    done = subprocess.run([rscript, "-e", script], capture_output=True, text=True, check=True)
    read = json.loads(done.stdout)
    assert set(read) == set(OPERATIONS)
    assert {name: (one["method"], one["path"], one["gives"]) for name, one in read.items()} == {
        name: (sent.method, sent.path, sent.gives) for name, sent in SENT.items()
    }


@pytest.mark.parametrize("change", ["an operation more", "a parameter less", "another address", "a field more"])
def test_what_changes_in_the_schema_changes_both_clients(change: str) -> None:
    told = copy.deepcopy(document())
    runs = told["paths"][f"{PREFIX}studies/{{slug}}/runs/"]
    if change == "an operation more":
        told["paths"][f"{PREFIX}news/"] = {"get": {**runs["get"], "operationId": "list_news", "parameters": []}}
    elif change == "a parameter less":
        runs["get"]["parameters"] = runs["get"]["parameters"][:-1]
    elif change == "another address":
        told["paths"][f"{PREFIX}studies/{{slug}}/analyses/"] = told["paths"].pop(f"{PREFIX}studies/{{slug}}/runs/")
    else:
        told["components"]["schemas"]["NewRun"]["properties"]["seed"] = {"type": "integer"}
    before, after = described(document()), described(told)
    assert python_modules(before, document()) != python_modules(after, told)
    text = R_FILE.read_text(encoding="utf-8")
    assert with_operations(text, before) == text != with_operations(text, after)


def test_a_header_that_the_clients_do_not_know_is_refused() -> None:
    told = copy.deepcopy(document())
    header = {"name": "Prefer", "in": "header", "schema": {"type": "string"}, "description": "How."}
    told["paths"][f"{PREFIX}methods/"]["get"]["parameters"].append(header)
    with pytest.raises(ValueError, match="Prefer"):
        described(told)


def test_the_client_needs_the_standard_library_alone() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(CLIENT)!r}); import lectern.client\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names))"
    )
    # Without site-packages, so nothing else could be imported.
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert set(re.findall(r"'(\w+)'", done.stdout)) <= {"lectern", "__main__", "_distutils_hack"}


@pytest.mark.parametrize(
    "module", [client, asking, files, problems, sending, tables, waiting, described_module, python]
)
def test_the_examples_of_docstrings(module: ModuleType) -> None:
    done = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert done.failed == 0

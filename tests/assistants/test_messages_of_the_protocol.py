"""The Model Context Protocol over lines: versions, requests, notifications, errors; a bad line ends nothing."""

from __future__ import annotations

import io
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.assistants import documents, lines
from config.assistants.platform import NotDone, Platform, checked_address
from config.assistants.server import TOOLS, VERSIONS, Server
from tests.assistants.conftest import Assistant

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
METHODS = ["initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/get"]


def server() -> Server:
    return Server(Platform("http://127.0.0.1:8000", ""))


@pytest.mark.parametrize("version", [*VERSIONS, "1999-01-01", ""])
def test_versions_are_negotiated(version: str) -> None:
    result = Assistant().begin(version)["result"]
    assert result["protocolVersion"] == (version if version in VERSIONS else VERSIONS[0])
    assert set(result["capabilities"]) == {"tools", "resources", "prompts"}
    assert result["serverInfo"]["name"] == "lectern"


def test_nothing_but_ping_is_answered_before_initialize() -> None:
    assistant = Assistant()
    assert assistant.ask("ping")["result"] == {}
    assert assistant.ask("tools/list")["error"]["code"] == lines.INVALID_REQUEST
    assistant.begin()
    assert "result" in assistant.ask("tools/list")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense", lines.PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": 1', lines.PARSE_ERROR),
        (b'\xff{"jsonrpc": "2.0"}', lines.PARSE_ERROR),
        (b"[" * 100_000, lines.PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', lines.PARSE_ERROR),
        (b"[]", lines.INVALID_REQUEST),
        (b"3", lines.INVALID_REQUEST),
        (b'{"id": 1, "method": "ping"}', lines.INVALID_REQUEST),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', lines.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', lines.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', lines.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', lines.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', lines.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "nothing/here"}', lines.METHOD_NOT_FOUND),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}', lines.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x"}}', lines.INVALID_PARAMS),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {}}', lines.RESOURCE_NOT_FOUND),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "x"}}', lines.INVALID_PARAMS),
    ],
)  # fmt: skip
def test_a_message_that_is_not_right_gets_an_error_and_the_server_goes_on(line: bytes, code: int) -> None:
    assistant = Assistant()
    assistant.begin()
    answer = assistant.send(line)
    assert answer["error"]["code"] == code
    assert answer["error"]["message"].endswith(".")
    assert answer["id"] in (1, None)
    assert assistant.ask("ping")["result"] == {}


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "notifications/unknown"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "about_connection"}},
        {"jsonrpc": "2.0", "id": 4, "result": {}},
        {"jsonrpc": "2.0", "id": 4, "error": {"code": 1, "message": ""}},
    ],
)
def test_notifications_and_answers_are_not_answered(stranger: Assistant, message: Any) -> None:
    assert stranger.send(message) is None


def test_batches_are_taken_in_the_version_that_has_them() -> None:
    messages = [
        {"jsonrpc": "2.0", "id": "a", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/x"},
        {"jsonrpc": "2.0", "id": "b", "method": "nothing"},
    ]
    old, new = Assistant(), Assistant()
    old.begin("2025-03-26")
    new.begin("2025-06-18")
    answers = old.send(messages)
    assert [(one["id"], "result" in one) for one in answers] == [("a", True), ("b", False)]
    assert new.send(messages)["error"]["code"] == lines.INVALID_REQUEST
    assert old.send([{"jsonrpc": "2.0", "method": "notifications/x"}]) is None


def test_a_line_that_is_too_long_is_skipped_without_being_kept() -> None:
    long = b'{"x": "' + b"a" * (3 * lines.MOST_BYTES) + b'"}\n'
    ping = b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}\n'
    target = io.BytesIO()
    server().run(io.BytesIO(b"\n" + long + b"\r\n" + ping), target)
    refused, answered = map(json.loads, target.getvalue().splitlines())
    assert refused["error"]["code"] == lines.PARSE_ERROR
    assert answered == {"jsonrpc": "2.0", "id": 2, "result": {}}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(METHODS), JSON, JSON)
def test_whatever_the_parameters_are_there_is_one_answer(method: str, params: Any, name: Any) -> None:
    talking = server()
    talking.answer(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}')
    for given_params in (params, {"name": name, "arguments": params}, {"uri": name}, {"cursor": name}):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given_params}
        try:
            line = json.dumps(message).encode()
        except UnicodeEncodeError:
            continue
        told = talking.answer(line)
        assert told is not None
        answer = json.loads(told)
        assert ("result" in answer) != ("error" in answer)
        assert answer.get("error", {}).get("code") != lines.INTERNAL


def test_tools_are_described_by_schemas_that_are_valid(stranger: Assistant) -> None:
    tools = stranger.ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS)
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["description"]
        assert tool["annotations"]["destructiveHint"] is False


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(TOOLS)), st.dictionaries(st.sampled_from(["query", "page", "limit", "study", "x"]), JSON))
def test_arguments_are_refused_where_their_schema_refuses_them(name: str, arguments: dict[str, Any]) -> None:
    tool = TOOLS[name]
    is_valid = jsonschema.Draft202012Validator(tool.described()["inputSchema"]).is_valid(arguments)
    # JSON Schema counts 2.0 as a whole number.
    if not any(isinstance(value, float) for value in arguments.values()):
        assert (tool.faults(arguments) == []) == is_valid


def test_every_resource_can_be_read_and_lists_have_pages(stranger: Assistant) -> None:
    found: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        page = stranger.ask("resources/list", cursor)["result"]
        found += page["resources"]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    uris = [one["uri"] for one in found]
    assert len(uris) == len(set(uris)) > 50
    for uri in uris:
        [content] = stranger.ask("resources/read", {"uri": uri})["result"]["contents"]
        assert content["uri"] == uri
        assert content["text"]
    for uri in ("lectern://documents/../settings.py", "file:///etc/passwd", "lectern://examples/../../manage.py"):
        assert stranger.ask("resources/read", {"uri": uri})["error"]["code"] == lines.RESOURCE_NOT_FOUND


def test_the_prompt_brings_the_brief(stranger: Assistant) -> None:
    [prompt] = stranger.ask("prompts/list")["result"]["prompts"]
    given_prompt = {"name": prompt["name"], "arguments": {"brief": "Forty people read sentences."}}
    [message] = stranger.ask("prompts/get", given_prompt)["result"]["messages"]
    assert "Forty people read sentences." in message["content"]["text"]


def test_documents_are_read_without_a_token_and_pieces_make_the_whole(stranger: Assistant) -> None:
    whole, cursor = "", ""
    for _piece in range(20):
        text = stranger.done("read_document", page="timed-choice.md", **({"cursor": cursor} if cursor else {}))
        piece, goes_on, told = text.partition("\n\n[Characters ")
        whole += piece
        if not goes_on:
            break
        cursor = told.partition('cursor "')[2].partition('"')[0]
    expected = documents.page("timed-choice.md")
    assert expected is not None
    assert "".join(whole.split()) == "".join(expected.split())
    assert "There is no page" in stranger.refused("read_document", page="nothing.md")
    assert "nothing follows" in stranger.refused("read_document", page="timed-choice.md", cursor="999999")
    assert "There is no token" in stranger.refused("list_studies")


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("between-subjects design", "parts.md"),
        ("Latin square lists", "writing-materials.md"),
        ("response mapping of keys", "timed-choice.md"),
        ("best-worst scaling", "comparison.md"),
        ("modulus sentence", "magnitude-estimation.md"),
        ("attention check", "questionnaires.md"),
        ("maze distractors", "maze"),
        ("fillers before the first item", "order-of-trials.md"),
    ],
)
def test_words_of_the_field_find_their_page(query: str, page: str) -> None:
    found = [paragraph.page for paragraph, _text in documents.search(query, 5)]
    assert any(one.startswith(page) for one in found), found


@pytest.mark.parametrize(
    "address",
    ["http://lectern.example.org", "ftp://127.0.0.1", "https://a:b@example.org", "https://", "x", "https://e.org/?a=1",
     "http://127.0.0.1.example.org", "http://localhost:99999", "http://[::1"],
)  # fmt: skip
def test_a_token_is_sent_to_no_such_address(address: str) -> None:
    with pytest.raises(NotDone, match="cannot be used"):
        checked_address(address)


@pytest.mark.parametrize("address", ["https://e.org", "https://e.org/lab/", "http://127.0.0.1:8000", "http://[::1]:8"])
def test_a_token_is_sent_there(address: str) -> None:
    assert checked_address(address) == address.rstrip("/")

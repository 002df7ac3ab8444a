"""Hooks reach the internet and nothing inside the network, whatever a name answers and whoever holds the connection."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from participants.hooks import reaching
from participants.hooks.reaching import Unreachable, address_of, is_allowed, post, resolved
from tests.participants.hooks.receivers import answering, receiving

PUBLIC = [
    "1.1.1.1",
    "193.99.144.80",
    "2606:4700::1111",
    "2a00:1450:4001:82a::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]
OWN_NETWORK = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
]
NEVER = [
    "0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "::", "ff02::1", "fe80::1",
    "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "64:ff9b:1::808:808", "fe80::1%lo",
]  # fmt: skip
RESERVED = [
    "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1", "192.88.99.1",
    "2001:db8::1", "2001::1", "100::1", "fec0::1", "2002:7f00:1::1", "::127.0.0.1", "::ffff:0:127.0.0.1",
]  # fmt: skip


def answers(*ips: str) -> Callable[..., Any]:
    return lambda *_given, **_named: [
        (socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, 443)) for ip in ips
    ]


@pytest.mark.parametrize("ip", PUBLIC)
def test_addresses_of_the_internet_are_reached(ip: str) -> None:
    assert is_allowed(ipaddress.ip_address(ip), private=False)


@pytest.mark.parametrize("ip", [*OWN_NETWORK, *NEVER, *RESERVED])
def test_nothing_else_is(ip: str) -> None:
    assert not is_allowed(ipaddress.ip_address(ip), private=False)


def test_an_administrator_opens_the_own_network_and_no_more() -> None:
    assert [ip for ip in OWN_NETWORK if not is_allowed(ipaddress.ip_address(ip), private=True)] == []
    assert [ip for ip in NEVER if is_allowed(ipaddress.ip_address(ip), private=True)] == []


@pytest.mark.parametrize(
    "text",
    [
        "", "lab", "ftp://example.org/", "http://example.org/", "https://", "https:///x", "https://user:pw@example.org/",
        "https://example.org/#part", "https://example.org:22/", "https://example.org:99999/", "https://exa mple.org/",
        "https://example.org/\r\nHost: x", "https://example.org\\@10.0.0.1/", "https://bücher.example/", "https://[::1",
        "https://example.org/" + "a" * 500,
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Unreachable, match=r"\.$"):
        address_of(text, private=False)


def test_parts_of_an_address() -> None:
    parts = address_of("https://Lab.example.org.:8443/a/b?c=d", private=False)
    assert (parts.host, parts.port, parts.path, parts.header) == (
        "lab.example.org",
        8443,
        "/a/b?c=d",
        "lab.example.org:8443",
    )
    assert address_of("https://[2606:4700::1111]", private=False).header == "[2606:4700::1111]"


def test_one_answer_inside_the_network_refuses_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    address = address_of("https://lab.example.org/", private=False)
    monkeypatch.setattr(socket, "getaddrinfo", answers("1.1.1.1", "2606:4700::1111"))
    assert resolved(address, private=False) == ["1.1.1.1", "2606:4700::1111"]
    monkeypatch.setattr(socket, "getaddrinfo", answers("1.1.1.1", "10.0.0.1"))
    with pytest.raises(Unreachable, match="inside this network"):
        resolved(address, private=False)


def test_a_name_that_changes_its_answer_leads_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    connected = []

    def changing(*_given: Any, **_named: Any) -> Any:
        asked.append(True)
        return answers("1.1.1.1" if len(asked) == 1 else "127.0.0.1")()

    def connect(to: tuple[str, int], *_given: Any, **_named: Any) -> Any:
        connected.append(to)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", changing)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Unreachable):
        post("https://lab.example.org/", b"{}", {}, private=False)
    assert connected == [("1.1.1.1", 443)]
    assert len(asked) == 1


@pytest.mark.parametrize("host", ["127.1", "0x7f000001", "2130706433", "localhost"])
def test_other_spellings_of_this_machine_are_refused_when_they_are_resolved(host: str) -> None:
    with pytest.raises(Unreachable):
        post(f"https://{host}/", b"{}", {}, private=False)


def test_redirects_are_not_followed_and_answers_are_cut() -> None:
    handler = answering(307, headers={"Location": "http://127.0.0.1:1/"}, body=b"x" * 200_000)
    with receiving(handler) as received:
        answer = post(received.address, b"{}", {}, private=True)
        assert received.requests[0][0]["Host"] == received.address.split("/")[2]
    assert (answer.status, len(answer.text)) == (307, reaching.MOST_BYTES)
    assert len(received.requests) == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_receiver_that_drips_ends_after_the_limit(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    monkeypatch.setattr(reaching, "SECONDS", 0.4)
    # Each byte comes in time for a limit of each reading; with https the bytes are a handshake without an end.
    beginning = b"HTTP/1.1 200 OK\r\nX-Slow: " if scheme == "http" else b"\x16\x03\x03\x40\x00"
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            held, _where = server.accept()
            with held:
                try:
                    held.sendall(beginning)
                    for _byte in range(100):
                        held.sendall(b"a")
                        time.sleep(0.05)
                except OSError:
                    return

        threading.Thread(target=drip, daemon=True).start()
        began = time.monotonic()
        with pytest.raises(Unreachable, match="no answer within"):
            post(f"{scheme}://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, private=True)
        assert time.monotonic() - began < 3


def certificate(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return file


def test_the_certificate_is_checked_for_the_name_and_not_for_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = certificate(tmp_path, "lab.example.org")
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(file)
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(file)
    monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)

    class Secure(ThreadingHTTPServer):
        def get_request(self) -> Any:
            held, where = super().get_request()
            return serving.wrap_socket(held, server_side=True, do_handshake_on_connect=False), where

        def handle_error(self, *_given: Any) -> None:
            return

    monkeypatch.setattr("tests.participants.hooks.receivers.ThreadingHTTPServer", Secure)
    with receiving(answering(204)) as received:
        port = received.address.split("/")[2].partition(":")[2]
        monkeypatch.setattr(socket, "getaddrinfo", answers("127.0.0.1"))
        monkeypatch.setattr(socket, "create_connection", _direct)
        assert post(f"https://lab.example.org:{port}/", b"{}", {}, private=True).status == 204
        assert received.requests[0][0]["Host"] == f"lab.example.org:{port}"
        with pytest.raises(Unreachable, match="certificate"):
            post(f"https://other.example.org:{port}/", b"{}", {}, private=True)


def _direct(to: tuple[str, int], limit: float) -> socket.socket:
    """Connect to a number, without the resolver that the test has replaced."""
    made = socket.socket(socket.AF_INET)
    made.settimeout(limit)
    made.connect(to)
    return made

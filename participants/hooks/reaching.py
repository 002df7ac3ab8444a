"""Reach an address on the internet and nothing inside the network: resolved once, judged, connected to exactly that.

A name may answer differently every time it is asked. It is therefore asked once; each of its addresses is judged, and
the connection is made to one of them, while the certificate is checked for the name.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

LONGEST_ADDRESS = 500
SECONDS = 10.0
SECONDS_TO_RESOLVE = 5.0
MOST_BYTES = 64 * 1024
STANDARD_PORTS = {80, 443}
FIRST_FREE_PORT = 1024
# Networks that are not on the internet, whatever the version of Python thinks of them.
RESERVED = [
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "::/127", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16",
        "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    )
]  # fmt: skip
# Networks whose addresses hold one of version 4: how many bits stand behind it.
TRANSLATED = [
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),
    (ipaddress.IPv6Network("::ffff:0:0:0/96"), 0),
    (ipaddress.IPv6Network("::/96"), 0),
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),
    (ipaddress.IPv6Network("2002::/16"), 80),
]
# Those of local translators lead wherever the network wishes.
LOCAL_TRANSLATORS = ipaddress.IPv6Network("64:ff9b:1::/48")
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class Unreachable(Exception):
    """Nothing was sent, or no answer came; the message is a sentence for the page."""


class NotConnected(Unreachable):
    """There was no connection, so that nothing can have been sent."""


@dataclass(frozen=True)
class Address:
    """A checked address of the web."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def header(self) -> str:
        """What stands in the header `Host`."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == {"https": 443, "http": 80}[self.scheme] else f"{name}:{self.port}"


@dataclass(frozen=True)
class Answer:
    """What a receiver answered: its status, and the beginning of what it said."""

    status: int
    text: str


def address_of(text: str, *, private: bool) -> Address:
    """Return the parts of an address. `private` admits http. Raises Unreachable with a sentence for any other."""
    if len(text) > LONGEST_ADDRESS or not text.isascii() or any(mark <= " " or mark in '\\"<>\x7f' for mark in text):
        raise Unreachable(
            _("Write the address in at most %(n)d plain letters, digits and marks, without spaces.")
            % {"n": LONGEST_ADDRESS}
        )
    try:
        parts = urlsplit(text)
        port, host = parts.port, (parts.hostname or "").rstrip(".")
    except ValueError:
        raise Unreachable(_("This is no address. It looks like https://lab.example.org/lectern.")) from None
    if parts.scheme not in ("https", "http") or not host:
        raise Unreachable(_("This is no address. It looks like https://lab.example.org/lectern."))
    if parts.scheme == "http" and not private:
        raise Unreachable(_("The address has to begin with https://, so that nobody on the way can read the events."))
    if "@" in parts.netloc or parts.fragment:
        raise Unreachable(_("Leave out names, passwords and what stands behind #."))
    port = port if port is not None else (443 if parts.scheme == "https" else 80)
    if port not in STANDARD_PORTS and port < FIRST_FREE_PORT:
        raise Unreachable(_("Use port 443, 80 or one from 1024 on."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme, host, port, path)


def is_allowed(ip: IPAddress, *, private: bool) -> bool:
    """Return whether events may be sent to an IP address: on the internet, or with `private` on the own network.

    >>> is_allowed(ipaddress.ip_address("::ffff:10.0.0.1"), private=False)
    False
    """
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id:
            return False
        for network, behind in TRANSLATED:
            if ip in network and ip not in ipaddress.IPv6Network("::/127"):
                return is_allowed(ipaddress.IPv4Address(int(ip) >> behind & 0xFFFFFFFF), private=private)
        if ip in LOCAL_TRANSLATORS:
            return False
    # Link-local addresses hold the credentials of machines in clouds; nobody needs them here.
    if ip.is_multicast or ip.is_unspecified or ip.is_link_local or (ip.version == 4 and ip.is_reserved):
        return False
    if private and (ip.is_private or ip.is_loopback):
        return True
    return ip.is_global and not any(ip in network for network in RESERVED if network.version == ip.version)


def resolved(address: Address, *, private: bool) -> list[str]:
    """Return the IP addresses of a host. Raises Unreachable where there is none, or one that is not allowed."""
    found: list[Any] = []

    def ask() -> None:
        try:
            found.extend(socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError):
            return

    # The resolver of the system has no limit of its own.
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(SECONDS_TO_RESOLVE)
    ips = list(dict.fromkeys(str(one[4][0]) for one in list(found)))
    if not ips:
        raise Unreachable(_("The name %(host)s was not found.") % {"host": address.host})
    if not all(is_allowed(ipaddress.ip_address(ip), private=private) for ip in ips):
        raise Unreachable(
            _("%(host)s is inside this network or reserved. Events are sent to public addresses only.")
            % {"host": address.host}
        )
    return ips


class PinnedConnection(http.client.HTTPConnection):
    """A connection to one IP address, with the name of the host in the request and the certificate."""

    def __init__(self, address: Address, ip: str, *, context: ssl.SSLContext | None) -> None:
        super().__init__(address.host, address.port, timeout=SECONDS)
        self.ip, self.context = ip, context
        self.connected: socket.socket | None = None

    def connect(self) -> None:
        self.connected = self.sock = socket.create_connection((self.ip, self.port), self.timeout)
        if self.context is not None:
            secure = self.context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.connected = self.sock = secure
            secure.do_handshake()

    def end(self) -> None:
        """Break off, from another thread: whatever waits for the receiver ends at once."""
        if self.connected is not None:
            with contextlib.suppress(OSError):
                self.connected.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def ended_after(seconds: float, connection: PinnedConnection) -> Iterator[threading.Event]:
    """Break a connection off after some seconds, and close it in the end; yields what says that it was broken off."""
    is_late = threading.Event()

    def stop() -> None:
        is_late.set()
        connection.end()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield is_late
    finally:
        timer.cancel()
        connection.close()


def post(text: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> Answer:
    """Send bytes to an address and return what was answered; redirects are not followed. Raises Unreachable."""
    return asked("POST", text, body, headers, private=private)


def asked(
    method: str, text: str, body: bytes, headers: Mapping[str, str], *, private: bool, most_bytes: int = MOST_BYTES
) -> Answer:
    """Send a request to an address and return what was answered, up to `most_bytes`; redirects are not followed.

    Raises NotConnected where nothing can have been sent, Unreachable where nobody knows.
    """
    try:
        address = address_of(text, private=private)
        ip = resolved(address, private=private)[0]
    except Unreachable as fault:
        raise NotConnected(str(fault)) from fault
    context = ssl.create_default_context() if address.scheme == "https" else None
    connection = PinnedConnection(address, ip, context=context)
    is_connected = False
    with ended_after(SECONDS, connection) as is_late:
        try:
            connection.connect()
            is_connected = True
            connection.request(method, address.path, body, {"Host": address.header, "Connection": "close", **headers})
            answer = connection.getresponse()
            if is_late.is_set():
                # Headers that were broken off look as if they had ended.
                raise TimeoutError
            said = answer.read(most_bytes)
        except (OSError, http.client.HTTPException, UnicodeError, ValueError) as problem:
            failure = Unreachable if is_connected else NotConnected
            if is_late.is_set() or isinstance(problem, TimeoutError):
                raise failure(_("There was no answer within %(n)d seconds.") % {"n": SECONDS}) from problem
            if isinstance(problem, ssl.SSLError):
                raise failure(_("The certificate of the receiver is not valid for this address.")) from problem
            raise failure(_("The connection was refused or broke off.")) from problem
    return Answer(answer.status, said.decode("utf-8", "replace"))

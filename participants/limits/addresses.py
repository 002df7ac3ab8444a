"""Determine the client address of a request behind proxies, for rate limits and the login guard.

A proxy appends its client's address to X-Forwarded-For; anything further left was sent by the client and may be forged.
With `TRUSTED_PROXIES` proxies, the client address is that many places from the right.
"""

from __future__ import annotations

import ipaddress
import logging

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

logger = logging.getLogger(__name__)
_told: set[str] = set()


def client_address(request: HttpRequest | Request) -> str:
    """Return the client address of the request; for IPv6 the /64 network.

    A client with one IPv6 address usually has its whole network.
    """
    connected = str(request.META.get("REMOTE_ADDR") or "")
    forwarded = [
        part.strip() for part in str(request.META.get("HTTP_X_FORWARDED_FOR") or "").split(",") if part.strip()
    ]
    proxies = settings.TRUSTED_PROXIES
    if forwarded and not proxies:
        _tell_once("Requests come through a proxy, but TRUSTED_PROXIES is 0: all senders look like one.")
    if not proxies or not forwarded:
        return _network(connected) or connected
    return _network(forwarded[-min(proxies, len(forwarded))]) or _network(connected) or connected


def _network(text: str) -> str:
    """Return an address without its port, or its network; empty where it is none."""
    host = text[1:].partition("]")[0] if text.startswith("[") else text
    if host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)).network_address)


def _tell_once(sentence: str) -> None:
    if sentence not in _told:
        _told.add(sentence)
        logger.warning(sentence)

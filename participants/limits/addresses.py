"""Who sends a request: the one place that knows of proxies, for limits of requests and for the guard of the log-in.

A proxy appends the address of whoever connected to it to X-Forwarded-For; anything further left was sent along and may
be invented. With `TRUSTED_PROXIES` proxies in front, the sender is that many places from the right.
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
    """Return the address of whoever sent the request, a network of 64 bits where it is one of IPv6.

    Whoever has one address of IPv6 has all of its network.
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

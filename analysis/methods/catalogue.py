"""Every analysis that is offered, in the order in which it is offered. A new method is one more line here."""

from __future__ import annotations

from analysis.methods.registry import Method

ANALYSES: tuple[Method, ...] = ()

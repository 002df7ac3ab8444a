"""Context processor that puts account pages into the frame of the Django admin."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return what templates of accounts need to stand in the admin; nothing on other pages."""
    # A request that was refused before anybody was asked who it is, such as one by a forged name, has no user.
    is_of_accounts = request.path == "/admin/login/" or request.path.startswith("/admin/account/")
    if is_of_accounts and hasattr(request, "user"):
        university = settings.OIDC_NAME if settings.OIDC_IS_SET_UP else ""
        return {**admin.site.each_context(request), "university": university, "laboratory": settings.LABORATORY}
    return {}

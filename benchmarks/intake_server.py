"""The platform with one additional URL, a minimal DRF endpoint that stores a row; only for `benchmarks.intake`."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - the application has to be set up first
from django.urls import include, path  # noqa: E402
from rest_framework import generics, serializers  # noqa: E402

from participants.models import BrowserError  # noqa: E402


class BareRow(serializers.ModelSerializer[Any]):
    """One row of one table, checked by nothing but its fields."""

    class Meta:
        model = BrowserError
        fields = ["study", "message", "detail"]


class BareInsert(generics.CreateAPIView[Any]):
    """What the intake is compared with."""

    queryset = BrowserError.objects.all()
    serializer_class = BareRow


addresses = ModuleType("benchmarks_addresses")
addresses.urlpatterns = [path("bare/", BareInsert.as_view()), path("", include("config.urls"))]  # type: ignore[attr-defined]
sys.modules[addresses.__name__] = addresses
settings.ROOT_URLCONF = addresses.__name__

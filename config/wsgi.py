"""The WSGI application."""

import os

from experiments.loading import loading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
with loading():
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
    import config.urls

    if not settings.EMBEDDED_WORKER:
        import config.celery  # noqa: F401 - before anybody asks for an analysis

"""The WSGI application."""

import os

from experiments.loading import loading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
with loading():
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
    import config.urls  # noqa: F401 - with all views, before anybody asks for one

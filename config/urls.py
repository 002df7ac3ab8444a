"""Addresses of the whole platform."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from config.documentation.views import document, study_file_schema
from experiments.study_files.schema import ADDRESS

# The database may be away or its disk full in any place, the log-in and the middleware included.
handler500 = "config.trouble.server_error"

# Every record has its addresses.
admin.autodiscover()

urlpatterns: list[URLPattern | URLResolver] = [
    # What a class asks for at once is found first.
    path("", include("participants.urls")),
    path("admin/studies/", include("experiments.urls")),
    path("admin/studies/", include("participants.urls_researcher")),
    path("admin/studies/", include("analysis.urls_coding")),
    path("admin/studies/", include("analysis.urls")),
    path("admin/tables/", include("analysis.urls_tables")),
    path("admin/", include("config.accounts.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="schema-ui"),
    path(ADDRESS, study_file_schema, name="study-file-schema"),
    path("llms.txt", document, {"path": "llms.txt"}, name="llms"),
    path("docs/", document, name="documents"),
    path("docs/<path:path>", document, name="document"),
]

"""URLs for participants: pages, API, health checks."""

from django.urls import path

from participants.api import arrival as api
from participants.api import preview as api_preview
from participants.api import session as api_session
from participants.views import coming_back, health, media, reading
from participants.views import pages as views

app_name = "participants"

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("plugins/<str:digest>.js", views.plugin_module, name="plugin-module"),
    path("s/<slug:slug>/", views.landing, name="landing"),
    path("s/<slug:slug>/run/", views.run, name="run"),
    path("s/<slug:slug>/preview/", views.preview, name="preview"),
    path("s/<slug:slug>/preview/texts/", reading.reading, name="reading"),
    path("s/<slug:slug>/preview/link/<str:token>/", reading.preview_link, name="preview-link"),
    path("s/<slug:slug>/media/<slug:content_hash>.<slug:extension>", media.media, name="media"),
    path("s/<slug:slug>/continue/", coming_back.continuing, name="continue"),
    path("s/<slug:slug>/withdraw/", views.withdrawal, name="withdraw"),
    path("api/studies/<slug:slug>/", api.StudyFactsView.as_view(), name="api-study"),
    path("api/studies/<slug:slug>/sessions/", api.StartView.as_view(), name="api-start"),
    path("api/studies/<slug:slug>/session/recover/", api.RecoverView.as_view(), name="api-recover"),
    path("api/studies/<slug:slug>/session/resume/", api.ResumeView.as_view(), name="api-resume"),
    path("api/studies/<slug:slug>/session/open/", api_session.OpenView.as_view(), name="api-open"),
    path("api/studies/<slug:slug>/session/results/", api_session.ResultsView.as_view(), name="api-results"),
    path("api/studies/<slug:slug>/session/check/", api_session.CheckView.as_view(), name="api-check"),
    path("api/studies/<slug:slug>/session/advance/", api_session.AdvanceView.as_view(), name="api-advance"),
    path("api/studies/<slug:slug>/session/pause/", api_session.PauseView.as_view(), name="api-pause"),
    path("api/studies/<slug:slug>/session/release/", api_session.ReleaseView.as_view(), name="api-release"),
    path("api/studies/<slug:slug>/session/complete/", api_session.CompleteView.as_view(), name="api-complete"),
    path("api/studies/<slug:slug>/session/errors/", api.ErrorView.as_view(), name="api-errors"),
    path("api/studies/<slug:slug>/withdraw/", api.WithdrawView.as_view(), name="api-withdraw"),
    path("api/studies/<slug:slug>/preview/", api_preview.PreviewView.as_view(), name="api-preview"),
    path("api/studies/<slug:slug>/preview/validate/", api_preview.PreviewValidateView.as_view(), name="api-validate"),
    path("api/studies/<slug:slug>/preview/check/", api_preview.PreviewCheckView.as_view(), name="api-preview-check"),
]

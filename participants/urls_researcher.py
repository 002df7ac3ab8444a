"""Addresses of the pages on which researchers watch a study, mounted at /admin/studies/."""

from django.urls import path

from participants.views import erasing as views_erasing
from participants.views import participant as views_participant
from participants.views import replay as views_replay
from participants.views import simulations as views_simulations
from participants.views import supervision as views_supervision
from participants.views import watching as views_researcher

app_name = "watch"
urlpatterns = [
    path("<slug:slug>/watch/", views_researcher.Watch.as_view(), name="watch"),
    path("<slug:slug>/watch/supervision/", views_supervision.SupervisionPage.as_view(), name="supervision"),
    path(
        "<slug:slug>/watch/supervision/<int:code_id>/discard/",
        views_supervision.DiscardCode.as_view(),
        name="discard_code",
    ),
    path(
        "<slug:slug>/watch/supervision/<int:code_id>/hold/",
        views_supervision.HoldSession.as_view(),
        name="hold_session",
    ),
    path(
        "<slug:slug>/watch/supervision/<int:code_id>/release/",
        views_supervision.ReleaseSession.as_view(),
        name="release_session",
    ),
    path("<slug:slug>/watch/participants/", views_researcher.Participants.as_view(), name="participants"),
    path("<slug:slug>/watch/simulate/", views_simulations.Simulate.as_view(), name="simulate"),
    path("<slug:slug>/watch/simulate/progress/", views_simulations.Progress.as_view(), name="simulation_progress"),
    path("<slug:slug>/watch/simulate/cancel/", views_simulations.Cancel.as_view(), name="cancel_simulation"),
    path("<slug:slug>/watch/simulate/remove/", views_simulations.Remove.as_view(), name="remove_simulated"),
    path("<slug:slug>/watch/recruitment/payment.csv", views_researcher.Payment.as_view(), name="payment"),
    path("<slug:slug>/watch/recruitment/erase/", views_researcher.EraseIdentities.as_view(), name="erase_identities"),
    path("<slug:slug>/watch/erase/", views_erasing.EraseAll.as_view(), name="erase_all"),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/",
        views_participant.ParticipantPage.as_view(),
        name="participant",
    ),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/trials/<int:position>/",
        views_replay.Replay.as_view(),
        name="replay",
    ),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/exclude/", views_participant.Exclude.as_view(), name="exclude"
    ),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/readmit/", views_participant.Readmit.as_view(), name="readmit"
    ),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/withdraw/",
        views_participant.Withdraw.as_view(),
        name="withdraw",
    ),
]

"""Addresses of the pages on which researchers watch a study, mounted at /admin/studies/."""

from django.urls import path

from participants import views_participant, views_researcher

app_name = "watch"
urlpatterns = [
    path("<slug:slug>/watch/", views_researcher.Watch.as_view(), name="watch"),
    path("<slug:slug>/watch/participants/", views_researcher.Participants.as_view(), name="participants"),
    path("<slug:slug>/watch/recruitment/erase/", views_researcher.EraseIdentities.as_view(), name="erase_identities"),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/",
        views_participant.ParticipantPage.as_view(),
        name="participant",
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

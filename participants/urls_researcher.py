"""Addresses of the pages on which researchers watch a study, mounted at /admin/studies/."""

from django.urls import path

from participants import views_researcher as views

app_name = "watch"
urlpatterns = [
    path("<slug:slug>/watch/", views.Watch.as_view(), name="watch"),
    path("<slug:slug>/watch/participants/", views.Participants.as_view(), name="participants"),
    path("<slug:slug>/watch/recruitment/erase/", views.EraseIdentities.as_view(), name="erase_identities"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/", views.ParticipantPage.as_view(), name="participant"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/exclude/", views.Exclude.as_view(), name="exclude"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/readmit/", views.Readmit.as_view(), name="readmit"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/withdraw/", views.Withdraw.as_view(), name="withdraw"),
]

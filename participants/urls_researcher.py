"""URLs of the pages for monitoring a study, mounted at /admin/studies/."""

from django.urls import path

from participants.views import (
    erasing,
    hooks,
    letting_in,
    notifications,
    participant,
    recruiting,
    replay,
    simulations,
    supervision,
    watching,
)

app_name = "watch"
urlpatterns = [
    path("<slug:slug>/watch/", watching.Watch.as_view(), name="watch"),
    path("<slug:slug>/watch/supervision/", supervision.SupervisionPage.as_view(), name="supervision"),
    path(
        "<slug:slug>/watch/supervision/<int:code_id>/discard/", supervision.DiscardCode.as_view(), name="discard_code"
    ),
    path("<slug:slug>/watch/supervision/<int:code_id>/hold/", supervision.HoldSession.as_view(), name="hold_session"),
    path(
        "<slug:slug>/watch/supervision/<int:code_id>/release/",
        supervision.ReleaseSession.as_view(),
        name="release_session",
    ),
    path("<slug:slug>/watch/participants/", watching.Participants.as_view(), name="participants"),
    path("<slug:slug>/watch/participants/let-in/", letting_in.LetInById.as_view(), name="let_in_by_id"),
    path("<slug:slug>/watch/notifications/", notifications.OfStudy.as_view(), name="notifications"),
    path("<slug:slug>/watch/hooks/", hooks.Hooks.as_view(), name="hooks"),
    path("<slug:slug>/watch/hooks/<int:hook_id>/", hooks.OneHook.as_view(), name="hook"),
    path("<slug:slug>/watch/hooks/<int:hook_id>/secret/", hooks.RotateSecret.as_view(), name="rotate_hook"),
    path("<slug:slug>/watch/hooks/<int:hook_id>/delete/", hooks.DeleteHook.as_view(), name="delete_hook"),
    path("<slug:slug>/watch/recruiting/", recruiting.Recruiting.as_view(), name="recruiting"),
    path("<slug:slug>/watch/recruiting/<int:account_id>/draft/", recruiting.Draft.as_view(), name="recruiting_draft"),
    path("<slug:slug>/watch/recruiting/totals/<int:total_id>/", recruiting.Total.as_view(), name="recruiting_total"),
    path("<slug:slug>/watch/simulate/", simulations.Simulate.as_view(), name="simulate"),
    path("<slug:slug>/watch/simulate/progress/", simulations.Progress.as_view(), name="simulation_progress"),
    path("<slug:slug>/watch/simulate/cancel/", simulations.Cancel.as_view(), name="cancel_simulation"),
    path("<slug:slug>/watch/simulate/remove/", simulations.Remove.as_view(), name="remove_simulated"),
    path("<slug:slug>/watch/recruitment/payment.csv", watching.Payment.as_view(), name="payment"),
    path("<slug:slug>/watch/recruitment/erase/", watching.EraseIdentities.as_view(), name="erase_identities"),
    path("<slug:slug>/watch/erase/", erasing.EraseAll.as_view(), name="erase_all"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/", participant.ParticipantPage.as_view(), name="participant"),
    path(
        "<slug:slug>/watch/participants/<str:pseudonym>/trials/<int:position>/", replay.Replay.as_view(), name="replay"
    ),
    path("<slug:slug>/watch/participants/<str:pseudonym>/let-in/", letting_in.LetIn.as_view(), name="let_in"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/exclude/", participant.Exclude.as_view(), name="exclude"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/readmit/", participant.Readmit.as_view(), name="readmit"),
    path("<slug:slug>/watch/participants/<str:pseudonym>/withdraw/", participant.Withdraw.as_view(), name="withdraw"),
]

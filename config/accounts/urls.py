"""URLs of accounts, all below /admin/. Accounts are created by invitation or by a university login."""

from allauth.account import views as account
from allauth.socialaccount import views as social
from allauth.socialaccount.providers.openid_connect import views as openid
from django.urls import URLPattern, URLResolver, include, path

from config.accounts import inviting, teams, views
from config.accounts.languages import choose_language
from config.accounts.people import People
from config.accounts.tokens import pages as tokens
from experiments.views.history import History
from participants.views.notifications import Notifications

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", views.SignIn.as_view(), name="account_login"),
    path("account/invitation/<int:pk>/<str:token>/", inviting.AcceptInvitation.as_view(), name="invitation"),
    path("account/welcome/", inviting.Welcome.as_view(), name="welcome"),
    path("people/", People.as_view(), name="people"),
    path("teams/", teams.Teams.as_view(), name="teams"),
    path("teams/<int:team_id>/", teams.TeamPage.as_view(), name="team"),
    path("teams/<int:team_id>/people/<int:user_id>/remove/", teams.LeaveTeam.as_view(), name="leave_team"),
    path("teams/<int:team_id>/delete/", teams.DeleteTeam.as_view(), name="delete_team"),
    path("notifications/", Notifications.as_view(), name="notifications"),
    path("history/", History.as_view(), name="history"),
    path("account/invite/", inviting.InviteSomebody.as_view(), name="invite"),
    path("account/invite/<int:pk>/take-back/", inviting.TakeBack.as_view(), name="take_back"),
    path("account/invite/to/<slug:slug>/", inviting.InviteSomebodyToStudy.as_view(), name="invite_to_study"),
    path("account/language/", choose_language, name="language"),
    path("account/tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("account/tokens/new/", tokens.MakeToken.as_view(), name="make_token"),
    path("account/tokens/everybody/", tokens.TokensOfEverybody.as_view(), name="tokens_of_everybody"),
    path("account/tokens/<int:pk>/revoke/", tokens.RevokeToken.as_view(), name="revoke_token"),
    path("account/leave/", account.logout, name="account_logout"),
    path("account/confirm/", account.reauthenticate, name="account_reauthenticate"),
    path("account/password/", views.AskForPassword.as_view(), name="admin_password_reset"),
    path("account/password/sent/", views.password_asked, name="password_reset_done"),
    path("account/password/set/", views.password_was_set, name="password_reset_complete"),
    path("account/password/<uidb64>/<token>/", views.SetPassword.as_view(), name="password_reset_confirm"),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("account/sessions/", views.Sessions.as_view(), name="usersessions_list"),
    path("account/university/", social.connections, name="socialaccount_connections"),
    path("account/university/cancelled/", social.login_cancelled, name="socialaccount_login_cancelled"),
    path("account/university/error/", social.login_error, name="socialaccount_login_error"),
    path("account/university/<provider_id>/", views.through_university(openid.login), name="openid_connect_login"),
    path(
        "account/university/<provider_id>/back/",
        views.through_university(openid.callback),
        name="openid_connect_callback",
    ),
]

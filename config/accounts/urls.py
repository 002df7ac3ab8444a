"""URLs of accounts, all below /admin/. Accounts are created by invitation or by a university login."""

from allauth.account import views as account
from allauth.socialaccount import views as social
from allauth.socialaccount.providers.openid_connect import views as openid
from django.urls import URLPattern, URLResolver, include, path

from config.accounts import inviting, views
from config.accounts.languages import choose_language

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", views.SignIn.as_view(), name="account_login"),
    path("account/invitation/<int:pk>/<str:token>/", inviting.AcceptInvitation.as_view(), name="invitation"),
    path("account/welcome/", inviting.Welcome.as_view(), name="welcome"),
    path("account/invite/", inviting.InviteSomebody.as_view(), name="invite"),
    path("account/invite/<int:pk>/take-back/", inviting.TakeBack.as_view(), name="take_back"),
    path("account/invite/to/<slug:slug>/", inviting.InviteSomebodyToStudy.as_view(), name="invite_to_study"),
    path("account/language/", choose_language, name="language"),
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

"""Forms of accounts: login, sign-up by invitation, invitations, roles."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from allauth.mfa import app_settings as second_factors
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from config.accounts import roles
from experiments.models import Membership


class SignInForm(AdminAuthenticationForm):
    """Name and password. Accounts created by invitation log in with their e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail or user name")
        self.fields["username"].widget.attrs |= {"spellcheck": "false"}

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if "@" in name and not User.objects.filter(username=name).exists():
            return name.lower()
        return name


class _Once(BaseAuthenticateForm):
    """Take a code of an authenticator app once, by whatever process it is asked, for as long as it would be valid.

    The library remembers a used code for one period; with a tolerance the app's code is valid for three.
    """

    def clean_code(self) -> str:
        code: str = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP:
            periods = 2 * second_factors.TOTP_TOLERANCE + 1
            digits = "".join(character for character in code if character.isdigit())
            used = hashlib.sha256(f"second factor {self.user.pk} {digits}".encode()).hexdigest()
            if not cache.add(used, True, timeout=periods * second_factors.TOTP_PERIOD):
                raise get_adapter().validation_error("incorrect_code")
        return code


class SecondFactorForm(_Once, AuthenticateForm):
    """The code after the password."""


class ConfirmationForm(_Once, ReauthenticateForm):
    """The code before something that has to be confirmed."""


class OwnAccount(forms.Form):
    """The details that people enter when they create their account."""

    name = forms.CharField(label=_("Your name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = forms.EmailField(
        label=_("E-mail"),
        max_length=150,
        help_text=_("You log in with this address."),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 12 characters. A few words that only you would put together are good."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=_("Password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        if User.objects.filter(username__iexact=email).exists() or User.objects.filter(email__iexact=email).exists():
            raise forms.ValidationError(_("There is an account with this address already. Log in with it instead."))
        return email

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        password, again = given.get("password"), given.get("again")
        if password:
            person = User(
                username=given.get("email", ""), email=given.get("email", ""), first_name=given.get("name", "")
            )
            try:
                validate_password(password, person)
            except forms.ValidationError as error:
                self.add_error("password", error)
            if again is not None and again != password:
                self.add_error("again", _("The two passwords are not the same. Type this one again."))
        return given


class Invite(forms.Form):
    """An administrator's invitation: address and role."""

    role = forms.ChoiceField(
        label=_("What the person may do"),
        choices=[choice for choice in roles.CHOICES if choice[0] != roles.CLOSED],
        initial=roles.RESEARCHER,
        widget=forms.RadioSelect,
    )
    email = forms.EmailField(label=_("E-mail"), max_length=150, required=False)

    def __init__(self, *args: Any, mail_is_set_up: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = (
            _("The platform sends the link there, and also shows it to you.")
            if mail_is_set_up
            else _(
                "Helps you remember who the link is for. This platform sends no e-mail: you get a link and pass it on."
            )
        )


class InviteToStudy(Invite):
    """An invitation to a study by its owner: address and role."""

    role = forms.ChoiceField(
        label=_("What the person may do in this study"),
        choices=Membership.Role.choices,
        initial=Membership.Role.VIEWER,
        widget=forms.RadioSelect,
    )


# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    FormOfUser = forms.ModelForm[User]
else:
    FormOfUser = forms.ModelForm


class AccountForm(FormOfUser):
    """An account for administrators: personal details and role."""

    role = forms.ChoiceField(label=_("What this person may do"), choices=roles.CHOICES, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = ["username", "first_name", "email"]
        labels = {"username": _("User name"), "first_name": _("Name"), "email": _("E-mail")}
        help_texts = {
            "username": _("What the person logs in with; for people who came by a link, their e-mail address.")
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["role"].initial = roles.role_of(self.instance)

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        is_administrator = roles.role_of(self.instance) == roles.ADMINISTRATOR
        if is_administrator and role != roles.ADMINISTRATOR and not roles.has_administrator(beside=[self.instance.pk]):
            raise forms.ValidationError(
                _("This is the last administrator who can log in. Make somebody else an administrator first.")
            )
        return role

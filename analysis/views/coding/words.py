"""Texts of the coding workspace's script, with placeholders in braces."""

from __future__ import annotations

from django.utils.translation import gettext as _


def workspace_texts() -> dict[str, str]:
    """Return the sentences by the name under which the script asks for them."""
    return {
        "again": _("Try again"),
        "allSaved": _("All saved"),
        "cleared": _("{code} instead of {cleared}: they cannot stand together."),
        "coded": _("coded"),
        "decided": _("decided"),
        "empty": _("(nothing was written)"),
        "first": _("This is the first one."),
        "frozen": _("The codings are frozen, so nothing can be changed."),
        "idle": _("You pressed no key for two minutes, so the clock was stopped."),
        "kept": _("Your choices from before are here again; they are not saved yet."),
        "loggedOut": _("You are logged out. Log in again in another tab, then try again here."),
        "look": _("Look at it"),
        "marksOff": _("Differences are hidden."),
        "marksOn": _("Differences are marked."),
        "none": _("Choose at least one code first."),
        "noSuggestion": _("There is no suggestion for this one."),
        "offline": _("The server does not answer. What you coded is kept on this computer."),
        "outdated": _("decided before a coder changed something"),
        "pace": _("{seconds} s each, about {minutes} min left"),
        "recall": _("Recall {n}"),
        "saving": _("Saving"),
        "take": _("Take over"),
        "taken": _("Suggestion taken over: {codes}. Change it if you see it differently."),
        "takenFrom": _("Taken over from {coder}: {codes}"),
        "undoing": _("Taking back the last one."),
        "undone": _("Taken back: this one is not coded any more."),
        "undoneTo": _("Taken back. Now as before: {codes}"),
        "undoOffline": _("Something is still unsent, so nothing can be taken back yet."),
        "unsent": _("{n} not sent yet: kept on this computer, trying again"),
        "unsentLoggedOut": _("{n} not sent: you are logged out"),
    }

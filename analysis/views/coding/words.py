"""Texts of the coding workspace's script, with placeholders in braces."""

from __future__ import annotations

from django.utils.translation import gettext as _


def workspace_texts() -> dict[str, str]:
    """Return the sentences by the name under which the script asks for them."""
    return {
        "again": _("Try again"),
        "allSaved": _("All saved"),
        "cleared": _("{code} instead of {cleared}: they cannot be combined."),
        "coded": _("coded"),
        "decided": _("decided"),
        "empty": _("(nothing was written)"),
        "first": _("This is the first one."),
        "frozen": _("The codings are frozen, so you cannot change anything."),
        "idle": _("You pressed no key for two minutes, so the clock was stopped."),
        "kept": _("Your earlier choices are here again; they are not saved yet."),
        "loggedOut": _("You are logged out. Log in again in another tab, then try again here."),
        "look": _("Look at it"),
        "marksOff": _("Differences are hidden."),
        "marksOn": _("Differences are marked."),
        "none": _("Choose at least one code first."),
        "noSuggestion": _("There is no suggestion for this one."),
        "offline": _("The server does not answer. What you coded is kept on this computer."),
        "outdated": _("decided before a coder changed a coding"),
        "pace": _("{seconds} s each, about {minutes} min left"),
        "recall": _("Recall {n}"),
        "saving": _("Saving"),
        "take": _("Use this"),
        "taken": _("Used the suggestion: {codes}. Change it if you disagree."),
        "takenFrom": _("Used the codes of {coder}: {codes}"),
        "undoing": _("Undoing the last one."),
        "undone": _("Undone: this one is no longer coded."),
        "undoneTo": _("Undone. Now as before: {codes}"),
        "undoOffline": _("Some codings are not sent yet, so you cannot undo anything now."),
        "unsent": _("{n} not sent yet: kept on this computer, trying again"),
        "unsentLoggedOut": _("{n} not sent: you are logged out"),
    }

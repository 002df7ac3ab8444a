"""All links of a study, in one place: for participants, for trying it out, for people without an account."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.languages import PARAMETER, name_of
from experiments.rules.sources import KINDS, sources_of
from experiments.study.personal_links import LINKS_MAX
from experiments.study.preview_links import MOST_DAYS, USUAL_DAYS

if TYPE_CHECKING:
    from experiments.models import Study


class NumberOfLinks(forms.Form):
    """How many personal links are wanted."""

    number = forms.IntegerField(label=gettext_lazy("Number of links"), min_value=1, max_value=LINKS_MAX)


class NewPreviewLink(forms.Form):
    """For whom a link is, and how long it is valid."""

    note = forms.CharField(
        label=gettext_lazy("For whom"), max_length=100, widget=forms.TextInput(attrs={"placeholder": "Ethics board"})
    )
    days = forms.IntegerField(
        label=gettext_lazy("Valid for (days)"), min_value=1, max_value=MOST_DAYS, initial=USUAL_DAYS
    )


@dataclass(frozen=True)
class StudyLink:
    """An address to give away, with what to do with it; of a source, also its test link and where it is changed."""

    name: str
    address: str
    explanation: str
    test_address: str = ""
    source: str = ""
    source_url: str = ""


def recruitment_links(study: Study, address: str) -> list[StudyLink]:
    """Return the addresses for the recruitment platforms. `address` is the absolute address of the landing page."""
    general = StudyLink(
        name=_("General link"),
        address=address,
        explanation=_("For mailing lists, posters and classes. Everybody who opens it can take part once per browser."),
    )
    of_languages = [
        StudyLink(
            name=_("In %(language)s") % {"language": name_of(tag)},
            address=f"{address}?{urlencode({PARAMETER: tag})}",
            explanation=_("Add %(parameter)s to any of the links to lead people to this language.")
            % {"parameter": f"{PARAMETER}={tag}"},
        )
        for tag in study.languages
    ]
    sources_page = reverse("study:sources", args=[str(study.slug)])
    named = [
        StudyLink(
            name=f"{KINDS[source.kind]}: {source.name}",
            address=f"{address}?{source.query}" if source.query else address,
            explanation=_of_kind(source.kind),
            test_address=_test_address(address, source.parameters),
            source=source.name,
            source_url=f"{sources_page}#source-{source.name}",
        )
        for source in sources_of(study.sources)
    ]
    if named:
        # The link of a source without parameters is the general one.
        return [*named, *([] if any(link.address == address for link in named) else [general]), *of_languages]
    code = str(study.conduct.get("completion_code") or "")
    return [
        general,
        *of_languages,
        StudyLink(
            name="Prolific",
            address=f"{address}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}"
            "&SESSION_ID={{%SESSION_ID%}}",
            explanation=_(
                "Paste it as the study link and choose “I’ll use URL parameters”. To send people back, enter "
                "%(address)s as the “Return link” on the page Procedure."
            )
            % {"address": f"https://app.prolific.com/submissions/complete?cc={code or 'CODE'}"},
        ),
        StudyLink(
            name="SONA",
            address=f"{address}?survey_code=%SURVEY_CODE%",
            explanation=_(
                "Paste it as the study URL. To grant credit automatically, enter SONA’s completion URL as the "
                "“Return link” on the page Procedure, and write {survey_code} in place of XXXX."
            ),
        ),
        StudyLink(
            name="Mechanical Turk",
            address=f"{address}?workerId=${{workerId}}&assignmentId=${{assignmentId}}&hitId=${{hitId}}",
            explanation=_(
                "For tools that fill in these placeholders. In a plain “Survey Link” project, use the general "
                "link; workers then paste the completion code from the last page."
            ),
        ),
    ]


def _of_kind(kind: str) -> str:
    match kind:
        case "prolific":
            return _("Paste it as the study link and choose “I’ll use URL parameters”.")
        case "sona":
            return _("Paste it as the study URL.")
        case "link":
            return _("For mailing lists, posters and classes: everybody whom the other sources do not recognise.")
    return _("The service fills in the values of the parameters.")


def _test_address(address: str, parameters: tuple[str, ...] | list[str]) -> str:
    """Return a link that goes through the study as somebody from a source, each time as somebody else."""
    query = "&".join(f"{name}=TEST-{token_hex(6)}" for name in parameters)
    return f"{address}?{query}" if query else address


def preview_links_of(study: Study) -> list[dict[str, Any]]:
    """Return the links for people without an account, the newest first: `link`, and whether it `holds`."""
    now = timezone.now()
    return [
        {"link": link, "holds": link.revoked_at is None and link.expires_at > now}
        for link in study.preview_links.select_related("created_by")
    ]

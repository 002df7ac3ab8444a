"""Pages of a study's settings: title, contact, look, members; copy, archive, delete."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from experiments.models import Item, StimulusList, Study, Team
from experiments.procedure.durations import told_minutes
from experiments.study.editing import locked
from experiments.study.lifecycle import (
    LifecycleRefusal,
    archive_study,
    bring_back,
    copy_study,
    delete_draft,
    hand_over,
    remove_member,
    save_details,
    save_member,
    share_with_team,
    stop_sharing,
)
from experiments.study.look import save_look, shown_look
from experiments.study.media import MediaFaults
from experiments.study_files import study_archive
from experiments.views.forms import CopyAddress, LookForm, Person, ShareWithTeam, StudyFacts, StudyName
from experiments.views.names import free_address
from experiments.views.page import StudyView, attachment, refuse_guests, shown_of
from experiments.views.parts import counted


def shown_facts(study: Study) -> str:
    """Return the mark of the values that the form of a study's facts shows."""
    return shown_of({name: getattr(study, name) for name in StudyFacts.Meta.fields})


class Settings(StudyView):
    """What the study is called and who answers for it."""

    template_name = "studies/settings.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self._page(StudyFacts(instance=self.study, is_owner=self.is_owner, initial=self._estimated()))

    def _estimated(self) -> dict[str, Any]:
        """Return the duration that follows from materials and procedure, where nobody has stated another."""
        if self.study.estimated_minutes or not self.can_edit:
            return {}
        minutes = told_minutes(self.study)
        return {} if minutes is None else {"estimated_minutes": minutes}

    @transaction.atomic
    def post(self, request: HttpRequest) -> HttpResponseBase:
        self.study = locked(self.study)
        stored = shown_facts(self.study)
        form = StudyFacts(request.POST, instance=self.study, is_owner=self.is_owner)
        is_valid = form.is_valid()
        # The form has put what it could into its instance; the frame shows the study as it is stored.
        self.study = Study.objects.get(pk=self.study.pk)
        if not is_valid:
            return self._page(form, shown=request.POST.get("shown", stored), status=422)
        if conflict := self.conflict_of(stored):
            return self._page(form, conflict=conflict, status=409)
        save_details(self.study, form.cleaned_data, request.user)
        messages.success(request, _("The settings were saved."))
        return redirect("study:settings", self.study.slug)

    def _page(
        self,
        form: StudyFacts,
        *,
        look: LookForm | None = None,
        shown: str = "",
        conflict: str = "",
        status: int = 200,
    ) -> HttpResponseBase:
        return self.page(
            form=form,
            shown=shown or shown_facts(self.study),
            conflict=conflict,
            look_form=look or LookForm(study=self.study),
            look=shown_look(self.study),
            extra="settings",
            status=status,
        )


class Look(Settings):
    """Stores logo and colour of the pages that participants read before and after the trials."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:settings", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = LookForm(request.POST, request.FILES, study=self.study)
        if form.is_valid():
            given = form.cleaned_data
            try:
                save_look(
                    self.study,
                    request.user,
                    colour=given["colour"],
                    logo_text=given["logo_text"],
                    logo=form.checked_logo,
                    without_logo=given.get("without_logo", False),
                )
            except MediaFaults as found:
                for fault in found.faults:
                    form.add_error(None, str(fault))
            else:
                messages.success(request, _("Logo and colour were saved."))
                return redirect(reverse("study:settings", args=[self.study.slug]) + "#look")
        facts = StudyFacts(instance=self.study, is_owner=self.is_owner, initial=self._estimated())
        return self._page(facts, look=form, status=422)


class People(StudyView):
    """Who works on the study, and what they may do."""

    changes_need = "owner"
    template_name = "studies/people.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return self.people_page(Person(study=self.study))

    def people_page(self, person: Person, *, share: ShareWithTeam | None = None, status: int = 200) -> HttpResponseBase:
        """Return the page with this form for one more person, or one more team."""
        share = share or ShareWithTeam(user=self.request.user)
        return self.page(
            person=person,
            share=share,
            has_teams=share.teams.exists(),
            shares=self.study.team_shares.select_related("team").prefetch_related("team__members__user"),
            memberships=self.study.memberships.select_related("user").order_by("user__username"),
            extra="people",
            status=status,
        )


class AddPerson(People):
    """Gives a researcher a role in the study."""

    def post(self, request: HttpRequest) -> HttpResponseBase:
        person = Person(request.POST, study=self.study)
        if not person.is_valid():
            return self.people_page(person, status=422)
        save_member(self.study, person.person, person.cleaned_data["role"], request.user)
        messages.success(request, _("%(name)s was added to the study.") % {"name": person.cleaned_data["username"]})
        return redirect("study:people", self.study.slug)


class ShareStudy(People):
    """Gives a team a role in the study."""

    def post(self, request: HttpRequest) -> HttpResponseBase:
        share = ShareWithTeam(request.POST, user=request.user)
        if not share.is_valid():
            return self.people_page(Person(study=self.study), share=share, status=422)
        team = share.cleaned_data["team"]
        share_with_team(self.study, team, share.cleaned_data["role"], request.user)
        messages.success(request, _("The study is shared with “%(team)s” now.") % {"team": team})
        return redirect("study:people", self.study.slug)


class StopSharing(StudyView):
    """Takes a team's role in the study away, after asking."""

    changes_need = "owner"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest, team_id: int) -> HttpResponseBase:
        team = self._team(team_id)
        return self.page(
            heading=_("Stop sharing the study with “%(team)s”?") % {"team": team},
            sentences=[
                _("Everybody in it who has no role of their own will no longer see this study, from this moment on.")
            ],
            button=_("Stop sharing"),
            is_destructive=True,
            extra="people",
            cancel_url=reverse("study:people", args=[self.study.slug]),
        )

    def post(self, request: HttpRequest, team_id: int) -> HttpResponseBase:
        team = self._team(team_id)
        stop_sharing(self.study, team, request.user)
        messages.success(request, _("The study is not shared with “%(team)s” any more.") % {"team": team})
        return redirect("study:people", self.study.slug)

    def _team(self, team_id: int) -> Team:
        return get_object_or_404(Team, pk=team_id, shares__study=self.study)


class MemberPage(StudyView):
    """Asks before something is done with one of the people who work on the study."""

    changes_need = "owner"
    template_name = "studies/pieces/confirm.html"

    def _member(self, user_id: int) -> Any:
        return get_object_or_404(get_user_model(), pk=user_id, memberships__study=self.study)


class HandOver(MemberPage):
    """Makes one of the people who work on the study its owner, after asking."""

    def get(self, request: HttpRequest, user_id: int) -> HttpResponseBase:
        member = self._member(user_id)
        return self.page(
            heading=_("Make %(name)s the owner of this study?") % {"name": member},
            sentences=[
                _(
                    "%(name)s will be able to do everything with the study: add and remove people, erase "
                    "participants, delete a draft. The present owner will still be able to edit and analyse."
                )
                % {"name": member},
                _("Only %(name)s, or an administrator, can give the study back.") % {"name": member},
            ],
            button=_("Hand the study over"),
            extra="people",
            cancel_url=reverse("study:people", args=[self.study.slug]),
        )

    def post(self, request: HttpRequest, user_id: int) -> HttpResponseBase:
        member = self._member(user_id)
        self.attempt(hand_over, member, request.user, done=_("%(name)s owns the study now.") % {"name": member})
        return redirect("study:people", self.study.slug)


class RemovePerson(MemberPage):
    """Takes a researcher's role in the study away, after asking."""

    def get(self, request: HttpRequest, user_id: int) -> HttpResponseBase:
        member = self._member(user_id)
        return self.page(
            heading=_("Remove %(name)s from the study?") % {"name": member},
            sentences=[
                _("%(name)s will no longer see this study. The history keeps what they did.") % {"name": member}
            ],
            button=_("Remove"),
            is_destructive=True,
            extra="people",
            cancel_url=reverse("study:people", args=[self.study.slug]),
        )

    def post(self, request: HttpRequest, user_id: int) -> HttpResponseBase:
        member = self._member(user_id)
        remove_member(self.study, member, request.user)
        messages.success(request, _("%(name)s was removed from the study.") % {"name": member})
        return redirect("study:people", self.study.slug)


class Copy(StudyView):
    """Makes a draft with the same design; the way to change a study that was opened."""

    changes_need = "viewer"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        refuse_guests(request)
        return self._page(CopyAddress(initial={"slug": free_address(str(self.study.slug))}))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        refuse_guests(request)
        form = CopyAddress(request.POST)
        if not form.is_valid():
            return self._page(form, status=422)
        copy = copy_study(self.study, form.cleaned_data["slug"], request.user)
        messages.success(request, _("This is the copy. It is a draft, so you can change it."))
        return redirect("study:home", copy.slug)

    def _page(self, form: CopyAddress, *, status: int = 200) -> HttpResponseBase:
        return self.page(
            form=form,
            heading=_("Duplicate the study"),
            sentences=[
                _(
                    "The copy has the same materials, design, settings and texts. It has no participants and no "
                    "data, and you own it."
                )
            ],
            button=_("Create the copy"),
            extra="settings",
            cancel_url="../settings/",
            status=status,
        )


class Archive(StudyView):
    """The study without people and data, as a file from which it can be made again."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return attachment(study_archive(self.study), f"{self.study.slug}-study.zip", "application/zip")


class Shelf(StudyView):
    """Puts a study into the archive, or brings it back."""

    changes_need = "owner"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect("study:settings", self.study.slug)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        try:
            if request.POST.get("action") == "archive":
                archive_study(self.study, request.user)
                messages.success(request, _("The study is archived. The list of studies shows it under Archived."))
            elif request.POST.get("action") == "bring-back":
                bring_back(self.study, request.user)
                messages.success(request, _("The study is back in the list of studies."))
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
        return redirect("study:settings", self.study.slug)


class Delete(StudyView):
    """Deletes a draft, after naming what will be lost and asking for the title."""

    changes_need = "owner"
    template_name = "studies/pieces/confirm.html"

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if self.study.is_frozen:
            return self.page(
                heading=_("This study cannot be deleted"),
                sentences=[
                    _(
                        "It was opened, so participants may have been promised that their data are kept for a "
                        "while. To stop participation, close the study. To erase participants, use the page "
                        "Monitor."
                    )
                ],
                button="",
                extra="settings",
                cancel_url="../settings/",
                template_name="studies/pieces/refused.html",
                status=409,
            )
        return self._ask(StudyName(study=self.study))

    def _ask(self, form: StudyName, *, status: int = 200) -> HttpResponseBase:
        return self.page(
            form=form,
            status=status,
            heading=_("Delete “%(title)s”?") % {"title": self.study.title},
            sentences=[_("The study was never opened, so no participant is affected.")],
            losses=losses_of(self.study),
            button=_("Delete the study"),
            is_destructive=True,
            extra="settings",
            cancel_url="../settings/",
        )

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = StudyName(request.POST, study=self.study)
        if not self.study.is_frozen and not form.is_valid():
            return self._ask(form, status=422)
        try:
            delete_draft(self.study, request.user)
        except LifecycleRefusal as refusal:
            messages.error(request, str(refusal))
            return redirect("study:settings", self.study.slug)
        messages.success(request, _("“%(title)s” was deleted.") % {"title": self.study.title})
        return redirect("study:index")


def losses_of(study: Study) -> list[str]:
    """Return what a draft holds in all its parts, one line for each kind."""
    return [
        _("the study’s settings and procedure"),
        *counted(len(study.shown_questions), ngettext_lazy("%(n)d question", "%(n)d questions", "n")),
        *counted(
            Item.objects.filter(part__study=study).count(),
            ngettext_lazy("%(n)d item with its texts", "%(n)d items with their texts", "n"),
        ),
        *counted(study.media_files.count(), ngettext_lazy("%(n)d picture or sound", "%(n)d pictures and sounds", "n")),
        *counted(
            StimulusList.objects.filter(part__study=study).count(), ngettext_lazy("%(n)d list", "%(n)d lists", "n")
        ),
        *counted(
            study.texts.count(),
            ngettext_lazy("%(n)d version of a participants’ text", "%(n)d versions of the participants’ texts", "n"),
        ),
        *counted(
            study.memberships.count(), ngettext_lazy("the access of %(n)d person", "the access of %(n)d people", "n")
        ),
    ]

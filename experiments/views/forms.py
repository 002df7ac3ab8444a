"""Forms of the study pages; the form of the procedure is in `experiments.rules.procedure`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from experiments.languages import language_choices
from experiments.media.checking import CheckedFile
from experiments.media.kinds import MAX_PICTURE_BYTES
from experiments.models import NOTICE, Membership, Study, Team
from experiments.other_tools.tools import TOOLS
from experiments.paradigms import PARADIGMS
from experiments.presets import SEVERAL, Preset, offered_presets, preset_named
from experiments.procedure.texts import KINDS, current_text
from experiments.rules.look import colour_faults, logo_faults
from experiments.rules.shape import RESERVED_SLUGS
from experiments.study.lifecycle import NEEDED_TO_OPEN
from experiments.study.media import MediaFaults, read_uploaded_files
from experiments.study_files.examples import example_studies

# Django's own class takes no type argument while the platform runs; only its description does.
if TYPE_CHECKING:
    FormOfStudy = forms.ModelForm[Study]
else:
    FormOfStudy = forms.ModelForm

QUOTA_MAX = 100_000


def checked_address(slug: str) -> str:
    """Return the address of a study that may be created. Raises ValidationError for any other."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
        raise forms.ValidationError(_("Use lower-case letters, digits and single hyphens."))
    if slug in RESERVED_SLUGS:
        raise forms.ValidationError(_("The platform itself uses this address. Choose another one."))
    if Study.objects.filter(slug=slug).exists():
        raise forms.ValidationError(_("A study with this address already exists. Choose another one."))
    return slug


class CopyAddress(forms.Form):
    """An address that is not taken yet."""

    slug = forms.CharField(
        label=_("Address"),
        max_length=60,
        help_text=_(
            "Part of the participants’ link: lower-case letters, digits and hyphens. You cannot change it later."
        ),
        widget=forms.TextInput(
            attrs={
                "autocapitalize": "none", "spellcheck": "false", "placeholder": "word-order-2",
                "data-name-kind": "address",
            }
        ),
    )  # fmt: skip
    # The field after which the address is called until somebody writes another one.
    called_after = "title"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].widget.attrs["data-named-after"] = self.called_after

    def clean_slug(self) -> str:
        return checked_address(self.cleaned_data["slug"].strip())


def _one_line(value: str) -> None:
    """Refuse what cannot stand in a title: it is the subject of letters and the name of files."""
    if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", value):
        raise forms.ValidationError(_("Write one line, without tabs and control characters."))


class NewStudy(CopyAddress):
    """What a new study needs at least."""

    title = forms.CharField(
        label=_("Title"), max_length=200, help_text=_("Participants see this title."), validators=[_one_line]
    )
    paradigm = forms.ChoiceField(
        label=_("Paradigm"), choices=lambda: [(paradigm.slug, paradigm.label) for paradigm in PARADIGMS]
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=language_choices,
        help_text=_(
            "The language of the participants’ pages and of the standard texts. If there are no standard texts "
            "in this language, they are in English."
        ),
    )


class StudyFromPreset(CopyAddress):
    """A new study of what one wants to do; of several tasks, which ones."""

    preset = forms.ChoiceField(
        label=_("What do you want to do?"),
        choices=lambda: [(preset.slug, preset.label) for preset in offered_presets()] + [(SEVERAL, _("Several tasks"))],
    )
    tasks = forms.MultipleChoiceField(
        label=_("Tasks"),
        required=False,
        choices=lambda: [(preset.slug, preset.label) for preset in offered_presets()],
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Choose at least two. Later, you can move them, add questionnaires and make groups in the step Parts."
        ),
    )
    title = forms.CharField(
        label=_("Title"), max_length=200, help_text=_("Participants see this title."), validators=[_one_line]
    )
    language = NewStudy.base_fields["language"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("preset") == SEVERAL and len(cleaned.get("tasks", ())) < 2:
            self.add_error("tasks", _("Choose at least two tasks, or the card of the only one that you need."))
        return cleaned

    @property
    def presets(self) -> list[Preset]:
        """What the study begins with, after the form was found valid."""
        given = self.cleaned_data
        return [preset_named(slug) for slug in (given["tasks"] if given["preset"] == SEVERAL else [given["preset"]])]


class ExampleStudy(CopyAddress):
    """An example under an address of one's own."""

    called_after = "example"

    example = forms.ChoiceField(
        label=_("Example"), choices=lambda: [(example.slug, example.title) for example in example_studies()]
    )


class _MayNameAddress(forms.Form):
    """A form with an address that may stay empty."""

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"]).strip()
        return checked_address(slug) if slug else ""


class StudyFile(_MayNameAddress):
    """A study in a file, under another address where one is given."""

    file = forms.FileField(label=_("Study file (.toml) or archive (.zip)"))
    materials = forms.FileField(
        label=_("Materials (.csv or .xlsx)"),
        required=False,
        help_text=_("Only with a study file: the table that the file names as materials.file."),
    )
    repair = forms.BooleanField(
        label=_("Repair characters"),
        required=False,
        help_text=_("Removes invisible characters, and corrects letters that were encoded twice, such as Ã©."),
    )
    accept = forms.BooleanField(
        label=_("Create the study even if its table may be read wrongly"),
        required=False,
        help_text=_("First you see what is doubtful. Then choose the files again and tick this."),
    )
    slug = forms.CharField(
        label=_("Another address"),
        required=False,
        max_length=60,
        help_text=_("Leave it empty to use the address in the file."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )


class Project(_MayNameAddress):
    """A project of another tool in an archive or as its file, and what its study is called."""

    project = forms.FileField(
        label=_("The project as an archive or as one file"),
        help_text=_("An archive (.zip) from the tool or from GitHub, or the file that the tool saves."),
    )
    tool = forms.ChoiceField(
        label=_("Tool"),
        required=False,
        choices=[("", _("find out from the files")), *((tool.slug, tool.label) for tool in TOOLS)],
    )
    title = forms.CharField(
        label=_("Title"),
        required=False,
        max_length=200,
        help_text=_("Participants see this title. Leave it empty to use the name of the archive."),
        validators=[_one_line],
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=language_choices,
        help_text=_("The language of the participants’ pages. The texts of the script do not change."),
    )
    slug = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=60,
        help_text=_("Leave it empty to use the name of the archive."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )


class CopyOf(CopyAddress):
    """A study to copy and an address for the copy."""

    source = forms.ModelChoiceField(label=_("Study"), queryset=Study.objects.none(), empty_label=_("Choose a study"))
    field_order = ["source", "slug"]
    called_after = "source"

    def __init__(self, *args: Any, studies: QuerySet[Study], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Study]", self.fields["source"]).queryset = studies


class StudyName(forms.Form):
    """The title of a study typed by hand, before something that cannot be taken back."""

    title = forms.CharField(label=_("Type the title of the study"), max_length=200)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study
        # What confirms is typed each time.
        self.fields["title"].widget.attrs.update({"autocomplete": "off", "data-not-kept": True})

    def clean_title(self) -> str:
        title: str = self.cleaned_data["title"]
        if " ".join(title.split()) != " ".join(self.study.title.split()):
            raise forms.ValidationError(
                _("This is not the title; the title is “%(title)s”. Nothing was deleted."),
                params={"title": self.study.title},
            )
        return title


class StudyFacts(FormOfStudy):
    """What a study is called, who answers for it, and how the data are kept."""

    READ_OUTSIDE = (
        "title", "notice", "language", "responsible", "contact", "estimated_minutes", "data_protection_note",
    )  # fmt: skip

    class Meta:
        model = Study
        fields = [
            "title",
            "description",
            "tags",
            "language",
            "responsible",
            "contact",
            "estimated_minutes",
            "data_protection_note",
            "retention_until",
            "erases_itself",
            "notice",
        ]
        labels = {
            "contact": _("Contact address"),
            "description": _("Notes for yourself and your collaborators"),
            "notice": _("Notice to participants"),
            "estimated_minutes": _("Estimated duration in minutes"),
            "retention_until": _("Delete the data on"),
            "erases_itself": _("Erase all participants on that day without asking again"),
        }
        help_texts = {
            "retention_until": _(
                "A reminder: on this day, the page Monitor asks the owner to erase the participants. The "
                "platform erases them without asking only if you tick this below."
            ),
            "erases_itself": _(
                "The platform closes the study and permanently erases everything about its participants. It "
                "tells the owner 30 days before. Only the owner can change this."
            ),
        }
        widgets = {
            "description": forms.Textarea(attrs={"rows": 4}),
            "data_protection_note": forms.Textarea(attrs={"rows": 4}),
            "notice": forms.Textarea(attrs={"rows": 3}),
            "retention_until": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, is_owner: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["title"].validators.append(_one_line)
        for name in NEEDED_TO_OPEN:
            field: Any = self.fields[name]  # the template asks for the mark
            field.needed_to_open = True
        texts = [current_text(self.instance, kind) for kind in KINDS] if self.instance.pk else []
        if any(text is not None and "{minutes}" in text.body for text in texts):
            minutes: Any = self.fields["estimated_minutes"]
            minutes.needed_to_open = True
        if "estimated_minutes" in self.initial and not self.instance.estimated_minutes:
            self.fields["estimated_minutes"].help_text = _(
                "An estimate from materials and procedure; it is used once you save. Change it if you know better."
            )
        if self.instance.is_frozen:
            self.fields["language"].disabled = True
            self.fields["language"].help_text = _("Locked: the study has been opened.")
        if not is_owner:
            self.fields["erases_itself"].disabled = True
            if self.instance.erases_itself:
                self.fields["retention_until"].disabled = True

    def for_participants(self) -> list[forms.BoundField]:
        """Return the fields whose contents participants read."""
        return [self[name] for name in self.READ_OUTSIDE]

    def for_researchers(self) -> list[forms.BoundField]:
        """Return the fields that stay with the people who work on the study."""
        return [self[name] for name in self.fields if name not in self.READ_OUTSIDE]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("erases_itself") and {"erases_itself", "retention_until"} & set(self.changed_data):
            day, first = cleaned.get("retention_until"), timezone.localdate() + NOTICE
            if day is None or day < first:
                self.add_error(
                    "retention_until",
                    _(
                        "Choose %(day)s or a later day, so that you can be told 30 days before. Nothing was "
                        "saved. To erase the participants sooner, use the page Monitor."
                    )
                    % {"day": date_format(first, "DATE_FORMAT")},
                )
        return cleaned


class LookForm(forms.Form):
    """Logo and colour of the pages that participants read before and after the trials."""

    logo = forms.FileField(
        label=_("Logo"),
        required=False,
        help_text=_("PNG, JPEG or WebP, at most 50 kB and 1200 × 600 pixels. SVG is not possible."),
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp"}),
    )
    logo_text = forms.CharField(
        label=_("What the logo says"),
        required=False,
        max_length=200,
        help_text=_("Screen readers read it out, such as: University of Example."),
    )
    without_logo = forms.BooleanField(label=_("Remove the logo"), required=False)
    colour = forms.CharField(
        label=_("Colour of buttons and links"),
        required=False,
        max_length=7,
        help_text=_(
            "# and six digits, such as #1c4c5c. Leave it empty to use the platform’s colour. The contrast is checked."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "#1c4c5c"}),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        kwargs["initial"] = {name: study.look.get(name, "") for name in ("logo_text", "colour")}
        super().__init__(*args, **{"auto_id": "id_look_%s", **kwargs})
        self.checked_logo: CheckedFile | None = None
        if not study.look.get("logo"):
            del self.fields["without_logo"]

    def clean_colour(self) -> str:
        colour = str(self.cleaned_data["colour"]).strip().lower()
        if colour and (faults := colour_faults(colour)):
            raise forms.ValidationError([str(fault) for fault in faults])
        return colour

    def clean_logo(self) -> None:
        file = self.cleaned_data["logo"]
        if not file:
            return
        if file.size > MAX_PICTURE_BYTES:
            raise forms.ValidationError([str(fault) for fault in logo_faults("png", file.size, 1, 1)])
        try:
            checked = read_uploaded_files([(file.name or "logo", file.read())]).files
        except MediaFaults as found:
            raise forms.ValidationError([str(fault) for fault in found.faults]) from found
        if len(checked) != 1:
            raise forms.ValidationError(_("Choose one picture, not an archive of several."))
        logo = checked[0]
        if faults := logo_faults(logo.extension, len(logo.data), logo.width, logo.height):
            raise forms.ValidationError([str(fault) for fault in faults])
        self.checked_logo = logo


class Person(forms.Form):
    """Somebody with an account who is to be added to a study."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )
    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.VIEWER)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.study = study

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"].strip()
        person = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
        if person is None:
            raise forms.ValidationError(
                _("No user has the name “%(name)s”. Invite the person by a link instead."),
                params={"name": name},
            )
        if person.pk == self.study.owner_id:
            raise forms.ValidationError(_("This person already owns the study."))
        self.person = person
        return name


class ShareWithTeam(forms.Form):
    """A team with which a study is to be shared: one of those of the person who asks."""

    team: forms.ModelChoiceField[Team] = forms.ModelChoiceField(Team.objects.none(), label=_("Team"))
    role = forms.ChoiceField(label=_("Role"), choices=Membership.Role.choices, initial=Membership.Role.VIEWER)

    prefix = "share"

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_everybody = Team.objects.all()
        self.teams = of_everybody if user.is_superuser else of_everybody.filter(members__user=user)
        cast("forms.ModelChoiceField[Team]", self.fields["team"]).queryset = self.teams


class Quota(forms.Form):
    """How many people may take part."""

    quota = forms.IntegerField(
        label=_("Quota"),
        required=False,
        min_value=1,
        max_value=QUOTA_MAX,
        help_text=_(
            "The largest number of valid sessions: finished ones, and running ones that were not abandoned. "
            "Empty means no limit. Choose a multiple of the number of lists to fill every list equally."
        ),
    )


class SeveralFilesInput(forms.ClearableFileInput):
    """A control that takes several files at once."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """Files; cleaned to a list of them. `most_bytes` is what they may have together; None: whatever they have."""

    widget = SeveralFilesInput

    def __init__(self, *, most_bytes: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.most_bytes = most_bytes

    def clean(self, data: Any, initial: Any = None) -> Any:
        given = list(data) if isinstance(data, (list, tuple)) else [data]
        cleaned = [super(SeveralFilesField, self).clean(one, initial) for one in given or [None]]
        files: list[UploadedFile[Any]] = [file for file in cleaned if file]
        if self.most_bytes is not None and sum(file.size or 0 for file in files) > self.most_bytes:
            raise forms.ValidationError(
                _(
                    "Together, the files have more than %(most)d MB. Upload only some of them at a time. Nothing "
                    "was stored."
                ),
                params={"most": self.most_bytes // 1024**2},
            )
        return files

"""Form of an analysis, generated from its method's declared parameters and the study's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from analysis.codebook.columns import ExportColumn, names
from analysis.codebook.derived import derived_column
from analysis.codebook.kinds import kinds_of
from analysis.computing.parameters import checked_params
from analysis.data.tables import columns_of
from analysis.exports.reports import words_of
from analysis.methods.declarations import Method, Parameter
from analysis.methods.expressions import DERIVE, EXAMPLE, LONGEST, parsed
from analysis.methods.parameters import as_names
from analysis.methods.report import BadInput
from analysis.models import UploadedTable
from analysis.studies.design import design_of_task
from analysis.studies.uploaded_tables import checked_table_params, columns_of_table, kinds_of_table, units_of_table
from analysis.views.builder import BUILD, Builder, builder_for, built_by
from analysis.views.offering import ALL_UNITS, ColumnBoxes, Offer, kind_labels, units_of
from experiments.formats.csvtext import BYTE_ORDER_MARK, BrokenTable
from experiments.models import Study
from experiments.started_by import command
from experiments.uploads.reading import read_uploaded_text

MAX_FILE = 2 * 1024**2
# Columns of text that name nothing, and numbers that name something.
NO_NAMES = frozenset({"text", "source", "note"})
NUMBERED = frozenset({"position", "trial", "attempt"})


class MethodForm(forms.Form):
    """Parameters of one method; the choices are the columns of a table."""

    def __init__(
        self,
        *args: Any,
        method: Method,
        columns: Sequence[ExportColumn],
        takes_files: bool = False,
        offers_all: bool = False,
        offer: Offer | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.method = method
        self.offer = offer or Offer()
        self.parameters = [entry for entry in method.parameters if takes_files or entry.kind != "file"]
        derived = self._derived()
        # Of a table that nobody has described every column may be meant for everything.
        everywhere = frozenset(names([*derived, *columns] if offers_all else derived))
        for parameter in self.parameters:
            chosen = self.initial.get(parameter.name)
            field = field_for(parameter, [*derived, *columns], chosen=chosen, derived=everywhere, offer=self.offer)
            self.fields[parameter.name] = field
        if not offers_all:
            self._offer_factors_once()
        self.fields[DERIVE] = forms.CharField(
            label=_("Derived columns"),
            required=False,
            max_length=LONGEST,
            widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "placeholder": EXAMPLE}),
            help_text=_(
                "Columns computed from others, one per line: and, or, not, comparisons, sums, log(…), if(…, …, "
                "…). “Offer these columns” adds them to the choices above."
            ),
        )

    def _offer_factors_once(self) -> None:
        """Let every field of factors offer those that differ as it asks; what is chosen already stays.

        Which these are may hang on the unit: its choice on the page shows and hides them.
        """
        asked = {parameter.name for parameter in self.parameters}
        unit = str((self.data.get("unit") if self.is_bound else self.initial.get("unit")) or "participant")
        for parameter in self.parameters:
            widget = self.fields[parameter.name].widget
            if isinstance(widget, ColumnBoxes) and self.offer.kinds:
                chosen = {str(name) for name in as_names(self.initial.get(parameter.name) or ())}
                widget.offered = {
                    name: ALL_UNITS
                    if name in chosen
                    else units_of(parameter.name, None if name in self.offer.combined else kind, asked)
                    for name, kind in self.offer.kinds.items()
                }
                widget.unit = unit

    def columns_by_kind(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the columns of the table by their kinds, each with what it is called and its name in formulas."""
        labels = kind_labels()
        return [
            (label, [(self.offer.called(name), name) for name, of in self.offer.kinds.items() if of == kind])
            for kind, label in labels.items()
            if kind in self.offer.kinds.values()
        ]

    @property
    def builder(self) -> Builder | None:
        """What puts the formula together; None where the method has none."""
        if "formula" not in self.fields:
            return None
        return builder_for(self.offer, str(self["formula"].value() or ""), self.usual_factors())

    def write_formula(self, given: Any) -> None:
        """Let the formula be what was put together, where the button for that was pressed."""
        if BUILD in given and (built := built_by(given, self.offer).formula):
            self.initial["formula"] = built

    def usual_factors(self) -> list[str]:
        """Return the factors with which a formula begins."""
        return []

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters as they are stored. Raises BadInput with all faults together."""
        raise NotImplementedError

    def _derived(self) -> list[ExportColumn]:
        """Return the columns that are derived, as far as they can be read; what cannot is said when it is checked."""
        given = self.data.get(DERIVE) if self.is_bound else self.initial.get(DERIVE)
        try:
            found = parsed(str(given or ""))
        except BadInput:
            return []
        return [derived_column(column) for column in found]

    def clean(self) -> dict[str, Any]:
        """Check the parameters against the data, as the run itself will."""
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.params = self.checked(self._given(cleaned))
            except BadInput as fault:
                raise forms.ValidationError(str(fault)) from fault
        return cleaned

    def _given(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was chosen, without what is the default anyway."""
        given = {DERIVE: cleaned[DERIVE].replace("\r\n", "\n")} if cleaned.get(DERIVE) else {}
        for parameter in self.parameters:
            value = cleaned.get(parameter.name)
            if parameter.kind == "file":
                if value:
                    given[parameter.name] = value
                continue
            if isinstance(value, (list, tuple)):
                value = ",".join(f'"{name}"' if "," in name else name for name in value)
            if parameter.kind == "boolean":
                value = "true" if value else "false"
                if value == str(bool(parameter.default)).lower():
                    continue
            if value not in (None, "") and str(value) != str(parameter.default):
                given[parameter.name] = str(value)
        return given

    def main_fields(self) -> list[forms.BoundField]:
        """Return the fields that an analysis is about: what is required, measures and factors."""
        if self.method.asks:
            there = {parameter.name for parameter in self.parameters}
            return [self[name] for name in self.method.asks if name in there]
        return [self[parameter.name] for parameter in self.parameters if is_main(parameter)]

    def further_fields(self) -> list[forms.BoundField]:
        """Return the fields that mostly stay as they are."""
        first = {field.name for field in self.main_fields()}
        return [self[parameter.name] for parameter in self.parameters if parameter.name not in first]

    def derived_field(self) -> forms.BoundField:
        """Return the field of derived columns."""
        return self[DERIVE]

    def further_are_open(self) -> bool:
        """Whether one of the further fields needs to be seen."""
        begun = () if self.method.asks else self.initial
        return any(field.errors or field.name in begun for field in self.further_fields())


class AnalysisForm(MethodForm):
    """Parameters of one method; the choices are the measures, factors and units of one of the study's tables."""

    def __init__(self, *args: Any, method: Method, study: Study, table: str = "trials", **kwargs: Any) -> None:
        self.study = study
        self.table = table
        columns = columns_of(study, table)
        design = design_of_task(study)
        kinds = kinds_of(
            study,
            columns,
            between_participants=design.between_participants,
            between_items=design.between_items,
        )
        combined = frozenset(("condition",) if study.factors else ())
        offer = Offer(kinds, words_of(study).name, combined)
        super().__init__(*args, method=method, columns=columns, offer=offer, **kwargs)

    def usual_factors(self) -> list[str]:
        return [str(factor["name"]) for factor in self.study.factors]

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return checked_params(self.study, method=self.method.slug, params=given, table=self.table)


class TableForm(MethodForm):
    """Parameters of one method; the choices are the columns of an uploaded table."""

    def __init__(self, *args: Any, method: Method, table: UploadedTable, **kwargs: Any) -> None:
        self.table = table
        columns = columns_of_table(table)
        offer = Offer(kinds_of_table(table), between=units_of_table(table))
        super().__init__(
            *args, method=method, columns=columns, takes_files=True, offers_all=True, offer=offer, **kwargs
        )

    def checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return checked_table_params(self.table, method=self.method.slug, params=given)


class TextFileField(forms.FileField):
    """A text file that is kept with the run: its name and its text."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if not file or isinstance(file, Mapping):
            return file or None
        if file.size > MAX_FILE:
            raise forms.ValidationError(
                _("The file has %(size).1f MB; the limit for an analysis is %(most)d MB. Use %(command)s for a "
                  "larger one."),
                params={"size": file.size / 1024**2, "most": MAX_FILE // 1024**2, "command": command("analyse")},
            )  # fmt: skip
        try:
            read = read_uploaded_text(file.read())
        except BrokenTable as error:
            raise forms.ValidationError(
                _("The file is not a text in UTF-8, UTF-16 or Windows-1252. Save it in one of these encodings.")
            ) from error
        text = read.text.removeprefix(BYTE_ORDER_MARK)
        if "\x00" in text:
            raise forms.ValidationError(_("The file is not a text."))
        return {"name": file.name, "text": text, **({"guessed": True} if read.guessed_from is not None else {})}


class ChoiceOrText(forms.MultiWidget):
    """A list of usual texts in plain words, and beside it room for a text of one's own, which replaces it."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        of_list = {"aria-label": _(parameter.label)}
        of_text = {
            "aria-label": _("%(label)s as text") % {"label": _(parameter.label)},
            "placeholder": _("or as text, which replaces the list"),
            "autocomplete": "off",
        }
        words = [
            (choice, _(said))
            for choice, said in zip(parameter.choices, parameter.words or parameter.choices, strict=True)
        ]
        super().__init__({"": forms.Select(of_list, choices=words), "text": forms.TextInput(of_text)})

    def decompress(self, value: Any) -> list[Any]:
        text = str(value or "")
        if not text or text in self.parameter.choices:
            return [text or self.parameter.default, ""]
        return [self.parameter.default, "; ".join(filter(None, map(str.strip, text.splitlines())))]


class ChoiceOrTextField(forms.MultiValueField):
    """One text: that of one's own, else the one that was chosen from the list."""

    def __init__(self, parameter: Parameter, **shared: Any) -> None:
        choices = [(choice, choice) for choice in parameter.choices]
        fields = (forms.ChoiceField(choices=choices, required=False), forms.CharField(required=False))
        kept = {**shared, "initial": parameter.default, "require_all_fields": False}
        super().__init__(fields=fields, widget=ChoiceOrText(parameter), **kept)

    def compress(self, data_list: Any) -> str:
        chosen, text = [*(data_list or []), "", ""][:2]
        return str(text or chosen)


def is_main(parameter: Parameter) -> bool:
    """Say whether a parameter is among the first that a person wants to set."""
    return parameter.required or parameter.role in ("measure", "factor") or parameter.name in ("unit", "how", "formula")


def field_for(
    parameter: Parameter,
    columns: Sequence[ExportColumn],
    *,
    chosen: Any,
    derived: frozenset[str] = frozenset(),
    offer: Offer | None = None,
) -> forms.Field:
    """Return the form field of one parameter; columns that are derived are offered for whatever takes a column."""
    offer = offer or Offer()
    shared: dict[str, Any] = {
        "label": _(parameter.label),
        "help_text": _(parameter.help) if parameter.help else "",
        "required": parameter.required,
    }
    default = parameter.default
    match parameter.kind:
        case "column":
            there = default if default in names(columns) else None
            choices = column_choices(parameter, columns, derived, chosen=str(chosen or ""), offer=offer)
            return forms.ChoiceField(choices=choices, initial=there, **shared)
        case "columns":
            present = tuple(name for name in as_names(default or ()) if name in names(columns))
            return forms.MultipleChoiceField(
                choices=suggested_choices(
                    parameter, columns, chosen=as_names(chosen or present), derived=derived, offer=offer
                ),
                widget=ColumnBoxes,
                initial=present,
                **shared,
            )
        case "choice":
            choices = [(choice, choice) for choice in parameter.choices]
            if not parameter.required and default is None:
                choices = [("", "–"), *choices]
            has_default = default is not None
            return forms.ChoiceField(
                choices=choices, initial=default, **{**shared, "required": parameter.required or has_default}
            )
        case "number":
            return forms.FloatField(initial=default, widget=forms.NumberInput(attrs={"step": "any"}), **shared)
        case "integer":
            return forms.IntegerField(initial=default, **shared)
        case "boolean":
            return forms.BooleanField(initial=bool(default), **{**shared, "required": False})
        case "file":
            return TextFileField(**shared)
        case "text" if parameter.choices:
            return ChoiceOrTextField(parameter, **shared)
        case _:
            return forms.CharField(initial=default, **shared)


def column_choices(
    parameter: Parameter,
    columns: Sequence[ExportColumn],
    derived: frozenset[str] = frozenset(),
    *,
    chosen: str = "",
    offer: Offer | None = None,
) -> list[Any]:
    """Return the columns for a parameter that takes one: those made for it first.

    Units are followed by those joined with a factor, whose ids begin anew at its levels.
    """
    offer = offer or Offer()
    made_for_it = [column for column in columns if fits(parameter, column)]
    first = [*made_for_it, *(column for column in columns if parameter.role and column.name in derived)]
    first = list({column.name: column for column in first}.values())
    if offer.kinds:
        # Answers come before numbers that describe texts or people.
        first.sort(key=lambda column: offer.kinds.get(column.name) == "covariate")
    fitting = [column.name for column in first]
    others = [column.name for column in columns if column not in first]
    empty = [] if parameter.required and fitting else [("", "–")]
    if not fitting:
        return [*empty, *map(offer.choice, others)]
    joined = _joined(parameter, columns, chosen=chosen)
    groups = offer.grouped(fitting) if offer.kinds else [(_group_label(parameter), list(map(offer.choice, fitting)))]
    return [*empty, *groups, *offer.grouped(others), *joined]


def _joined(parameter: Parameter, columns: Sequence[ExportColumn], *, chosen: str) -> list[Any]:
    if parameter.role != "unit":
        return []
    factors = [column.name for column in columns if column.role == "factor"]
    found = [f"{factor}:{column.name}" for column in columns if fits(parameter, column) for factor in factors]
    found += [chosen] if ":" in chosen and chosen not in (*found, *names(columns)) else []
    return [(_("IDs that start again at each level"), [(name, name) for name in found])] if found else []


def suggested_choices(
    parameter: Parameter,
    columns: Sequence[ExportColumn],
    *,
    chosen: Sequence[str],
    derived: frozenset[str] = frozenset(),
    offer: Offer | None = None,
) -> list[tuple[str, str]]:
    """Return the columns for a parameter that takes several: those made for it, and what is chosen already.

    What is averaged over, or names what was judged, may be any column whose cells name something: units come first,
    then factors, then other names.
    """
    fitting = [
        column.name for column in columns if fits(parameter, column) or not parameter.role or column.name in derived
    ]
    # The factors of the design come first; list and condition are rarely what is meant.
    fitting.sort(key=lambda name: name in ("list", "condition"))
    made_for_it = {column.name for column in columns if fits(parameter, column)}
    fitting.sort(key=lambda name: name in derived and bool(parameter.role) and name not in made_for_it)
    if parameter.role == "unit":
        for is_next in (lambda column: column.role == "factor", names_something):
            fitting += [column.name for column in columns if is_next(column) and column.name not in fitting]
    offer = offer or Offer()
    return [offer.choice(name) for name in [*fitting, *(name for name in chosen if name not in fitting)]]


def fits(parameter: Parameter, column: ExportColumn) -> bool:
    """Say whether a column is made for a parameter."""
    return bool(parameter.role) and column.role == parameter.role


def names_something(column: ExportColumn) -> bool:
    """Say whether the cells of a column are names or numbers of things, and neither measures, texts nor times."""
    is_name = column.type == "text" and column.name not in NO_NAMES
    return column.role != "measure" and not column.has_own_words and (is_name or column.name in NUMBERED)


def _group_label(parameter: Parameter) -> str:
    return {"measure": _("Measures"), "factor": _("Factors"), "unit": _("Units")}[parameter.role]

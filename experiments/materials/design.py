"""Build a design from a table of materials: factors, conditions, items and lists; or report all faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from experiments.formats.faults import Fault, listed
from experiments.formats.media_names import is_media_name
from experiments.materials.cells import (
    metric_faults,
    surplus_warnings,
    text_faults,
    text_warnings,
    truth,
    truth_faults,
    width_warnings,
)
from experiments.materials.columns import CONDITION, Columns, columns_of
from experiments.materials.levels import attribute_values, factors_and_attributes, level_faults, misspelt_levels
from experiments.materials.lists import lists_of, size_warnings
from experiments.materials.preview import preview_of
from experiments.materials.shapes import (
    MAX_CONDITIONS,
    Design,
    DesignCondition,
    DesignFactor,
    DesignItem,
    DesignStimulus,
    MaterialsFaults,
    Row,
    Table,
)
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence

Levels = tuple[str, ...]


def design_from(
    table: Table,
    paradigm: Paradigm,
    *,
    factors: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    item_sets: str = "together",
) -> Design:
    """Build the design that a table describes.

    Columns: `item` and `text`; one column per factor, or one column `condition`; `item_set`, `is_filler`,
    `is_practice` and further columns are optional. A further column that is constant within items is an attribute.
    `factors` declares the factors, as a mapping to their levels in order. With `item_sets` "apart" every set has its
    own lists; with "together" the lists g of all sets are combined into one.

    Raises MaterialsFaults with all faults, warnings and a preview of what could be read.
    """
    return _Reading(table, paradigm, factors=factors, item_sets=item_sets).design()


class _Reading:
    """State of reading one table: collects faults and warnings."""

    def __init__(
        self,
        table: Table,
        paradigm: Paradigm,
        *,
        factors: Sequence[str] | Mapping[str, Sequence[str]] | None,
        item_sets: str,
    ) -> None:
        self.table = table
        self.item_sets = item_sets
        self.named = list(factors) if factors is not None else None
        self.level_order = dict(factors) if isinstance(factors, Mapping) else {}
        self.columns: Columns = columns_of(table, paradigm, expected=self.named or ())
        self.paradigm = paradigm
        self.required_extra = [column.name for column in paradigm.stimulus_columns if column.required]
        self.faults: list[Fault] = list(self.columns.faults)
        # Items with a row whose filler status is unclear: a condition they seem to lack may be that row.
        self.unclear: set[str] = set()
        self.warnings: list[Fault] = [*table.warnings, *self.columns.warnings]

    def design(self) -> Design:
        shows_media = any(name in self.columns.extra for name in self.paradigm.own_media_columns)
        if not {"item"} | (set() if shows_media else {"text"}) <= set(self.columns.fixed):
            raise MaterialsFaults(self.faults, self.warnings)
        self._check_rows()
        targets = self._rows_by_item(target=True)
        others = self._rows_by_item(target=False)
        factor_names, attribute_names = factors_and_attributes(targets, self.columns, named=self.named)
        factor_names, attribute_names = self._settle_condition_column(targets, factor_names, attribute_names)
        rows = [row for group in targets.values() for row in group]
        # Declared levels are taken literally, however similar they look.
        meant = {
            name: {} if name in self.level_order else misspelt_levels(rows, self.columns.free[name])
            for name in factor_names
        }
        for name in factor_names:
            self.faults += level_faults(rows, name, self.columns.free[name], meant[name])
        attributes, contradictions = attribute_values(
            {**targets, **others}, {name: self.columns.free[name] for name in attribute_names}
        )
        self.faults += contradictions
        factors, combinations = self._combinations(rows, factor_names, meant)
        cells = self._cells(targets, factor_names, combinations, meant)
        items = self._items(targets, others, cells, combinations, attributes)
        if not self.table.rows:
            self._fault(
                Sentence("The table holds the names of its columns and nothing below them."),
                Sentence("Write one row for every text."),
            )
        elif not targets:
            self._fault(Sentence("There are no items: every row is a filler or for practice."))
        elif self.paradigm.shows_several and len(combinations) < 2:
            self._fault(
                Sentence("Every item has one text, and an item in one condition cannot be compared with itself."),
                Sentence(
                    "Give every item a row for each condition, and a column that tells them apart, such as system."
                ),
            )
        conditions = tuple(
            DesignCondition(position, dict(zip(factor_names, levels, strict=True)))
            for position, levels in enumerate(combinations)
        )
        self.warnings += surplus_warnings(
            [row for group in others.values() for row in group], self.columns, factor_names
        )
        if len(combinations) <= MAX_CONDITIONS:
            self.warnings += size_warnings(items, len(combinations))
        design = Design(factors, conditions, items, (), tuple(self.warnings))
        if self.faults:
            self.faults.sort(key=lambda fault: (fault.line is not None, fault.line or 0))
            # A matrix with a column for every row of the table would be as large as the square of the table.
            preview = preview_of(design) if len(conditions) <= MAX_CONDITIONS else None
            raise MaterialsFaults(self.faults, self.warnings, preview)
        return replace(design, lists=lists_of(items, max(1, len(conditions)), item_sets=self.item_sets))

    def _fault(self, message: str, suggestion: str = "", *, line: int | None = None, column: str = "") -> None:
        self.faults.append(Fault(line, column, message, suggestion, "materials"))

    def _warn(self, message: str, suggestion: str = "", *, line: int | None = None, column: str = "") -> None:
        self.warnings.append(Fault(line, column, message, suggestion, "materials"))

    def _check_rows(self) -> None:
        for row in self.table.rows:
            self.faults += truth_faults(row, self.columns)
            extra = {name: row.cells[number] for name, number in self.columns.extra.items() if row.cells[number]}
            media = self.paradigm.media_names(extra)
            own = [media[name][0] for name in self.paradigm.own_media_columns if name in media]
            self.faults += text_faults(row, self.columns, media=own)
            for key, (cell, _alt) in media.items():
                if not is_media_name(cell):
                    self._fault(
                        Sentence("'{cell}' is no name of a file.", cell=cell),
                        Sentence("Write it with its ending, such as dog.png, and upload the file beside."),
                        line=row.line,
                        column=key.split(" ")[0],
                    )
            self.faults += metric_faults(row, self.columns)
            for name in self.required_extra:
                if name in self.columns.extra and not row.cells[self.columns.extra[name]]:
                    self._fault(Sentence("The cell is empty."), line=row.line, column=name)
            text = self.columns.cell(row, "text")
            for column, message in self.paradigm.stimulus_faults(text, extra):
                self._fault(message, line=row.line, column=column)
            for column, message in self.paradigm.stimulus_warnings(text, extra):
                self._warn(message, line=row.line, column=column)
        self.warnings += text_warnings(self.table.rows, self.columns)
        if "keyboard" not in self.paradigm.requirements:
            self.warnings += width_warnings(self.table.rows, self.columns)

    def _rows_by_item(self, *, target: bool) -> dict[str, list[Row]]:
        """Return code → rows, either of items or of fillers and practice texts. Rows that may be either are left
        out.
        """
        groups: dict[str, list[Row]] = {}
        for row in self.table.rows:
            code = self.columns.cell(row, "item")
            kinds = [truth(self.columns.cell(row, name)) for name in ("is_filler", "is_practice")]
            if None in kinds:
                self.unclear.add(code)
            elif code and any(kinds) != target:
                groups.setdefault(code, []).append(row)
        return groups

    def _settle_condition_column(
        self, targets: Mapping[str, Sequence[Row]], factors: list[str], attributes: list[str]
    ) -> tuple[list[str], list[str]]:
        """Use a column `condition` as the factor if there is no other; otherwise it only repeats the factors."""
        name = next((name for name in self.columns.free if name.casefold() == CONDITION), None)
        if name is None or self.named is not None:
            return factors, attributes
        others = [factor for factor in factors if factor != name]
        if not others:
            return [name], [attribute for attribute in attributes if attribute != name]
        pairs = {
            (row.cells[self.columns.free[name]], tuple(row.cells[self.columns.free[other]] for other in others))
            for rows in targets.values()
            for row in rows
        }
        if len(pairs) == len({condition for condition, _ in pairs}) == len({levels for _, levels in pairs}):
            self._warn(Sentence("The column repeats {columns} and is left out.", columns=listed(others)), column=name)
        else:
            self._fault(
                Sentence(
                    "The column contradicts {columns}: one name must stand for one combination of levels.",
                    columns=listed(others),
                ),
                Sentence("Delete the column, or keep it alone and delete the others."),
                column=name,
            )
        return others, [attribute for attribute in attributes if attribute != name]

    def _levels(self, row: Row, factors: Sequence[str], meant: Mapping[str, Mapping[str, str]]) -> Levels:
        cells = ((name, row.cells[self.columns.free[name]]) for name in factors)
        return tuple(meant[name].get(level, level) for name, level in cells)

    def _combinations(
        self, rows: Sequence[Row], factors: Sequence[str], meant: Mapping[str, Mapping[str, str]]
    ) -> tuple[tuple[DesignFactor, ...], list[Levels]]:
        used = dict.fromkeys(own for row in rows if all(own := self._levels(row, factors, meant)))
        found: list[DesignFactor] = []
        for number, name in enumerate(factors):
            levels = list(dict.fromkeys(combination[number] for combination in used))
            order = self.level_order.get(name)
            if order is not None:
                unknown = [level for level in levels if level not in order]
                if unknown:
                    self._fault(
                        Sentence(
                            "There is no level {levels}; declared are {known}.",
                            levels=listed(unknown),
                            known=listed(order),
                        ),
                        column=name,
                    )
                levels = [level for level in order if level in levels] + unknown
            if rows and len(levels) < 2:
                self._fault(Sentence("A factor needs at least two levels."), column=name)
            found.append(DesignFactor(name, tuple(levels)))
        if not factors:
            return (), []
        crossed = list(product(*(factor.levels for factor in found))) if len(used) <= MAX_CONDITIONS else []
        if len(used) > MAX_CONDITIONS:
            self._fault(
                Sentence(
                    "{factors} make {n} conditions; at most {limit} are possible.",
                    factors=listed(list(factors)),
                    n=len(used),
                    limit=MAX_CONDITIONS,
                ),
                Sentence(
                    "A column with a value of its own in every row is no factor: delete it, name the factors, or let "
                    "its name begin with metric_ if it measures the texts."
                ),
            )
            return tuple(found), list(used)
        absent = [":".join(levels) for levels in crossed if levels not in used]
        if absent:
            self._warn(
                Sentence("The factors are not fully crossed: no item has {conditions}.", conditions=listed(absent)),
                Sentence("Analyses of their interaction will not be possible."),
            )
        return tuple(found), [levels for levels in crossed if levels in used]

    def _cells(
        self,
        targets: Mapping[str, Sequence[Row]],
        factors: Sequence[str],
        combinations: Sequence[Levels],
        meant: Mapping[str, Mapping[str, str]],
    ) -> dict[str, dict[Levels, Row]]:
        """Return item → levels → row; report duplicate and missing conditions."""
        cells: dict[str, dict[Levels, Row]] = {}
        for item, rows in targets.items():
            cells[item] = {}
            complete = item not in self.unclear
            for row in rows:
                levels = self._levels(row, factors, meant)
                if not all(levels):
                    complete = False
                    continue
                before = cells[item].get(levels)
                if before is not None:
                    message = Sentence("The item '{item}' is already in line {line}.", item=item, line=before.line)
                    advice = Sentence("Delete one of them or add a factor.")
                    if factors:
                        message = Sentence(
                            "The item '{item}' in the condition '{condition}' is already in line {line}.",
                            item=item,
                            condition=":".join(levels),
                            line=before.line,
                        )
                        advice = Sentence("Delete one of them or correct its levels.")
                    self._fault(
                        message,
                        advice,
                        line=row.line,
                        column="item",
                    )
                else:
                    cells[item][levels] = row
            # Where no column is a factor, as there are too many conditions, every item would lack nearly all of them.
            asked = combinations if len(combinations) <= MAX_CONDITIONS else []
            missing = [":".join(levels) for levels in asked if levels not in cells[item]]
            # A row without a level has been reported already and may be the one that seems to be missing.
            if missing and complete:
                self._fault(
                    Sentence("The item '{item}' has no text in {conditions}.", item=item, conditions=listed(missing)),
                    Sentence("Every item needs a text in every condition."),
                    line=rows[0].line,
                    column="item",
                )
        return cells

    def _items(
        self,
        targets: Mapping[str, Sequence[Row]],
        others: Mapping[str, Sequence[Row]],
        cells: Mapping[str, Mapping[Levels, Row]],
        combinations: Sequence[Levels],
        attributes: Mapping[str, Mapping[str, str]],
    ) -> tuple[DesignItem, ...]:
        first = {code: rows[0].line for code, rows in others.items()}
        for code, rows in targets.items():
            if code in first:
                line = max(rows[0].line, first[code])
                self._fault(
                    Sentence("The code '{code}' is that of an item and of a filler.", code=code),
                    line=line,
                    column="item",
                )
            first.setdefault(code, rows[0].line)
        sets = {code: self._item_set(code, rows) for code, rows in targets.items()}
        if any(sets.values()) and not all(sets.values()):
            without = [code for code, item_set in sets.items() if not item_set]
            self._fault(
                Sentence("The items {items} have no item set, others have one.", items=listed(without)),
                Sentence("Give every item a set, or none."),
                line=targets[without[0]][0].line,
                column="item_set",
            )
        items = []
        for code in sorted(first, key=first.__getitem__):
            if code in targets:
                stimuli = tuple(
                    self._stimulus(cells[code][levels], position if levels else None)
                    for position, levels in enumerate(combinations or [()])
                    if levels in cells[code]
                )
                items.append(DesignItem(code, stimuli, sets[code], attributes=attributes[code]))
                continue
            rows = others[code]
            for row in rows[1:]:
                self._fault(
                    Sentence(
                        "'{code}' is already in line {line}; a filler or practice text has one row.",
                        code=code,
                        line=rows[0].line,
                    ),
                    Sentence("Give every filler a code of its own."),
                    line=row.line,
                    column="item",
                )
            is_filler = bool(truth(self.columns.cell(rows[0], "is_filler")))
            stimulus = self._stimulus(rows[0], None)
            items.append(DesignItem(code, (stimulus,), "", is_filler, not is_filler, attributes[code]))
        return tuple(items)

    def _item_set(self, code: str, rows: Sequence[Row]) -> str:
        names = Counter(self.columns.cell(row, "item_set") for row in rows)
        usual = names.most_common(1)[0][0]
        for row in rows:
            name = self.columns.cell(row, "item_set")
            if name != usual:
                self._fault(
                    Sentence(
                        "The item '{code}' is in the set '{name}' here and in '{usual}' elsewhere.",
                        code=code,
                        name=name,
                        usual=usual,
                    ),
                    Sentence("An item belongs to one set."),
                    line=row.line,
                    column="item_set",
                )
        return usual

    def _stimulus(self, row: Row, condition: int | None) -> DesignStimulus:
        extra = {name: row.cells[number] for name, number in self.columns.extra.items() if row.cells[number]}
        return DesignStimulus(self.columns.cell(row, "text"), condition, extra, row.line)

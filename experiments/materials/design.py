"""Build a design from a table of materials: factors, conditions, items and lists; or report all faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
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
from experiments.materials.incomplete import Hole, incompleteness_notices, missing_texts, mistaken_holes
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
    incomplete: bool = False,
) -> Design:
    """Build the design that a table describes.

    Columns: `item` and `text`; one column per factor, or one column `condition`; `item_set`, `is_filler`,
    `is_practice` and further columns are optional. A further column that is constant within items is an attribute.
    `factors` declares the factors, as a mapping to their levels in order. With `item_sets` "apart" every set has its
    own lists; with "together" the lists g of all sets are combined into one.

    A set may have conditions of its own, and lack a factor: its cells are then empty in the whole set. Items may be in
    some of the conditions only where that is a pattern; with `incomplete` whatever is missing is missing on purpose.

    Raises MaterialsFaults with all faults, warnings and a preview of what could be read.
    """
    return _Reading(table, paradigm, factors=factors, item_sets=item_sets, incomplete=incomplete).design()


class _Reading:
    """State of reading one table: collects faults and warnings."""

    def __init__(
        self,
        table: Table,
        paradigm: Paradigm,
        *,
        factors: Sequence[str] | Mapping[str, Sequence[str]] | None,
        item_sets: str,
        incomplete: bool,
    ) -> None:
        self.table = table
        self.item_sets = item_sets
        self.incomplete = incomplete
        self.named = list(factors) if factors is not None else None
        self.level_order = dict(factors) if isinstance(factors, Mapping) else {}
        self.columns: Columns = columns_of(table, paradigm, expected=self.named or ())
        self.paradigm = paradigm
        self.required_extra = [column.name for column in paradigm.stimulus_columns if column.required]
        self.faults: list[Fault] = list(self.columns.faults)
        # Items with a row whose filler status is unclear: a condition they seem to lack may be that row.
        self.unclear: set[str] = set()
        # Item set → factors whose cells are empty in all of its rows: the set does not have them.
        self.without: dict[str, frozenset[str]] = {}
        self.holes: dict[str, Hole[Levels]] = {}
        self.warnings: list[Fault] = [*table.warnings, *self.columns.warnings]

    def design(self) -> Design:
        shows_media = any(name in self.columns.extra for name in self.paradigm.own_media_columns)
        if not {"item"} | (set() if shows_media else {"text"}) <= set(self.columns.fixed):
            raise MaterialsFaults(self.faults, self.warnings)
        self._check_rows()
        targets = self._rows_by_item(target=True)
        others = self._rows_by_item(target=False)
        sets = self._item_sets(targets)
        by_set: dict[str, dict[str, list[Row]]] = {}
        for code, group in targets.items():
            by_set.setdefault(sets[code], {})[code] = group
        factor_names, attribute_names = factors_and_attributes(by_set, self.columns, named=self.named)
        factor_names, attribute_names = self._settle_condition_column(targets, factor_names, attribute_names)
        rows = [row for group in targets.values() for row in group]
        self.without = {name: self._absent_factors(name, groups, factor_names) for name, groups in by_set.items()}
        # Declared levels are taken literally, however similar they look.
        meant = {
            name: {} if name in self.level_order else misspelt_levels(rows, self.columns.free[name])
            for name in factor_names
        }
        for name in factor_names:
            own = [row for row in rows if name not in self._without(row)]
            self.faults += level_faults(own, name, self.columns.free[name], meant[name])
        attributes, contradictions = attribute_values(
            {**targets, **others}, {name: self.columns.free[name] for name in attribute_names}
        )
        self.faults += contradictions
        factors, combinations = self._combinations(rows, factor_names, meant)
        cells = self._cells(targets, factor_names, combinations, meant, sets)
        items = self._items(targets, others, cells, combinations, attributes, sets)
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
            DesignCondition(position, {name: level for name, level in zip(factor_names, levels, strict=True) if level})
            for position, levels in enumerate(combinations)
        )
        self.warnings += surplus_warnings(
            [row for group in others.values() for row in group], self.columns, factor_names
        )
        if self.faults:
            too_many = len(conditions) > MAX_CONDITIONS
            self.warnings += [] if too_many else size_warnings(items)
            design = Design(factors, conditions, items, (), tuple(self.warnings))
            self.faults.sort(key=lambda fault: (fault.line is not None, fault.line or 0))
            place = {levels: number for number, levels in enumerate(combinations)}
            holes = {item: [place[levels] for levels in hole.missing] for item, hole in self.holes.items()}
            can_be_meant = bool(holes) and not self.paradigm.shows_several
            # A matrix with a column for every row of the table would be as large as the square of the table.
            preview = None if too_many else preview_of(design, holes=holes)
            raise MaterialsFaults(self.faults, self.warnings, preview, has_holes=can_be_meant)
        self.warnings += incompleteness_notices(items, conditions) + size_warnings(items)
        design = Design(factors, conditions, items, (), tuple(self.warnings))
        return replace(design, lists=lists_of(items, conditions, item_sets=self.item_sets))

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

    def _absent_factors(
        self, item_set: str, groups: Mapping[str, Sequence[Row]], factors: Sequence[str]
    ) -> frozenset[str]:
        """Return the factors that a named item set does not have: their cells are empty, those of another are not."""
        rows = [row for group in groups.values() for row in group]
        empty = {name for name in factors if not any(row.cells[self.columns.free[name]] for row in rows)}
        return frozenset(empty) if item_set and len(empty) < len(factors) else frozenset()

    def _without(self, row: Row) -> frozenset[str]:
        return self.without.get(self.columns.cell(row, "item_set"), frozenset())

    def _is_placed(self, row: Row, factors: Sequence[str], levels: Levels) -> bool:
        """Whether a row has a level of every factor of its set."""
        absent = self._without(row)
        return all(level or name in absent for name, level in zip(factors, levels, strict=True))

    def _levels(self, row: Row, factors: Sequence[str], meant: Mapping[str, Mapping[str, str]]) -> Levels:
        cells = ((name, row.cells[self.columns.free[name]]) for name in factors)
        return tuple(meant[name].get(level, level) for name, level in cells)

    def _combinations(
        self, rows: Sequence[Row], factors: Sequence[str], meant: Mapping[str, Mapping[str, str]]
    ) -> tuple[tuple[DesignFactor, ...], list[Levels]]:
        used: dict[Levels, None] = {}
        of_sets: dict[str, dict[Levels, None]] = {}
        for row in rows:
            if self._is_placed(row, factors, own := self._levels(row, factors, meant)):
                used[own] = of_sets.setdefault(self.columns.cell(row, "item_set"), {})[own] = None
        found: list[DesignFactor] = []
        for number, name in enumerate(factors):
            levels = list(dict.fromkeys(combination[number] for combination in used if combination[number]))
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
        order_of = [{"": -1} | {level: place for place, level in enumerate(factor.levels)} for factor in found]
        signatures = list(dict.fromkeys(tuple(map(bool, levels)) for levels in used))
        in_order = sorted(
            used,
            key=lambda levels: (
                signatures.index(tuple(map(bool, levels))),
                [order[level] for order, level in zip(order_of, levels, strict=True)],
            ),
        )
        absent: dict[str, None] = {}
        for of_set in of_sets.values():
            own_levels = [
                [level for level in ("", *factor.levels) if level in seen]
                for factor, seen in zip(found, zip(*of_set, strict=True), strict=True)
            ]
            absent |= {_name(levels): None for levels in product(*own_levels) if levels not in of_set}
        if absent:
            self._warn(
                Sentence(
                    "The factors are not fully crossed: no item has {conditions}.", conditions=listed(list(absent))
                ),
                Sentence("Analyses of their interaction will not be possible."),
            )
        return tuple(found), in_order

    def _cells(
        self,
        targets: Mapping[str, Sequence[Row]],
        factors: Sequence[str],
        combinations: Sequence[Levels],
        meant: Mapping[str, Mapping[str, str]],
        sets: Mapping[str, str],
    ) -> dict[str, dict[Levels, Row]]:
        """Return item → levels → row; report duplicate and missing conditions."""
        cells: dict[str, dict[Levels, Row]] = {}
        # A row without a level has been reported already and may be the one that seems to be missing.
        unsure = {item for item in targets if item in self.unclear}
        for item, rows in targets.items():
            cells[item] = {}
            for row in rows:
                levels = self._levels(row, factors, meant)
                if not self._is_placed(row, factors, levels):
                    unsure.add(item)
                    continue
                before = cells[item].get(levels)
                if before is not None:
                    message = Sentence("The item '{item}' is already in line {line}.", item=item, line=before.line)
                    advice = Sentence("Delete one of them or add a factor.")
                    if factors:
                        message = Sentence(
                            "The item '{item}' in the condition '{condition}' is already in line {line}.",
                            item=item,
                            condition=_name(levels),
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
        self.holes = self._holes(cells, combinations, sets, unsure)
        for item, hole in self.holes.items():
            self._fault(hole.message, hole.suggestion, line=targets[item][0].line, column="item")
        return cells

    def _holes(
        self,
        cells: Mapping[str, Mapping[Levels, Row]],
        combinations: Sequence[Levels],
        sets: Mapping[str, str],
        unsure: Collection[str],
    ) -> dict[str, Hole[Levels]]:
        if len(combinations) > MAX_CONDITIONS:
            # Where no column is a factor, every item would lack nearly all of them.
            return {}
        names = {levels: _name(levels) for levels in combinations}
        if self.paradigm.shows_several:
            # What is compared within a trial has to be there.
            lacking = {item: [levels for levels in combinations if levels not in own] for item, own in cells.items()}
            return {
                item: missing_texts(item, missing, names)
                for item, missing in lacking.items()
                if missing and item not in unsure
            }
        if self.incomplete:
            return {}
        return mistaken_holes(
            {item: (sets[item], tuple(own)) for item, own in cells.items() if own}, combinations, names, unsure=unsure
        )

    def _items(
        self,
        targets: Mapping[str, Sequence[Row]],
        others: Mapping[str, Sequence[Row]],
        cells: Mapping[str, Mapping[Levels, Row]],
        combinations: Sequence[Levels],
        attributes: Mapping[str, Mapping[str, str]],
        sets: Mapping[str, str],
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

    def _item_sets(self, targets: Mapping[str, Sequence[Row]]) -> dict[str, str]:
        """Return item → item set; report sets that contradict each other or are missing."""
        sets = {code: self._item_set(code, rows) for code, rows in targets.items()}
        if any(sets.values()) and not all(sets.values()):
            without = [code for code, item_set in sets.items() if not item_set]
            self._fault(
                Sentence("The items {items} have no item set, others have one.", items=listed(without)),
                Sentence("Give every item a set, or none."),
                line=targets[without[0]][0].line,
                column="item_set",
            )
        return sets

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


def _name(levels: Levels) -> str:
    """Return the name of a condition, in which a factor that its set lacks is left out."""
    return ":".join(filter(None, levels))

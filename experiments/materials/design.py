"""Build a design from a table of materials: factors, conditions, items and lists; or report all faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product

from experiments.formats.faults import Fault, listed
from experiments.formats.media_names import is_media_name
from experiments.formats.text_looks import COLOUR, look_faults, look_of
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
from experiments.materials.levels import attribute_values, level_faults, misspelt_levels
from experiments.materials.lists import lists_of, size_warnings
from experiments.materials.preview import preview_of
from experiments.materials.roles import roles_of
from experiments.materials.shapes import (
    ATTRIBUTE,
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
from experiments.rules.look import LEAST_CONTRAST, PAGE, contrast
from experiments.sentences import Sentence

Levels = tuple[str, ...]


def design_from(
    table: Table,
    paradigm: Paradigm,
    *,
    factors: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    text_attributes: Sequence[str] = (),
    item_sets: str = "together",
    incomplete: bool = False,
) -> Design:
    """Build the design that a table describes.

    Columns: `item` and `text`; one column per factor, or one column `condition`; `item_set`, `is_filler`,
    `is_practice` and further columns are optional. A further column that is constant within items is an attribute of
    the item; what describes single texts is theirs (see `roles_of`). `factors` declares the factors, as a mapping to
    their levels in order, `text_attributes` the attributes of texts; so do the roles of the table. With `item_sets`
    "apart" every set has its own lists; with "together" the lists g of all sets are combined into one.

    A set may have conditions of its own, and lack a factor: its cells are then empty in the whole set. Items may be in
    some of the conditions only where that is a pattern; with `incomplete` whatever is missing is missing on purpose.

    Raises MaterialsFaults with all faults, warnings and a preview of what could be read.
    """
    said = {**table.roles, **dict.fromkeys(text_attributes, ATTRIBUTE)}
    return _Reading(table, paradigm, factors=factors, said=said, item_sets=item_sets, incomplete=incomplete).design()


class _Reading:
    """State of reading one table: collects faults and warnings."""

    def __init__(
        self,
        table: Table,
        paradigm: Paradigm,
        *,
        factors: Sequence[str] | Mapping[str, Sequence[str]] | None,
        said: Mapping[str, str],
        item_sets: str,
        incomplete: bool,
    ) -> None:
        self.table = table
        self.item_sets = item_sets
        self.incomplete = incomplete
        self.said = said
        self.of_texts: Sequence[str] = ()
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
        self.colours: set[str] = set()
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
        roles = roles_of(by_set, self.columns, named=self.named, said=self.said)
        self.of_texts = roles.of_texts
        self.warnings += roles.warnings
        factor_names, attribute_names = self._settle_condition_column(targets, roles.factors, roles.of_items)
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
                Sentence("The table has column names but no rows below them."),
                Sentence("Write one row for each text."),
            )
        elif not targets:
            self._fault(Sentence("There are no items: every row is a filler or practice."))
        elif self.paradigm.shows_several and len(combinations) < 2:
            self._fault(
                Sentence("Every item has only one text, so there is nothing to compare it with."),
                Sentence(
                    "Give every item a row for each condition, and add a column that tells the conditions apart, "
                    "such as system."
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
                        Sentence("'{cell}' is not a file name.", cell=cell),
                        Sentence("Write the name with its ending, such as dog.png, and upload the file separately."),
                        line=row.line,
                        column=key.split(" ")[0],
                    )
            self._check_looks(row, extra)
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

    def _check_looks(self, row: Row, extra: Mapping[str, str]) -> None:
        """Check colour and size of a text; a colour that is hard to read is said once."""
        if not self.paradigm.has_looks:
            return
        for column, message, suggestion in look_faults(extra):
            self._fault(message, suggestion, line=row.line, column=column)
        colour = look_of(extra).get("colour")
        if colour and colour not in self.colours:
            self.colours.add(colour)
            if (ratio := contrast(colour, PAGE)) < LEAST_CONTRAST:
                message = Sentence(
                    "'{cell}' has a contrast of {ratio:.1f} : 1 with the white page and may be hard to read.",
                    cell=extra[COLOUR],
                    ratio=ratio,
                )
                suggestion = Sentence(
                    "Most people can read it from {least:g} : 1 on. Choose a darker shade.", least=LEAST_CONTRAST
                )
                self._warn(message, suggestion, line=row.line, column=COLOUR)

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
        if name is None or self.named is not None or name in self.of_texts:
            return factors, attributes
        others = [factor for factor in factors if factor != name]
        rows = [row for own in targets.values() for row in own]
        is_alone = len(rows) == len(targets)
        if not others and is_alone:
            if name in self.said or len({row.cells[self.columns.free[name]] for row in rows}) < 2:
                return factors, attributes
            self._warn(
                Sentence(
                    "No item has several texts, so nothing rotates and the column becomes an attribute of the items."
                ),
                Sentence("To compare within items, give all texts of an item the same code."),
                column=name,
            )
            return [], [*(attribute for attribute in attributes if attribute != name), name]
        if not others:
            return [name], [attribute for attribute in attributes if attribute != name]
        if self._is_a_factor_of_its_own(name, others, targets):
            return [one for one in self.columns.free if one in (*others, name)], [
                attribute for attribute in attributes if attribute != name
            ]
        pairs = {
            (row.cells[self.columns.free[name]], tuple(row.cells[self.columns.free[other]] for other in others))
            for rows in targets.values()
            for row in rows
        }
        if len(pairs) == len({condition for condition, _ in pairs}) == len({levels for _, levels in pairs}):
            self._warn(Sentence("The column repeats {columns} and is ignored.", columns=listed(others)), column=name)
        else:
            self._fault(
                Sentence(
                    "The column contradicts {columns}: each name must mean one combination of levels.",
                    columns=listed(others),
                ),
                Sentence("Delete the column, or keep only this one and delete the others."),
                column=name,
            )
        return others, [attribute for attribute in attributes if attribute != name]

    def _is_a_factor_of_its_own(self, name: str, others: Sequence[str], targets: Mapping[str, Sequence[Row]]) -> bool:
        """Return whether the column tells texts apart that have the same levels of the others, and no level twice."""
        numbers = [self.columns.free[other] for other in (*others, name)]
        cells = [[tuple(row.cells[number] for number in numbers) for row in rows] for rows in targets.values()]
        return all(len(set(own)) == len(own) for own in cells) and any(
            len({levels[:-1] for levels in own}) < len(own) for own in cells
        )

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
                            "There is no level {levels}. The declared levels are {known}.",
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
                    "A column with a different value in every row is not a factor. Delete it, name the factors, "
                    "or begin its name with metric_ if it measures the texts."
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
                Sentence("You will not be able to analyse their interaction."),
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
                    advice = Sentence("Delete one of them, or add a factor.")
                    if factors:
                        message = Sentence(
                            "The item '{item}' in the condition '{condition}' is already in line {line}.",
                            item=item,
                            condition=_name(levels),
                            line=before.line,
                        )
                        advice = Sentence("Delete one of them, or correct its levels.")
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
                    Sentence("An item and a filler both have the code '{code}'.", code=code),
                    line=line,
                    column="item",
                )
            first.setdefault(code, rows[0].line)
        items = []
        place = {levels: position for position, levels in enumerate(combinations or [()])}
        for code in sorted(first, key=first.__getitem__):
            if code in targets:
                stimuli = tuple(
                    self._stimulus(cells[code][levels], place[levels] if levels else None)
                    for levels in sorted(cells[code].keys() & place.keys(), key=place.__getitem__)
                )
                items.append(DesignItem(code, stimuli, sets[code], attributes=attributes[code]))
                continue
            rows = others[code]
            for row in rows[1:]:
                self._fault(
                    Sentence(
                        "'{code}' is already in line {line}. A filler or practice text has only one row.",
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
                Sentence("The items {items} have no item set, but others have one.", items=listed(without)),
                Sentence("Give a set to every item, or to none."),
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
        attributes = {name: cell for name in self.of_texts if (cell := row.cells[self.columns.free[name]])}
        return DesignStimulus(self.columns.cell(row, "text"), condition, extra, row.line, attributes)


def _name(levels: Levels) -> str:
    """Return the name of a condition, in which a factor that its set lacks is left out."""
    return ":".join(filter(None, levels))

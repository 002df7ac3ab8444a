"""Verify archives of one study: hashes, plan, texts, times, exclusions, reports, and the manuscript."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from analysis.computing.code_version import code_version
from analysis.data.analyse_file import text_file
from analysis.data.frames import frame_from
from analysis.exports.cells import Variant
from analysis.exports.provenance import FORMAT, FORMAT_VERSION, PROVENANCE
from analysis.exports.reports import report_files
from analysis.methods import parameters, registry
from analysis.methods.declarations import FileOnDisk, Parameter, TextFile
from analysis.methods.report import BadInput
from analysis.methods.wording import listed
from analysis.reports.labels import Labels
from analysis.verification.archives import MOST_REPORT_BYTES, Archive, UnreadableArchive, opened
from analysis.verification.claims import (
    check_exclusions,
    check_plan,
    check_sessions,
    check_texts,
    check_times,
    rows_of,
)
from analysis.verification.members import candidates, is_table, object_in, plain_csv, within
from analysis.verification.numbers import Compared, compared
from analysis.verification.papers import compare_sources, compare_tables, compare_text
from analysis.verification.recomputing import (
    MEGABYTES,
    SECONDS,
    Asked,
    NotComputed,
    file_named,
    recomputed,
    rows_of_people,
)
from analysis.verification.verdict import ReportVerdict, Verdict

MANIFEST, REPORT, PAPER, SOURCES = "manifest.json", "report.json", "paper.md", "tables/sources.csv"
SUPPLEMENT = "supplement.md"
# What the rules of a plan and the times of sessions are read from.
OF_TRIALS = (
    "participant", "started_at", "simulated", "position", "phase", "item", "is_filler", "answered", "excluded",
    "exclusion_reason", "rt_ms", "focus_losses", "interrupted", "rating", "attention", "correct", "out_of_view", "part",
    "study_part",
)  # fmt: skip
MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
# Parameters that the platform adds to those of a plan.
ADDED = ("trial", "categorical")


class _Verifying:
    """The archives and files of one call, and what was found so far."""

    def __init__(self, paths: Sequence[Path], *, seconds: int, megabytes: int, tell: Callable[[str], None]) -> None:
        self.limits = {"seconds": seconds, "megabytes": megabytes}
        self.tell = tell
        self.verdict = Verdict()
        self.archives: list[Archive] = []
        self.files: list[TextFile | FileOnDisk] = []
        self.tables: list[Path] = []
        for path in paths:
            if path.is_file() and path.suffix.lower() not in ("", ".zip"):
                self.files.append(_text_file(path))
                self.tables += [path] if path.suffix.lower() in (".csv", ".tsv") else []
            else:
                self.archives.append(opened(path))
        self.manifests = {one.name: object_in(one, MANIFEST) for one in self.archives}
        self.known = {one.name: self._known_of(one) for one in self.archives}

    def _known_of(self, archive: Archive) -> dict[str, Any] | None:
        known = object_in(archive, PROVENANCE)
        if known is not None and (known.get("format"), known.get("format_version")) != (FORMAT, FORMAT_VERSION):
            said = f"{archive.name}: {PROVENANCE} is of a format that this version does not read."
            self.verdict.claims.lacking.append(said)
            return None
        return known

    def whole(self) -> Verdict:
        self._check_each("The hashes", self._hashes)
        self._check_each("What the archive says of its origin", self._origin)
        for archive in self.archives:
            for folder in self._folders(archive):
                self.verdict.reports.append(self._report(archive, folder))
        self._check_each("The manuscript", self._papers)
        return self.verdict

    def _check_each(self, what: str, check: Callable[[Archive], None]) -> None:
        for archive in self.archives:
            try:
                check(archive)
            except UnreadableArchive as broken:
                self.verdict.claims.wrong.append(str(broken))
            except MALFORMED as error:
                said = f"{archive.name}: {what} cannot be read as this platform writes it ({_in_words(error)})."
                self.verdict.claims.wrong.append(said)

    def _hashes(self, archive: Archive) -> None:
        manifest, claims = self.manifests[archive.name], self.verdict.claims
        if manifest is None:
            claims.lacking.append(f"{archive.name} has no manifest, so there are no hashes of its files to check.")
            return
        listing = {str(entry["path"]): str(entry["sha256"]) for entry in manifest["files"]}
        there = [name for name in archive.sizes if name != MANIFEST]
        self.verdict.files += len(listing)
        other = [name for name in there if name in listing and archive.sha256(name) != listing[name]]
        missing, further = sorted(set(listing) - set(there)), sorted(set(there) - set(listing))
        self.verdict.files_as_listed += len(listing) - len(other) - len(missing)
        for names, said in (
            (other, "not what the manifest has the hash of"),
            (missing, "in the manifest and not in the archive"),
            (further, "in the archive and not in the manifest"),
        ):
            if names:
                claims.wrong.append(f"{archive.name}: {listed(names)}: {said}.")
        for left_out in manifest.get("left_out", []):
            claims.lacking.append(f"{archive.name}: {left_out['path']} was left out: {left_out['reason']}")

    def _origin(self, archive: Archive) -> None:
        known, verdict = self.known[archive.name], self.verdict
        manifest = self.manifests[archive.name]
        named = str((known or manifest or {}).get("study", ""))
        if verdict.study and named and named != verdict.study:
            verdict.claims.wrong.append(f"{archive.name} is of the study '{named}', the first of '{verdict.study}'.")
        verdict.study = verdict.study or named
        if known is None:
            verdict.claims.lacking.append(
                f"{archive.name} was made before archives said when their plan was fixed and from which table each "
                f"report comes; tables that fit were looked for."
            )
            return
        first = not verdict.fingerprints
        hashes = {"plan": str(known["plan_sha256"]), "texts": str(known["texts_sha256"])}
        if not first and verdict.fingerprints != hashes:
            verdict.claims.wrong.append(f"{archive.name} has another plan or other texts than the archive before.")
        is_export = any(one["path"] in archive for one in known["materials"])
        if not first and not is_export:
            return
        verdict.version, verdict.fingerprints = known["study_version"], hashes
        verdict.opened_at = str(known["opened_at"] or "")
        check_plan(known, verdict.claims)
        sessions = self._rows(archive, "sessions", ("participant", "started_at", "simulated"))
        check_times(known, sessions, verdict.claims)
        if is_export:
            self._tables(archive, known, sessions)

    def _tables(self, archive: Archive, known: Mapping[str, Any], sessions: Any) -> None:
        claims = self.verdict.claims
        check_texts(known, {one["path"]: rows_of(archive.read(one["path"])) for one in known["materials"]
                            if one["path"] in archive}, claims)  # fmt: skip
        trials = self._rows(archive, "trials", OF_TRIALS)
        people = self._rows(archive, "participants", None)
        if trials is not None and people is not None and sessions is not None:
            check_sessions({"sessions.csv": sessions, "participants.csv": people, "trials.csv": trials}, claims)
            check_exclusions(known, trials, people, claims)

    def _rows(self, archive: Archive, name: str, only: Sequence[str] | None) -> list[dict[str, str]] | None:
        path = next((one for one in archive.sizes if is_table(one, name)), None)
        return None if path is None else rows_of(archive.read(path), only=only)

    def _folders(self, archive: Archive) -> list[str]:
        """Return the folders of an archive that hold a report; what is told of missing ones is said on the way."""
        there = sorted(str(PurePosixPath(name).parent) for name in archive.sizes if PurePosixPath(name).name == REPORT)
        folders = ["" if folder == "." else folder for folder in there]
        wrong = self.verdict.claims.wrong
        try:
            known = self.known[archive.name]
            said = [str(entry["path"]) for entry in known["reports"]] if known is not None else folders
        except MALFORMED:
            return folders
        if PAPER not in archive:
            wrong += [f"{archive.name}: the report {one or REPORT} is missing." for one in said if one not in folders]
        wrong += [
            f"{archive.name}: the report {one or REPORT} is none of its study's." for one in folders if one not in said
        ]
        return folders

    def _report(self, archive: Archive, folder: str) -> ReportVerdict:
        verdict = ReportVerdict(path=folder or archive.name, method="")
        try:
            self._compare(archive, folder, verdict)
        except (UnreadableArchive, BadInput) as refusal:
            verdict.found.differing.append(str(refusal))
        except MALFORMED as error:
            verdict.found.differing.append(f"The report is not as this platform writes it ({_in_words(error)}).")
        return verdict

    def _compare(self, archive: Archive, folder: str, verdict: ReportVerdict) -> None:
        text = archive.read(within(folder, REPORT), most=MOST_REPORT_BYTES).decode("utf-8")
        stored = json.loads(text)
        verdict.method = str(stored["method"])
        known = self.known[archive.name]
        entry = next((one for one in known["reports"] if one["path"] == folder), None) if known else None
        verdict.number = int(entry["number"]) if entry else 0
        self.tell(f"{verdict.path} ({verdict.method})")
        if entry and (stored["method"], stored.get("part", "")) != (entry["method"], entry["part"]):
            verdict.found.differing.append(f"It is of the method or task of another analysis than {PROVENANCE} says.")
        self._files_beside(archive, folder, text, verdict, labels=_labels(known))
        try:
            method = registry.method_named(verdict.method)
        except BadInput:
            verdict.reason = f"this installation has no method '{verdict.method}'."
            verdict.found.unchecked += _amount(stored)
            return
        if lacking := lacking_files(method.parameters, stored["params"], self.files):
            verdict.reason = f"it read {listed(lacking)}; give that file beside the archive."
            verdict.found.unchecked += _amount(stored)
            return
        again: dict[str, Any] | None = None
        if entry is not None:
            again = self._from_its_data(archive, folder, stored, entry, verdict)
        else:
            again = self._from_what_fits(archive, folder, stored, verdict)
        if again is None:
            verdict.found.unchecked += _amount(stored)
            return
        same_code = bool(
            entry and entry["code_version"] == code_version(verdict.method) and stored["versions"] == again["versions"]
        )
        if entry and not same_code:
            verdict.found.told.append("Computed by another version of the code or its libraries than this one.")
        verdict.again = again
        _add(verdict.found, compared(stored, again, same_code=same_code))

    def _from_its_data(
        self, archive: Archive, folder: str, stored: Mapping[str, Any], entry: Mapping[str, Any], verdict: ReportVerdict
    ) -> dict[str, Any] | None:
        content = self._content(archive, str(entry["data"]))
        if content is None:
            verdict.reason = f"its data, {entry['data']}, are not in the archive."
            return None
        look = entry.get("look")
        digest = hashlib.sha256(content if look is None else _of_people(content, look["participants"])).hexdigest()
        is_alike = digest == entry["data_sha256"]
        if not is_alike and self._is_older(archive, folder):
            verdict.reason = "it is older than the data beside it."
            return None
        if not is_alike and not entry["rows_of_part"]:
            verdict.found.differing.append(f"{entry['data']} is not the table that was analysed (SHA-256 {digest}).")
        columns = [str(name) for name in frame_from(content.partition(b"\n")[0] + b"\n").columns]
        known = self.known[archive.name]
        verdict.standing = standing_of(known or {}, entry, stored["params"], columns)
        # Rows of one task alone, as reports beside their own table have them, need no choosing.
        rows_of_part = "" if is_alike else str(entry["rows_of_part"])
        asked = Asked(verdict.method, stored["params"], content, str(entry["part"]), rows_of_part, look, self.files)
        try:
            return recomputed(asked, **self.limits)
        except NotComputed as refusal:
            if refusal.is_of_limits:
                verdict.reason = str(refusal)
            elif entry["code_version"] != code_version(verdict.method):
                # Another version may have taken other parameters, and refused other data.
                verdict.reason = f"this version of its method does not compute it: {refusal}"
            else:
                verdict.found.differing.append(f"It cannot be computed from its data: {refusal}")
            return None

    def _from_what_fits(
        self, archive: Archive, folder: str, stored: Mapping[str, Any], verdict: ReportVerdict
    ) -> dict[str, Any] | None:
        """Return the report from the table that gives it; of an archive that does not say which, each that fits."""
        part, params = str(stored.get("part", "")), stored["params"]
        fitting = [
            (path.name, Asked(verdict.method, params, path, part, part, None, self.files)) for path in self.tables
        ]
        for name in candidates(archive, folder):
            content = self._content(archive, name)
            rows_of_part = part if is_table(name, "trials") or is_table(name, "codings") else ""
            for rows in dict.fromkeys((rows_of_part, "")) if content is not None else ():
                fitting.append((name, Asked(verdict.method, params, content or b"", part, rows, None, self.files)))
        nearest: tuple[int, dict[str, Any]] | None = None
        for name, asked in fitting:
            try:
                again = recomputed(asked, **self.limits)
            except NotComputed:
                continue
            found = compared(stored, again, same_code=False)
            if not found.differing and found.numbers and found.same == found.numbers:
                verdict.found.told.append(f"Computed from {name}, which gives it.")
                return again
            if nearest is None or found.same > nearest[0]:
                nearest = (found.same, again)
        if nearest is None:
            verdict.reason = "no table of the archive fits it."
            return None
        return nearest[1]

    def _is_older(self, archive: Archive, folder: str) -> bool:
        manifest = self.manifests[archive.name] or {}
        return any(one["path"] == f"{folder}/" for one in manifest.get("changed_since", []))

    def _content(self, archive: Archive, name: str) -> bytes | None:
        """Return a table as the plain export has it, from this archive, or another one of the study."""
        for one in (archive, *self.archives):
            if name in one:
                return plain_csv(one.read(name))
        return None

    def _files_beside(
        self, archive: Archive, folder: str, text: str, verdict: ReportVerdict, *, labels: Labels
    ) -> None:
        """Hold the tables and figures beside a report against it: they follow from it alone."""
        variant: Variant = "excel" if (self.manifests[archive.name] or {}).get("variant") == "excel" else "plain"
        for name, content in report_files(text, labels=labels, variant=variant):
            member = within(folder, name)
            if name == REPORT or (member in archive and archive.read(member) == content):
                continue
            if member not in archive:
                verdict.found.differing.append(f"{name} is missing beside the report.")
            elif name.endswith(".svg"):
                # Another version of the drawing library draws other lines; what it shows stands in a table.
                verdict.found.told.append(f"{name} is drawn otherwise than from this report by this version.")
            else:
                verdict.found.differing.append(f"{name} is not what the report holds.")

    def _papers(self, archive: Archive) -> None:
        if PAPER not in archive:
            return
        reports = {one.number: one.again for one in self.verdict.reports if one.again is not None and one.number}
        if not reports:
            self.verdict.claims.lacking.append(
                f"{archive.name} is a manuscript without data; give the export of the study beside it, and its numbers "
                f"are held against the reports there."
            )
            return
        names = (self.known[archive.name] or {}).get("names_for_print", {})
        found = Compared()
        for name in (PAPER, SUPPLEMENT):
            if name in archive:
                text = archive.read(name, most=MOST_REPORT_BYTES).decode("utf-8")
                _add(found, compare_text(text, reports, names))
        tables = {
            name: archive.read(name)
            for name in archive.sizes
            if name.startswith("tables/") and name.endswith(".csv") and name != SOURCES
        }
        _add(found, compare_tables(tables, reports))
        if SOURCES in archive:
            known = {
                int(entry["number"]): entry for of in self.known.values() if of is not None for entry in of["reports"]
            }
            _add(found, compare_sources(archive.read(SOURCES), known))
        self.verdict.papers.append((archive.name, found))
        self.verdict.claims.lacking.append(
            f"{archive.name}: of paper.tex, paper.docx and the pictures the hashes alone were checked."
        )


def verify(
    paths: Sequence[Path],
    *,
    seconds: int = SECONDS,
    megabytes: int = MEGABYTES,
    tell: Callable[[str], None] = lambda said: None,
) -> Verdict:
    """Verify archives or folders of one study together; other files among `paths` are those that reports read.

    `tell` is told which report is being computed. Raises UnreadableArchive where one of them cannot be read at all.
    """
    return _Verifying(paths, seconds=seconds, megabytes=megabytes, tell=tell).whole()


def standing_of(
    known: Mapping[str, Any], entry: Mapping[str, Any], params: Mapping[str, Any], columns: Sequence[str]
) -> str:
    """Return whether a report is planned or exploratory by the plan in the archive; empty where it was never opened."""
    if not known.get("opened_at"):
        return ""
    declared = registry.method_named(str(entry["method"])).parameters
    for analysis in known["plan"]["analyses"]:
        same = (analysis["method"], analysis["table"]) == (entry["method"], entry["table"])
        if not same or analysis.get("part", "") not in ("", entry["part"]):
            continue
        if analysis.get("sequential") and not entry.get("look"):
            continue
        left_out = [name for name in ADDED if name not in analysis["params"]]
        given = {name: value for name, value in params.items() if name not in left_out}
        try:
            wanted, found = (parameters.read(declared, one, columns) for one in (analysis["params"], given))
        except BadInput:
            continue
        if wanted == found:
            return "planned"
    return "exploratory"


def lacking_files(
    declared: Iterable[Parameter], params: Mapping[str, Any], files: Sequence[TextFile | FileOnDisk]
) -> list[str]:
    """Return the files that a report names, and that are not among these, by their hashes."""
    named = [str(params[one.name]) for one in declared if one.kind == "file" and params.get(one.name)]
    return [name for name in named if file_named(name, files) is None]


def _of_people(content: bytes, people: Sequence[str]) -> bytes:
    return rows_of_people(frame_from(content), people).to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def _labels(known: Mapping[str, Any] | None) -> Labels:
    names = (known or {}).get("names_for_print", {})
    return Labels.of(names.get("factors", {}), names.get("labels", {})).with_columns(names.get("columns", {}))


def _text_file(path: Path) -> TextFile | FileOnDisk:
    try:
        return text_file(path)
    except BadInput as refusal:
        raise UnreadableArchive(str(refusal)) from refusal


def _amount(report: Mapping[str, Any]) -> int:
    return compared(report, report, same_code=True).numbers


def _add(found: Compared, more: Compared) -> None:
    found.numbers += more.numbers
    found.same += more.same
    found.unchecked += more.unchecked
    found.differing += more.differing
    found.told += more.told


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:80]}"

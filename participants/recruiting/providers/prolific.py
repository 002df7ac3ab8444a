"""Prolific, by its public API (version 1, docs.prolific.com). Amounts are in hundredths, except in CSV and screen-outs.

Approving and rejecting are documented as idempotent, paying a bulk of bonuses as not. Lists are read page by page by
`next`; a page past the end answers 404. A rejection needs a message of at least 100 characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from participants.recruiting.ledger import Kind, Row, Seen
from participants.recruiting.providers.base import Draft, NoAnswer, Refused, StudyThere, asked

LEAST_OF_A_REJECTION = 100
MOST_BONUSES_AT_ONCE = 200
A_PAGE, MOST_PAGES = 100, 300
REJECTION_CATEGORIES = (
    "TOO_QUICKLY", "FAILED_INSTRUCTIONS", "FAILED_CHECK", "LOW_EFFORT", "MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA",
    "OTHER",
)  # fmt: skip
PARAMETERS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
CODE_TYPES = {
    "completed": "COMPLETED",
    "screened-out": "OTHER",
    "failed-check": "FAILED_ATTENTION_CHECK",
    "over-quota": "OTHER",
    "declined": "NO_CONSENT",
}
PUBLISH, PAUSE, START, STOP = "PUBLISH", "PAUSE", "START", "STOP"


class Prolific:
    """One account of Prolific."""

    reads_back = True

    def __init__(self, token: str, address: str) -> None:
        self.address = address.rstrip("/") + "/"
        self.headers = {"Authorization": f"Token {token}"}

    def test(self) -> str:
        said = self._asked("GET", "users/me/")
        return str(said.get("name") or said.get("username") or said.get("id") or "")

    def body_of_draft(self, draft: Draft) -> dict[str, Any]:
        joined = "&" if "?" in draft.link else "?"
        body: dict[str, Any] = {
            "name": draft.name,
            "internal_name": draft.key,
            "description": draft.description,
            "external_study_url": f"{draft.link}{joined}{PARAMETERS}",
            "prolific_id_option": "url_parameters",
            "completion_codes": [
                {
                    "code": code,
                    "code_type": CODE_TYPES.get(outcome, "OTHER"),
                    "actions": [{"action": "MANUALLY_REVIEW" if outcome == "completed" else "REQUEST_RETURN"}],
                }
                for outcome, code in draft.codes.items()
            ],
            "total_available_places": draft.places,
            "estimated_completion_time": draft.minutes,
            "reward": draft.reward,
            "device_compatibility": list(draft.devices),
        }
        for code in body["completion_codes"]:
            if code["actions"][0]["action"] == "REQUEST_RETURN":
                code["actions"][0]["return_reason"] = "The study ended early."
        if draft.excluded_groups:
            groups = list(draft.excluded_groups)
            body["filters"] = [{"filter_id": "participant_group_blocklist", "selected_values": groups}]
        return body

    def find_draft(self, key: str) -> StudyThere | None:
        found = [one for one in self._pages("studies/") if one.get("internal_name") == key]
        return _study(found[0]) if found else None

    def create_draft(self, draft: Draft) -> StudyThere:
        return _study(self._asked("POST", "studies/", self.body_of_draft(draft)))

    def study(self, study: str) -> StudyThere:
        return _study(self._asked("GET", f"studies/{_in_path(study)}/"))

    def transition(self, study: str, action: str) -> StudyThere:
        self._asked("POST", f"studies/{_in_path(study)}/transition/", {"action": action})
        return self.study(study)

    def set_places(self, study: str, places: int) -> StudyThere:
        return _study(self._asked("PATCH", f"studies/{_in_path(study)}/", {"total_available_places": places}))

    def submissions(self, study: str) -> list[Seen]:
        found = self._pages(f"studies/{_in_path(study)}/submissions/")
        # A list that changes while it is read may show one twice; the later reading counts.
        return list({one.submission: one for one in map(_seen, found)}.values())

    def decide(self, study: str, row: Row) -> bool:
        submission = _in_path(row.submission)
        if row.kind is Kind.APPROVE:
            self._asked("POST", f"submissions/{submission}/transition/", {"action": "APPROVE"})
        elif row.kind is Kind.REJECT:
            if len(row.message) < LEAST_OF_A_REJECTION:
                raise Refused(f"A rejection needs a message of at least {LEAST_OF_A_REJECTION} characters.")
            body = {"action": "REJECT", "message": row.message, "rejection_category": row.category}
            self._asked("POST", f"submissions/{submission}/transition/", body)
        elif row.kind is Kind.RETURN:
            reasons = {"request_return_reasons": [row.message]}
            self._asked("POST", f"submissions/{submission}/request-return/", reasons)
        elif row.kind is Kind.SCREEN_OUT:
            screened: dict[str, Any] = {
                "submission_ids": [row.submission],
                "bonus_per_submission": row.amount / 100,
                "increase_places": True,
            }
            self._asked("POST", f"studies/{_in_path(study)}/screen-out-submissions/", screened)
            return False
        else:
            raise Refused(f"Prolific has no {row.kind.value}.")
        return True

    def set_up_bonuses(self, study: str, rows: Sequence[Row]) -> str:
        lines = "\n".join(f"{row.submission},{row.amount // 100}.{row.amount % 100:02d}" for row in rows)
        said = self._asked("POST", "submissions/bonus-payments/", {"study_id": study, "csv_bonuses": lines})
        wanted, amount = sum(row.amount for row in rows), said.get("amount")
        if amount is not None and round(float(amount)) != wanted:
            raise Refused(f"Prolific would pay {amount} instead of {wanted} (in hundredths); nothing was paid.")
        reference = str(said.get("id") or "")
        if not reference:
            raise NoAnswer("Prolific gave no id for the bonuses.")
        return reference

    def pay_bonuses(self, reference: str) -> None:
        self._asked("POST", f"bulk-bonus-payments/{_in_path(reference)}/pay/")

    def _asked(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        said = asked(method, self.address + path, self.headers, body).said
        return said if isinstance(said, dict) else {}

    def _pages(self, path: str) -> list[Mapping[str, Any]]:
        """Return all entries of a list. Raises NoAnswer where a page is unreadable: half a list proves nothing."""
        found: list[Mapping[str, Any]] = []
        for _page in range(MOST_PAGES):
            where = f"{path}?{urlencode({'limit': A_PAGE, 'offset': len(found)})}"
            try:
                said = asked("GET", self.address + where, self.headers).said
            except Refused as refusal:
                if found and str(refusal).startswith("404"):
                    return found
                raise
            results = said.get("results") if isinstance(said, dict) else None
            if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
                raise NoAnswer("Prolific sent a list that cannot be read.")
            found += results
            links = said.get("_links") if isinstance(said, dict) else None
            following = links.get("next") if isinstance(links, dict) else None
            if not results or not isinstance(following, dict) or not following.get("href"):
                return found
        raise NoAnswer(f"Prolific sent more than {MOST_PAGES} pages.")


def _in_path(text: str) -> str:
    return quote(text, safe="")


def _study(said: Mapping[str, Any]) -> StudyThere:
    if not said.get("id"):
        raise NoAnswer("Prolific sent a study that cannot be read.")
    currency = str(said.get("presentment_currency_code") or said.get("currency_code") or "GBP")[:3]
    numbers = {
        name: int(said.get(key) or 0)
        for name, key in {"places": "total_available_places", "taken": "places_taken", "reward": "reward"}.items()
    }
    return StudyThere(str(said["id"])[:60], str(said.get("status") or "").upper()[:30], currency=currency, **numbers)


def _seen(said: Mapping[str, Any]) -> Seen:
    paid = said.get("bonus_payments")
    amounts = paid if isinstance(paid, list) else []
    known = all(isinstance(one, int | float) and not isinstance(one, bool) for one in amounts)
    return Seen(
        submission=str(said.get("id") or ""),
        person=str(said.get("participant_id") or said.get("participant") or ""),
        status=str(said.get("status") or "").replace("_", " ").upper(),
        # Where bonuses are shown in a form that nobody knows, nothing is concluded from them.
        bonuses=round(sum(amounts)) if known and isinstance(paid, list) else None,
        is_return_asked=bool(said.get("return_requested")),
        code=str(said.get("study_code") or "")[:100],
        started_at=str(said.get("started_at") or ""),
        ended_at=str(said.get("completed_at") or ""),
    )

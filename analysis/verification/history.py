"""Hold an archive against the history of its study on this platform, which only grows."""

from __future__ import annotations

from analysis.exports.cells import cell
from analysis.verification.verdict import Verdict
from experiments.models import Study
from experiments.study.registration import plan_sha256, registration_of, texts_of, texts_sha256


def check_history(slug: str, verdict: Verdict) -> None:
    """Add to the verdict what the study of this address says of the plan, the texts and the opening."""
    study = Study.objects.filter(slug=slug).first()
    claims = verdict.claims
    if study is None:
        claims.wrong.append(f"There is no study '{slug}' on this platform.")
        return
    if verdict.study != study.slug:
        claims.wrong.append(f"The archive is of the study '{verdict.study}', not of '{slug}'.")
    registered = registration_of(study)
    here = {
        "plan": registered.plan_sha256 if registered else plan_sha256(study.plan),
        "texts": registered.texts_sha256 if registered else texts_sha256(texts_of(study)),
    }
    for name, digest in here.items():
        if verdict.fingerprints.get(name, digest) != digest:
            claims.wrong.append(f"On this platform the {name} of '{slug}' has the SHA-256 {digest}.")
    opened = str(cell(study.opened_at)) if study.opened_at else ""
    if verdict.opened_at != opened:
        claims.wrong.append(f"On this platform '{slug}' was opened at {opened or 'no time'}.")
    if not claims.wrong:
        claims.held.append("Plan, texts and opening are those of this platform.")

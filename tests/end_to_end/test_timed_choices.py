"""The examples of timed choice with virtual participants over HTTP, and every suggested analysis on what was stored."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analysis.data.frames import study_data
from participants.models import Session
from tests.end_to_end.test_ratings_and_self_paced_reading import reports, simulated

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_eight_people_decide_on_every_word_and_every_analysis_runs_on_trimmed_data(django_user_model: Any) -> None:
    study = simulated("lexical-decision", 8, django_user_model)
    frame = study_data(study).frame
    main = frame[(frame["phase"] == "main") & (frame["plugin"] == "timed-choice")]
    assert len(main) == 8 * 80
    assert Counter(session.seed % 2 for session in Session.objects.all()) == {0: 4, 1: 4}
    assert set(main.groupby("participant")["mapping"].nunique()) == {1}
    # The right answer is on the right for one half of the people and on the left for the other.
    words = main[(main["choice"] == "word")]
    assert {frozenset(sides) for _person, sides in words.groupby("participant")["side"]} == {
        frozenset({"left"}),
        frozenset({"right"}),
    }
    displays = study_data(study, "displays").frame
    assert set(displays["kind"]) == {"fixation"}
    assert len(displays[displays["phase"] == "main"]) == 8 * 80
    trimmed = main[main["exclusion_reason"].str.startswith("planned rule: more than 3 SD")]
    assert 0 < len(trimmed) < 0.05 * len(main)
    found = reports(study)
    assert len(found) == 7
    assert all(report.tables for report in found.values())
    said = [note for report in found.values() for note in report.notes if note.startswith("Single trials left out")]
    assert len(said) >= 5, "every analysis of targets says what trimming took from each condition"
    assert all("high" in note and "low" in note for note in said)


def test_primes_are_exported_with_their_frames_and_flags(django_user_model: Any) -> None:
    study = simulated("masked-priming", 8, django_user_model)
    sessions = Counter((session.list_id, session.seed % 2) for session in Session.objects.all())
    assert set(sessions.values()) == {2}
    trials = study_data(study).frame
    main = trials[(trials["phase"] == "main") & (trials["plugin"] == "timed-choice")].set_index(["session", "position"])
    displays = study_data(study, "displays").frame
    primes = displays[(displays["kind"] == "prime") & (displays["phase"] == "main")].set_index(["session", "position"])
    assert len(primes) == 8 * 48
    assert set(primes["planned_ms"]) == {"50"}
    assert set(primes["frames"]) == {"3", "4"}
    assert (main["prime_flagged"] == primes["display_flagged"]).all()
    assert (primes["display_flagged"] == "true").sum() == (primes["frames"] == "4").sum() > 0

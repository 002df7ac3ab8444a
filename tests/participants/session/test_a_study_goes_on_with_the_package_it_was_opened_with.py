"""A paradigm of a package is frozen with the study: another version of it lets nobody start or go on."""

import pytest

from experiments.models import Study
from experiments.paradigms.packages import why_changed
from experiments.study.opening import opening_faults
from participants.refusals import Refusal
from participants.session.completing import open_session
from participants.session.starting import Consent, start_session
from tests.participants.studies import open_study

FROZEN = {"distribution": "lectern-sample-paradigm", "version": "1.0", "modules": {"sample-judgement": "0" * 64}}

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return open_study()


def consent(study: Study) -> Consent:
    version = study.texts.filter(kind="consent").order_by("-version").values_list("version", flat=True).first()
    boxes = study.texts.filter(kind="consent").order_by("-version").values_list("required_boxes", flat=True).first()
    return Consent(version=version or 0, required=(True,) * len(boxes or []))


def test_whoever_wants_to_start_or_go_on_is_told_to_come_back(study: Study) -> None:
    session, _ = start_session(study, start_key="first", consent=consent(study))
    Study.objects.update(packages={study.paradigm: FROZEN})
    study.refresh_from_db()
    with pytest.raises(Refusal, match="package-changed"):
        start_session(study, start_key="second", consent=consent(study))
    session.study = study
    with pytest.raises(Refusal, match="package-changed"):
        open_session(session, tab="a")


def test_a_study_of_the_platform_asks_nothing(study: Study) -> None:
    assert study.packages == {}
    session, _ = start_session(study, start_key="first", consent=consent(study))
    assert open_session(session, tab="a").trials


def test_the_sentence_names_the_version_to_install_and_opening_again_is_refused(study: Study) -> None:
    said = why_changed("rating", FROZEN)
    assert said is not None
    assert "Install lectern-sample-paradigm 1.0 again" in said
    study.packages = {study.paradigm: FROZEN}
    assert said in [fault.message for fault in opening_faults(study)]


def test_the_package_of_any_task_counts_and_not_only_that_of_the_first(study: Study) -> None:
    Study.objects.update(packages={"task-of-the-second-part": FROZEN})
    study.refresh_from_db()
    with pytest.raises(Refusal, match="package-changed"):
        start_session(study, start_key="first", consent=consent(study))
    assert "lectern-sample-paradigm 1.0" in " ".join(fault.message for fault in opening_faults(study))

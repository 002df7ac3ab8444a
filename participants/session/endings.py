"""Build a session's last page: text, completion code and the link back to the recruitment source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from experiments.models import Study
from experiments.rules.sources import COMPLETED, OVER_QUOTA, PARTICIPANT_ID, Return, sources_of
from participants.models import RecruitmentIdentity, Session
from participants.session.recruitment import Arrival, filled_link, parameter_names, stored_values
from participants.session.screening import screening_message

CLOSED_MEANWHILE = gettext_lazy("This study has been closed in the meantime. What you had answered by then is stored.")
HEADINGS = {
    "screened-out": gettext_lazy("Thank you – this study is not for you"),
    OVER_QUOTA: gettext_lazy("Thank you – enough people have taken part"),
    "failed-check": gettext_lazy("The study ends here"),
}
TEXTS = {
    "screened-out": gettext_lazy(
        "This study looks for people who answer some of the first questions in another way. There is nothing more to "
        "do. You can close this page."
    ),
    OVER_QUOTA: gettext_lazy(
        "While you answered the first questions, the last places were taken. There is nothing more to do. You can "
        "close this page."
    ),
    "failed-check": gettext_lazy(
        "The questions about the instructions were not answered as they have to be, so the study cannot go on. Please "
        "contact the person responsible if you have questions."
    ),
}


@dataclass(frozen=True)
class Ending:
    """The last page of an outcome. Empty `heading` and `text` mean those that the page has anyway.

    `advice` says what to do if the link back could not be filled in; `link` is then empty.
    """

    heading: str = ""
    text: str = ""
    link: str = ""
    code: str = ""
    advice: str = ""


def ending_of(session: Session, outcome: str = "") -> Ending:
    """Return the ending of a finished session, in the active language; optionally as if it had this outcome."""
    closed_at, finished_at = session.study.closed_at, session.finished_at
    if not outcome and session.outcome == OVER_QUOTA and closed_at and finished_at and finished_at >= closed_at:
        return ending_of_closed(session)
    recruitment: RecruitmentIdentity | None = getattr(session.participant, "recruitment", None)
    values = stored_values(recruitment)
    ended = outcome or session.outcome or COMPLETED
    said = "" if outcome else screening_message(session)
    return _ending(session.study, session.source, ended, values, said)


def ending_before_start(study: Study, arrival: Arrival, outcome: str) -> Ending:
    """Return the ending of a participant who does not start (`declined` or `over-quota`)."""
    given = _ending(study, arrival.name, outcome, arrival.values)
    # What the pages before the start say themselves fits better than that the first questions were answered.
    is_own = bool(_return(study, arrival.name, outcome).text)
    return Ending(text=given.text if is_own else "", link=given.link, code=given.code, advice=given.advice)


def ending_of_closed(session: Session) -> Ending:
    """Return the ending of a session that cannot go on because its study was closed: the way back of `over-quota`."""
    given = ending_of(session, OVER_QUOTA)
    return Ending(
        heading=_("This study is closed"),
        text="\n\n".join(
            filter(None, (str(CLOSED_MEANWHILE), _return(session.study, session.source, OVER_QUOTA).text))
        ),
        link=given.link,
        code=given.code,
        advice=given.advice,
    )


def code_of(study: Study, source: str, outcome: str) -> str:
    """Return the code that the last page of an outcome shows to people from this source."""
    return _return(study, source, outcome).code


def _return(study: Study, source: str, outcome: str) -> Return:
    named = next((each for each in sources_of(study.sources) if each.name == source), None)
    if named is not None:
        return named.outcomes.get(outcome, Return())
    if outcome != COMPLETED:
        return Return()
    conduct = study.conduct
    return Return(link=str(conduct.get("redirect_url") or ""), code=str(conduct.get("completion_code") or ""))


def _ending(study: Study, source: str, outcome: str, values: Mapping[str, str], said: str = "") -> Ending:
    """Return the ending of an outcome; `said`: what a rule of screening says itself, before the text of the source."""
    stated = _return(study, source, outcome)
    # The general return link has always left what nobody can know empty, but for who somebody is.
    is_named = any(each.name == source for each in sources_of(study.sources))
    needed = None if is_named else [*parameter_names(study), PARTICIPANT_ID]
    link = filled_link(stated.link, values, needed=needed)
    advice = ""
    if stated.link and not link:
        advice = (
            _(
                "We cannot lead you back by a link, because your own link did not tell us who you are. Please go back "
                "to the page on which you found the study and enter the code there."
            )
            if stated.code
            else _(
                "We cannot lead you back by a link, because your own link did not tell us who you are. Please go back "
                "to the page on which you found the study, and write to the address below if anything is missing there."
            )
        )
    return Ending(
        heading=str(HEADINGS.get(outcome, "")),
        text="\n\n".join(text for text in (said, stated.text) if text) or str(TEXTS.get(outcome, "")),
        link=link,
        code=stated.code,
        advice=advice,
    )

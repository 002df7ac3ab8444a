"""List the server's texts on participants' pages, with the keys by which a study may replace them.

The originals are the English texts in the code; translations are in `config/locale`. A test compares this list with the
code. As in the browser's texts, `{1}`, `{2}` are placeholders, in the order of the English text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from babel import Locale
from django.utils import translation

from experiments.languages import LANGUAGES

# Texts with singular and plural are pairs.
Original = str | tuple[str, str]

SERVER_TEXTS: Mapping[str, Original] = {
    "start.goOn": "You have begun this study on this computer. Your answers are saved; you can go on where you were.",
    "start.takenPart": (
        "You have already taken part in this study on this computer. Thank you. The last page with your codes"
        " is still there."
    ),
    "start.language": "Language",
    "start.continue": "Continue",
    "start.lastPage": "Show the last page",
    "start.needsComputer": "You seem to be on a telephone or a tablet, with which this study cannot be done. It needs:",
    "start.openOnComputer": "Please open its link on a computer.",
    "start.duration": "Duration",
    "start.minutes": ("about %(minutes)s minute", "about %(minutes)s minutes"),
    "start.median": "median of earlier participants",
    "start.youNeed": "You need",
    "start.keyboard": "a keyboard",
    "start.pointer": "a mouse or another pointer",
    "start.wideScreen": "a computer with a wide screen, not a telephone",
    "start.quietPlace": "a quiet place",
    "start.responsible": "Responsible",
    "start.questions": "Questions",
    "start.needsJavaScript": (
        "This study runs in your browser and needs JavaScript. Please switch it on for this page and load the"
        " page again."
    ),
    "start.somebodyElse": "Somebody else wants to take part on this computer",
    "start.check": "Is this computer suitable?",
    "start.contact": "Responsible for this study: %(responsible)s. Questions: %(contact)s",
    "consent.heading": "Your consent",
    "consent.dataProtection": "Data protection",
    "consent.tick": "Please tick what you agree to",
    "consent.optional": "optional",
    "consent.version": "Version %(version)s of this text. Your agreement is stored with it.",
    "consent.sessionCode": "Session code",
    "consent.fromExperimenter": "The experimenter gives it to you.",
    "consent.agree": "I agree and start",
    "consent.decline": "I do not want to take part",
    "consent.declinedHeading": "That is fine",
    "consent.declined": (
        "You do not take part, and nothing about you was stored. You can close this window. Thank you for your time."
    ),
    "ending.code": "Code for the page from which you came",
    "ending.back": "Back to where you came from",
    "ending.screenedOutHeading": "Thank you – this study is not for you",
    "ending.screenedOut": (
        "This study looks for people who answer some of the first questions in another way. There is nothing "
        "more to do. You can close this page."
    ),
    "ending.overQuotaHeading": "Thank you – enough people have taken part",
    "ending.overQuota": (
        "While you answered the first questions, the last places were taken. There is nothing more to do. You"
        " can close this page."
    ),
    "ending.failedCheckHeading": "The study ends here",
    "ending.failedCheck": (
        "The questions about the instructions were not answered as they have to be, so the study cannot go "
        "on. Please contact the person responsible if you have questions."
    ),
    "ending.noLinkButCode": (
        "We cannot lead you back by a link, because your own link did not tell us who you are. Please go back"
        " to the page on which you found the study and enter the code there."
    ),
    "ending.noLink": (
        "We cannot lead you back by a link, because your own link did not tell us who you are. Please go back"
        " to the page on which you found the study, and write to the address below if anything is missing "
        "there."
    ),
    "resume.heading": "Continue on this device",
    "resume.lastPage": "To see your last page on this device, type your resume code.",
    "resume.code": "Resume code",
    "resume.codeHelp": (
        "Two groups of five letters and digits. Capitals and hyphens do not matter. The study shows the code "
        "from the start, in its breaks and on its last page."
    ),
    "resume.noCode": (
        "If you do not have the code, open the study on the device on which you began: its first page shows "
        "it. Or write to the person responsible, who can give you a new code."
    ),
    "resume.thisCode": "To continue on another device, use this resume code:",
    "resume.fromElsewhere": "Continue with a resume code from another device",
    "resume.needed": (
        "You have begun this study on another device or in another browser. Go on there, or use your resume code."
    ),
    "resume.unknownCode": "There is no session with this resume code. Please check it; nothing was changed.",
    "resume.tooMany": (
        "Too many attempts have come from your network. Please try again in a minute; nothing was changed."
    ),
    "resume.oneMoment": "One moment",
    "withdrawal.title": "Withdraw",
    "withdrawal.heading": "Withdraw from the study",
    "withdrawal.lead": (
        "With your withdrawal code, you can have everything erased that was stored about you in “%(title)s”. You "
        "do not have to say why. The code was on the last page of the study."
    ),
    "withdrawal.code": "Withdrawal code",
    "withdrawal.codeHelp": "Seven groups of letters and digits. Capitals and hyphens do not matter.",
    "withdrawal.nothingYet": "Nothing is erased yet: the next page first shows what would be lost.",
    "withdrawal.eraseHeading": "Erase everything?",
    "withdrawal.willBeErased": "This will be erased permanently:",
    "withdrawal.answers": ("%(number)s answer, with its times", "%(number)s answers, with their times"),
    "withdrawal.records": "records of what your browser reported while you answered",
    "withdrawal.unusable": ("%(number)s answer that could not be used", "%(number)s answers that could not be used"),
    "withdrawal.errors": "reports of errors in your browser",
    "withdrawal.recruitmentId": "the id under which the recruitment service knows you",
    "withdrawal.consent": "the record of your consent, and your pseudonym",
    "withdrawal.finished": (
        "You finished the study; your answers will no longer be part of its results. Results that have been "
        "published already cannot be called back."
    ),
    "withdrawal.unfinished": "You have not finished the study; it cannot be continued afterwards.",
    "withdrawal.erase": "Erase everything",
    "withdrawal.keep": "Keep everything",
    "withdrawal.erasedTitle": "Erased",
    "withdrawal.erasedHeading": "Everything was erased",
    "withdrawal.erased": (
        "Nothing about you is stored in this study any more, except that somebody withdrew. You can close this window."
    ),
    "withdrawal.unknownCode": (
        "There is no participant with this code in this study. Please check the code; nothing was changed."
    ),
    "withdrawal.tooManyCodes": "Too many codes were tried within a minute. Nothing was changed; please wait a little.",
    "closed.notOpenHeading": "This study is not open yet",
    "closed.notOpen": "This study is not open yet. Please come back later, with the same link.",
    "closed.closedHeading": "This study is closed",
    "closed.closed": "This study is closed: it takes no more participants. Nothing was stored.",
    "closed.pausedHeading": "This study is paused",
    "closed.paused": "This study is paused. Please come back later, with the same link.",
    "closed.fullHeading": "This study is full",
    "closed.full": "Enough people have taken part in this study. Thank you for your interest; nothing was stored.",
    "closed.linkHeading": "Your link is not complete",
    "closed.link": (
        "Your link is not complete: what should tell us who you are (%(parameter)s) is missing from it. "
        "Please go back to the page on which you found the link and open it from there. Nothing was stored."
    ),
    "closed.keptOutHeading": "Thank you for your interest",
    "closed.keptOut": (
        "You have taken part in an earlier study that asked similar questions, and this one is for people who have "
        "not seen them. Thank you for your interest; nothing was stored."
    ),
    "closed.notAmongThem": (
        "This study is for people who completed an earlier one, and we could not find you among them. If you did, "
        "open the link exactly as you received it, or write to the address below. Nothing was stored."
    ),
    "closed.thankYou": "Thank you",
    "closed.takenPart": (
        "You have already taken part in this study. Your answers are stored; there is nothing more to do."
    ),
    "refusals.noMaterials": "This study has no materials yet. Please tell the person who sent you the link.",
    "refusals.noSession": "There is no session here. Please open the link of the study again.",
    "refusals.packageChanged": (
        "This study cannot go on at the moment. What you have answered is stored. Please come back later."
    ),
    "refusals.otherParticipant": (
        "Somebody else has begun the study in this browser meanwhile. Your answers are kept in the browser."
    ),
    "refusals.noFeedback": "There is no feedback here. Nothing was lost; please go on.",
    "refusals.otherWindow": (
        "This study is open in another window or on another device. Go on there, or take over here."
    ),
    "refusals.oneGo": (
        "This study is open in another window or on another device, and it has to be done in one go. Please go "
        "on there. Your answers are saved."
    ),
    "refusals.closedMeanwhile": "This study has been closed in the meantime. What you had answered by then is stored.",
    "refusals.consentChanged": (
        "The consent text has changed since you opened this page. Please load the page again and read it."
    ),
    "refusals.tickAll": "Please tick every required statement before you start.",
    "refusals.sessionCode": (
        "This session code is not valid. Nothing was stored. Please ask the experimenter for a code."
    ),
    "refusals.noExperimenter": "This study has no experimenter who could end a pause.",
    "refusals.experimenterCode": "This is not the code of the experimenter. The session stays paused.",
    "refusals.notStored": "The answers could not be stored at the moment. They are kept in the browser and sent again.",
    "refusals.tooLarge": "This is more than 256 kB at once. Nothing of it was stored; send it in smaller batches.",
    "refusals.invalid": "The request is not complete or not valid. Nothing was stored.",
    "refusals.malformed": "The request is not a JSON object of the expected shape. Nothing was stored.",
    "refusals.notJson": "Only JSON is accepted here. Nothing was stored.",
    "refusals.tooMany": "Too many requests within a minute. Nothing was stored; please wait a little.",
    "refusals.notAllowed": "Only researchers of the study can do this.",
    "refusals.refused": "This is not possible here. Nothing was stored.",
}
SECTIONS = tuple(dict.fromkeys(key.partition(".")[0] for key in SERVER_TEXTS))
_VALUE = re.compile(r"%\((\w+)\)s")
_COUNTS = range(201)


@cache
def server_texts(tag: str) -> Mapping[str, Mapping[str, str]]:
    """Return the server's texts in a language by their keys, each in its forms, as `interface_texts` does.

    Raises LookupError for a language that the platform does not have.
    """
    if tag not in LANGUAGES:
        raise LookupError(f"There is no language '{tag}'.")
    with translation.override(tag):
        return {key: _forms(original, tag) for key, original in SERVER_TEXTS.items()}


def is_of_server(place: str) -> bool:
    """Return whether a key of a wording, with a form for counts or without, is that of a text of the server.

    >>> is_of_server("start.minutes.one"), is_of_server("pages.next")
    (True, False)
    """
    return place.partition(".")[0] in SECTIONS


def values_of(original: Original) -> list[str]:
    """Return the names of the values of a text, in the order in which `{1}`, `{2}` stand for them.

    >>> values_of("Responsible: %(responsible)s. Questions: %(contact)s")
    ['responsible', 'contact']
    """
    return list(dict.fromkeys(_VALUE.findall(original if isinstance(original, str) else original[1])))


def _forms(original: Original, tag: str) -> Mapping[str, str]:
    values = values_of(original)
    if isinstance(original, str):
        return {"": _with_places(translation.gettext(original), values)}
    rule = Locale.parse(tag).plural_form
    found: dict[str, str] = {}
    for count in _COUNTS:
        form = rule(count)
        if form not in found:
            found[form] = _with_places(translation.ngettext(*original, count), values)
    found.setdefault("other", _with_places(translation.ngettext(*original, _COUNTS[-1]), values))
    order = ("zero", "one", "two", "few", "many", "other")
    return {form: found[form] for form in order if form in found}


def _with_places(text: str, values: list[str]) -> str:
    return _VALUE.sub(lambda match: f"{{{values.index(match[1]) + 1}}}", text)

"""Languages of participants' pages. Each is a line here, one file of texts for the browser and one for the server.

The browser's texts are `frontend/src/languages/<tag>.json`, the server's `config/locale/<tag>/LC_MESSAGES/django.po`; a
test holds both to the English ones. `docs/languages.md` says how a language is added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from babel import Locale, UnknownLocaleError
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from experiments.sentences import Sentence

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


# The parameter of an address that chooses among the languages of a study.
PARAMETER = "lang"


@dataclass(frozen=True)
class Language:
    """A language of participants' pages.

    `about_you` is the default heading of questions. `is_read`: a native speaker has read the texts.
    `has_texts`: there are welcome, consent, instructions and debriefing texts; otherwise a study begins with English
    ones.
    """

    tag: str
    label: _StrPromise
    own_name: str
    about_you: str
    is_read: bool = False
    has_texts: bool = False


LANGUAGES = {
    language.tag: language
    for language in (
        Language("en", gettext_lazy("English"), "English", "About you", is_read=True, has_texts=True),
        Language("de", gettext_lazy("German"), "Deutsch", "Über Sie", is_read=True, has_texts=True),
        Language("es", gettext_lazy("Spanish"), "español", "Sobre usted", has_texts=True),
        Language("ar", gettext_lazy("Arabic"), "العربية", "معلومات عنك", has_texts=True),
        Language("fr", gettext_lazy("French"), "français", "À propos de vous", has_texts=True),
        Language("he", gettext_lazy("Hebrew"), "עברית", "עליכם", has_texts=True),
        Language("it", gettext_lazy("Italian"), "italiano", "Su di Lei", has_texts=True),
        Language("nl", gettext_lazy("Dutch"), "Nederlands", "Over u", has_texts=True),
        Language("pl", gettext_lazy("Polish"), "polski", "O Panu/Pani", has_texts=True),
        Language("pt", gettext_lazy("Portuguese"), "português", "Sobre você", has_texts=True),
        Language("tr", gettext_lazy("Turkish"), "Türkçe", "Hakkınızda", has_texts=True),
        Language("zh", gettext_lazy("Chinese"), "中文", "关于您", has_texts=True),
        Language("cs", gettext_lazy("Czech"), "čeština", "O vás", has_texts=True),
        Language("el", gettext_lazy("Greek"), "ελληνικά", "Σχετικά με εσάς", has_texts=True),
        Language("hi", gettext_lazy("Hindi"), "हिन्दी", "आपके बारे में", has_texts=True),
        Language("hu", gettext_lazy("Hungarian"), "magyar", "Önről", has_texts=True),
        Language("ja", gettext_lazy("Japanese"), "日本語", "あなたについて", has_texts=True),
        Language("ko", gettext_lazy("Korean"), "한국어", "참가자 정보", has_texts=True),
        Language("ru", gettext_lazy("Russian"), "русский", "О вас", has_texts=True),
        Language("sv", gettext_lazy("Swedish"), "svenska", "Om dig", has_texts=True),
    )
}


def language_choices() -> list[tuple[str, str]]:
    """Return the languages to choose from: tag and name, with a remark if no native speaker has read the texts.

    >>> language_choices()[1]
    ('de', 'German')
    """
    return [(language.tag, _named(language)) for language in LANGUAGES.values()]


def _named(language: Language) -> str:
    if language.is_read:
        return str(language.label)
    said = _("not yet read by a native speaker")
    return f"{language.label} ({language.own_name}) – {said}"


def name_of(tag: str) -> str:
    """Return the name of a language, or the tag itself if it is unknown.

    >>> name_of("de"), name_of("sw"), name_of("xx")
    ('German', 'Swahili', 'xx')
    """
    if tag in LANGUAGES:
        return str(LANGUAGES[tag].label)
    try:
        return Locale.parse(tag, sep="-").get_display_name(Locale.parse(get_language() or "en", sep="-")) or tag
    except (UnknownLocaleError, ValueError):
        return tag


def own_name_of(tag: str) -> str:
    """Return the name of a language in that language, or the tag itself if it is unknown.

    >>> own_name_of("de"), own_name_of("sw"), own_name_of("xx")
    ('Deutsch', 'Kiswahili', 'xx')
    """
    if tag in LANGUAGES:
        return LANGUAGES[tag].own_name
    try:
        return Locale.parse(tag, sep="-").get_display_name() or tag
    except (UnknownLocaleError, ValueError):
        return tag


def language_of_texts(tag: str) -> str:
    """Return the language of the default texts, questions and scales of a study in this language.

    >>> language_of_texts("de"), language_of_texts("xx")
    ('de', 'en')
    """
    return tag if tag in LANGUAGES and LANGUAGES[tag].has_texts else "en"


def in_language(said: Any) -> Any:
    """Translate a sentence into the language of the page; return anything else unchanged.

    Templates do this themselves; messages and refusals stored for the next page need it.

    >>> in_language(Sentence("There is no column '{name}'.", name="txt")), in_language(3)
    ("There is no column 'txt'.", 3)
    """
    if not isinstance(said, Sentence):
        return said
    text = ngettext(said.texts[0], said.texts[1], said.values["n"]) if len(said.texts) > 1 else _(said.texts[0])
    return text.format(**{name: in_language(value) for name, value in said.values.items()})

"""Templates of rating questions, by the language of the participants. Pure but for their names, which pages translate.

What a study asks is chosen from them and then belongs to the study: it may be changed like any other question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from experiments.paradigms.pieces.rating_questions.rules import USUAL_POINTS, RatingQuestion, complete_rating_question


@dataclass(frozen=True)
class QuestionTemplate:
    """Questions that are added by one click, in every language in which there are texts; English is one of them."""

    slug: str
    label: Any
    questions: Mapping[str, Sequence[RatingQuestion]]

    def questions_in(self, language: str) -> list[RatingQuestion]:
        """Return the questions in a language, in English where there are none."""
        return [dict(question) for question in self.questions.get(language, self.questions["en"])]


def template_questions(slug: str, language: str) -> list[RatingQuestion]:
    """Return the questions of a template. Raises LookupError where there is no such template.

    >>> [question["name"] for question in template_questions("valence-and-arousal", "de")]
    ['valence', 'arousal']
    """
    found = next((template for template in TEMPLATES if template.slug == slug), None)
    if found is None:
        raise LookupError(f"There is no template '{slug}'. Known are: {', '.join(one.slug for one in TEMPLATES)}.")
    return found.questions_in(language)


def _scale(name: str, points: int, *texts: str) -> RatingQuestion:
    text, *labels = texts
    return complete_rating_question({"name": name, "text": text, "kind": "scale", "points": points, "labels": labels})


def _scales(questions: Sequence[tuple[str, str]], low: str, high: str) -> tuple[RatingQuestion, ...]:
    return tuple(_scale(name, USUAL_POINTS, text, low, high) for name, text in questions)


def _magnitudes(questions: Sequence[tuple[str, str]]) -> tuple[RatingQuestion, ...]:
    return tuple(
        complete_rating_question({"name": name, "text": text, "kind": "magnitude"}) for name, text in questions
    )


def _one_scale(name: str, points: int, **texts: tuple[str, str, str]) -> dict[str, tuple[RatingQuestion, ...]]:
    """Return one question by language, of its text and the labels of the lowest and the highest point."""
    return {language: (_scale(name, points, *said),) for language, said in texts.items()}


# The five aspects of Pitler, Louis & Nenkova (2010), section 2, each from 1 to 5, 5 being the best.
LINGUISTIC_QUALITY: Mapping[str, tuple[RatingQuestion, ...]] = {
    "en": _scales(
        (
            ("grammaticality", "Is the text free of grammatical errors and sentences that are hard to read?"),
            ("non_redundancy", "Does the text say everything once, without needless repetition?"),
            ("referential_clarity", "Is it always clear who or what a name, a noun or a pronoun stands for?"),
            ("focus", "Does the text stay with its topic, every sentence adding to the whole?"),
            ("structure", "Is the text well organised, so that one sentence leads to the next?"),
        ),
        "very poor",
        "very good",
    ),
    "de": _scales(
        (
            ("grammaticality", "Ist der Text frei von Grammatikfehlern und schwer lesbaren Sätzen?"),
            ("non_redundancy", "Sagt der Text alles nur einmal, ohne unnötige Wiederholungen?"),
            ("referential_clarity", "Ist immer klar, für wen oder was ein Name, ein Nomen oder ein Pronomen steht?"),
            ("focus", "Bleibt der Text bei seinem Thema, und trägt jeder Satz zum Ganzen bei?"),
            ("structure", "Ist der Text gut aufgebaut, sodass ein Satz zum nächsten führt?"),
        ),
        "sehr schlecht",
        "sehr gut",
    ),
}

# The two questions of Zarrieß, Loth & Schlangen (2015), section 5, by magnitude estimation without a modulus.
FLUENCY_AND_CLARITY: Mapping[str, tuple[RatingQuestion, ...]] = {
    "en": _magnitudes(
        (
            ("fluency", "How well does the text read? Is its language correct?"),
            ("clarity", "How clear and easy to understand is what the text says?"),
        )
    ),
    "de": _magnitudes(
        (
            ("fluency", "Wie gut liest sich der Text? Ist er sprachlich richtig?"),
            ("clarity", "Wie klar und verständlich ist, was der Text sagt?"),
        )
    ),
}

# Seven points with labelled ends, as in Sprouse, Schütze & Almeida (2013).
ACCEPTABILITY = _one_scale(
    "acceptability",
    7,
    en=("How acceptable is this sentence?", "not acceptable at all", "fully acceptable"),
    de=("Wie akzeptabel ist dieser Satz?", "gar nicht akzeptabel", "völlig akzeptabel"),
    es=("¿Qué tan aceptable es esta oración?", "nada aceptable", "totalmente aceptable"),
    ar=("ما مدى مقبولية هذه الجملة؟", "غير مقبولة إطلاقًا", "مقبولة تمامًا"),
    fr=("Cette phrase est-elle acceptable ?", "pas du tout acceptable", "tout à fait acceptable"),
    he=("עד כמה המשפט הזה קביל?", "לא קביל כלל", "קביל לגמרי"),
    it=("Quanto è accettabile questa frase?", "per niente accettabile", "del tutto accettabile"),
    nl=("Hoe acceptabel is deze zin?", "helemaal niet acceptabel", "volledig acceptabel"),
    pl=("Na ile to zdanie jest akceptowalne?", "zupełnie nieakceptowalne", "w pełni akceptowalne"),
    pt=("Quão aceitável é esta frase?", "nada aceitável", "totalmente aceitável"),
    tr=("Bu cümle ne kadar kabul edilebilir?", "hiç kabul edilemez", "tamamen kabul edilebilir"),
    zh=("这个句子的可接受程度如何?", "完全不可接受", "完全可接受"),
    cs=("Nakolik je tato věta přijatelná?", "zcela nepřijatelná", "zcela přijatelná"),
    el=("Πόσο αποδεκτή είναι αυτή η πρόταση;", "καθόλου αποδεκτή", "απόλυτα αποδεκτή"),
    hi=("यह वाक्य कितना स्वीकार्य है?", "बिल्कुल स्वीकार्य नहीं", "पूरी तरह स्वीकार्य"),
    hu=("Mennyire elfogadható ez a mondat?", "egyáltalán nem elfogadható", "teljesen elfogadható"),
    ja=("この文はどのくらい容認できますか。", "まったく容認できない", "完全に容認できる"),
    ko=("이 문장은 얼마나 받아들일 수 있습니까?", "전혀 받아들일 수 없음", "완전히 받아들일 수 있음"),
    ru=("Насколько приемлемо это предложение?", "совсем неприемлемо", "полностью приемлемо"),
    sv=("Hur acceptabel är den här meningen?", "inte alls acceptabel", "helt acceptabel"),
)
NATURALNESS = _one_scale(
    "naturalness",
    7,
    en=("How natural does this sentence sound?", "very unnatural", "very natural"),
    de=("Wie natürlich klingt dieser Satz?", "sehr unnatürlich", "sehr natürlich"),
)
PLAUSIBILITY = _one_scale(
    "plausibility",
    7,
    en=("How plausible is what the text says?", "very implausible", "very plausible"),
    de=("Wie plausibel ist, was der Text sagt?", "sehr unplausibel", "sehr plausibel"),
)
COMPREHENSIBILITY = _one_scale(
    "comprehensibility",
    7,
    en=("How easy is it to understand the text?", "very hard", "very easy"),
    de=("Wie leicht ist der Text zu verstehen?", "sehr schwer", "sehr leicht"),
)
# Nine points, as in Warriner, Kuperman & Brysbaert (2013).
VALENCE_AND_AROUSAL = {
    "en": (
        _scale("valence", 9, "How unpleasant or pleasant do you find it?", "very unpleasant", "very pleasant"),
        _scale("arousal", 9, "How calm or excited does it make you?", "very calm", "very excited"),
    ),
    "de": (
        _scale("valence", 9, "Wie unangenehm oder angenehm finden Sie das?", "sehr unangenehm", "sehr angenehm"),
        _scale("arousal", 9, "Wie ruhig oder aufgeregt macht Sie das?", "sehr ruhig", "sehr aufgeregt"),
    ),
}
FAMILIARITY = _one_scale(
    "familiarity",
    7,
    en=("How familiar is this to you?", "not familiar at all", "very familiar"),
    de=("Wie vertraut ist Ihnen das?", "gar nicht vertraut", "sehr vertraut"),
)
# Five points, as in Brysbaert, Warriner & Kuperman (2014).
CONCRETENESS = _one_scale(
    "concreteness",
    5,
    en=("How abstract or concrete is what the word means?", "abstract", "concrete"),
    de=("Wie abstrakt oder konkret ist, was das Wort bedeutet?", "abstrakt", "konkret"),
)
# Five points, as in Snodgrass & Vanderwart (1980).
IMAGE_AGREEMENT = _one_scale(
    "image_agreement",
    5,
    en=("How well does the picture match what you imagined?", "not at all", "very well"),
    de=("Wie gut passt das Bild zu dem, was Sie sich vorgestellt haben?", "gar nicht", "sehr gut"),
)

TEMPLATES = (
    QuestionTemplate("acceptability", _("Acceptability"), ACCEPTABILITY),
    QuestionTemplate("naturalness", _("Naturalness"), NATURALNESS),
    QuestionTemplate("plausibility", _("Plausibility"), PLAUSIBILITY),
    QuestionTemplate("comprehensibility", _("Comprehensibility"), COMPREHENSIBILITY),
    QuestionTemplate("quality", _("Linguistic quality (five questions)"), LINGUISTIC_QUALITY),
    QuestionTemplate("fluency-and-clarity", _("Fluency and clarity (any number)"), FLUENCY_AND_CLARITY),
    QuestionTemplate("valence-and-arousal", _("Valence and arousal"), VALENCE_AND_AROUSAL),
    QuestionTemplate("familiarity", _("Familiarity"), FAMILIARITY),
    QuestionTemplate("concreteness", _("Concreteness"), CONCRETENESS),
    QuestionTemplate("image-agreement", _("Image agreement"), IMAGE_AGREEMENT),
)

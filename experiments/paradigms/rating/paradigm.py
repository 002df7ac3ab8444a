"""Rating paradigm: one or more texts on a page, with any number of rating questions about each.

Source of the default questions: Pitler, Louis & Nenkova (2010), section 2. The procedure decides whether a participant
sees one or all systems (conditions) of an item; a page shows one text, or all of the session's texts of an item side by
side. Texts side by side are rated in turn, one trial each, so that every rating is a row with its own condition.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from experiments.design.orders.conditions import balanced_orders
from experiments.paradigms.base import (
    LongTable,
    Measure,
    Paradigm,
    ShownStimulus,
    StimulusColumn,
    SuggestedAnalysis,
    TaskSentences,
    TrialPlan,
    VirtualParticipant,
    shown_kind,
)
from experiments.paradigms.pieces.displays import (
    EARLY_PRESSES,
    EARLY_PRESSES_TOTAL,
    early_field,
    early_measure,
    early_of,
    early_total,
)
from experiments.paradigms.pieces.error_spans import MARKED_WORDS, SPANS, span_rows, spans_question, words_to_mark
from experiments.paradigms.pieces.fields import break_every_field
from experiments.paradigms.pieces.media import (
    DELAY_COLUMN,
    MEDIA_COLUMNS,
    SOUND_RESPONSES,
    VIDEO_MEASURES,
    MediaPayload,
    delay_faults,
    headphones_check_field,
    measured_media,
    media_measures,
    media_params,
    simulated_media,
    sound_check_field,
    sound_check_trials,
    sound_field,
)
from experiments.paradigms.pieces.named_effects import level_effect, spread
from experiments.paradigms.pieces.places import Place, main_trials, places_of
from experiments.paradigms.pieces.rating_questions import (
    ERROR_SPANS,
    KINDS_WITH_SPANS,
    LINGUISTIC_QUALITY,
    RatingQuestion,
    facts_of_questions,
    number_of_question,
)
from experiments.paradigms.pieces.rating_questions_field import RatingQuestionsField
from experiments.paradigms.pieces.ratings import RatingsField, SimulatedRater, measured_ratings, rating_measures
from experiments.paradigms.pieces.shared_pages import BREAK_MEASURE, SHARED_RESPONSES, measured_break
from experiments.paradigms.pieces.simulated import SimulatedParticipant
from experiments.paradigms.suggested import about_a_question, first_ones_first
from experiments.sentences import Sentence

PLUGIN = "rating"
SIDE_BY_SIDE = "side-by-side"

# In standard deviations of goodness.
CONDITION_EFFECT = 1.0
ITEM_EFFECT = 0.4

OWN_MEASURES = (
    Measure("texts_shown", "integer", "How many texts stood on the page, the rated one included.", "texts"),
    Measure("text_place", "integer", "Place of the rated text among them, from the left or the top, counted from 1."),
    BREAK_MEASURE,
    EARLY_PRESSES,
)


class RatingSettings(forms.Form):
    """Settings of a rating study."""

    folded = ((_("Sounds"), ("sound", "sound_check", "headphones_check")),)

    questions = RatingQuestionsField(
        label=_("Questions about each text"),
        initial=list(LINGUISTIC_QUALITY["en"]),
        required=False,
        taken=[measure.name for measure in OWN_MEASURES],
        kinds=KINDS_WITH_SPANS,
        help_text=_("The name of a question becomes a column of the data. Columns with its times follow."),
    )
    # The form takes a draft without any; the study does not open without one.
    questions.needed_to_open = True  # type: ignore[attr-defined]
    layout = forms.ChoiceField(
        label=_("The questions are asked"),
        choices=[("together", _("all on one page")), ("one-by-one", _("one after the other"))],
        initial="together",
        help_text=_("The text stays above them. If the questions come one after the other, each has its own onset."),
    )
    presentation = forms.ChoiceField(
        label=_("A page shows"),
        choices=[("one", _("one text")), (SIDE_BY_SIDE, _("all texts of an item, rated in turn"))],
        initial="one",
        help_text=_(
            "To show all texts side by side, choose “Everybody sees an item in every condition” below. Their "
            "order is random and balanced; the data contain it."
        ),
    )
    break_every = break_every_field(
        _("Break after every … pages"), 20, _("0 means no breaks. There is none after the last page.")
    )
    sound = sound_field()
    sound_check = sound_check_field()
    headphones_check = headphones_check_field()


class Rated(MediaPayload):
    """The answers to all questions about one text."""

    ratings = RatingsField()
    early = early_field()


class Rating(Paradigm):
    """Ratings of texts; see the module."""

    slug = "rating"
    label = "Rating study"
    summary = (
        "Participants answer questions about texts on scales, with sliders or with free numbers, or mark errors "
        "in the texts. Everybody can see several systems with the same input, side by side or one at a time, or "
        "each group can see one of them."
    )
    stimulus_columns = (
        StimulusColumn(
            "context", "What is shown above the text, such as the input from which it was made. May be empty."
        ),
        DELAY_COLUMN,
    )
    has_looks = True
    settings_form = RatingSettings
    media_columns = MEDIA_COLUMNS
    measures_of_media: ClassVar = {"video": VIDEO_MEASURES}
    responses = {PLUGIN: Rated, **SHARED_RESPONSES, **SOUND_RESPONSES}
    measures = (*rating_measures(LINGUISTIC_QUALITY["en"]), *OWN_MEASURES)
    seconds_per_trial = 30.0

    def sentences_for(self, settings: Mapping[str, Any], shown: Collection[str]) -> TaskSentences:
        number = "several" if len(settings["questions"]) > 1 else "one"
        ask = ("alone", "sounds") if "sounds" in shown else ("alone",)
        return TaskSentences(f"{shown_kind(shown, 'pictures', 'sounds')}_{number}", ("answers",), ask)

    def settings_of_new_task(self, language: str) -> dict[str, Any]:
        """Return settings without any question: what is asked is chosen. Drafts without settings have the defaults."""
        return {"questions": []}

    def opening_faults(self, settings: Mapping[str, Any]) -> list[str]:
        if questions_of(settings):
            return []
        return [
            Sentence(
                "There are no questions about the texts yet. Choose a template on the page Procedure, or write "
                "your own."
            )
        ]

    def facts_for_texts(self, settings: Mapping[str, Any], key_name: Callable[[str], str]) -> dict[str, Any]:
        return facts_of_questions(settings["questions"])

    def measures_of(self, settings: Mapping[str, Any]) -> tuple[Measure, ...]:
        return (*rating_measures(questions_of(settings)), *OWN_MEASURES, *media_measures(settings))

    def long_tables_of(self, settings: Mapping[str, Any]) -> tuple[LongTable, ...]:
        return () if spans_question(questions_of(settings)) is None else (SPANS, MARKED_WORDS)

    def long_rows(
        self, table: str, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        return span_rows(table, params, payload)

    def stimulus_faults(self, text: str, extra: Mapping[str, str]) -> list[tuple[str, str]]:
        return delay_faults(extra)

    def text_faults(self, text: str, extra: Mapping[str, Any], settings: Mapping[str, Any]) -> list[str]:
        if text.strip() or spans_question(questions_of(settings)) is None:
            return []
        return [
            Sentence(
                "There is no text in which people could mark errors. Write one, or delete the question about "
                "error spans."
            )
        ]

    def opening_warnings(self, settings: Mapping[str, Any], *, conditions: str) -> list[str]:
        if settings["presentation"] == SIDE_BY_SIDE and conditions != "all":
            return [
                str(
                    _(
                        "The texts should be side by side, but everybody sees an item in only one condition. "
                        "Every page then shows one text, and there is nothing to compare. Let everybody see an "
                        "item in every condition, or show one text per page."
                    )
                )
            ]
        return []

    def arrangement_faults(self, settings: Mapping[str, Any], arranged: Sequence[str]) -> list[str]:
        # A page takes the texts of its item from wherever they were.
        if settings["presentation"] != SIDE_BY_SIDE or set(arranged) <= {"block_by", "mix_fillers"}:
            return []
        return [
            Sentence(
                "Texts side by side share a page. They cannot follow the order of the materials, form chains, "
                "keep a distance or repeat. Show one text per page, or remove the rule."
            )
        ]

    def judgements_of(self, settings: Mapping[str, Any]) -> Mapping[str, bool]:
        return {
            question["name"]: question["kind"] == "magnitude"
            for question in questions_of(settings)
            if question["kind"] != ERROR_SPANS or question["score"]
        }

    def timeline(
        self, shown: Sequence[ShownStimulus], settings: Mapping[str, Any], rng: random.Random
    ) -> list[TrialPlan]:
        pages = [[stimulus] for stimulus in shown]
        if settings["presentation"] == SIDE_BY_SIDE:
            pages = _pages_of_items(shown, rng)
        trials: list[TrialPlan] = sound_check_trials(settings, rng)
        for page, place in zip(pages, places_of(page[0] for page in pages), strict=True):
            trials += _trials(page, settings, place)
            trials += place.break_after(settings["break_every"])
        return trials

    def measure(
        self, params: Mapping[str, Any], payload: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        if "ratings" not in payload:
            return {**measured_break(payload), **measured_media(params, payload)}
        return {
            **measured_ratings(params["questions"], payload["ratings"]),
            "texts_shown": len(params["texts"]),
            "text_place": params["active"] + 1,
            **early_measure(early_of(payload)),
            **measured_media(params, payload),
        }

    def quality(self, answered: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, Any]:
        main = main_trials(answered, PLUGIN)
        rated = [(params, payload["ratings"]) for params, payload in main]
        given: dict[str, list[float]] = {}
        for _params, ratings in rated:
            for name, answer in ratings.items():
                if answer["rating"] is not None:
                    given.setdefault(name, []).append(answer["rating"])
        n_given = sum(map(len, given.values()))
        asked = sum(_asks_for_a_number(params, name) for params, ratings in rated for name in ratings)
        most = sum(max(map(numbers.count, set(numbers))) for numbers in given.values())
        return {
            "modal_share": most / n_given if n_given else None,
            "ratings_left_out": asked - n_given,
            EARLY_PRESSES_TOTAL.name: early_total(early_of(payload) for _params, payload in main),
        }

    def quality_measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                "modal_share",
                "number",
                "Share of ratings of targets and fillers that equal the most frequent answer to their question. "
                "It is 1 if somebody always chose the same.",
            ),
            Measure("ratings_left_out", "integer", "How many optional questions the participant left out.", "ratings"),
            EARLY_PRESSES_TOTAL,
        )

    def suggested_analyses_of(self, factors: Sequence[str], settings: Mapping[str, Any]) -> list[SuggestedAnalysis]:
        """Suggest, for every question, the model that keeps its level; then the agreement on words marked as errors,
        and the companions of the models.
        """
        questions = questions_of(settings)
        suggested: list[SuggestedAnalysis] = []
        for question in questions if factors else ():
            suggested += about_a_question(number_of_question(question), factors, kind=question["kind"])
        marked = spans_question(questions)
        if marked is not None:
            words = {"unit": "item,condition,word" if factors else "item,word", "coder": "participant", "code": "mark"}
            title = f"{marked['name']}: agreement on marked words"
            suggested.append(SuggestedAnalysis("agreement", title, words, table=MARKED_WORDS.name))
        return first_ones_first(suggested)

    def virtual_participant(self, rng: random.Random, settings: Mapping[str, Any]) -> VirtualParticipant:
        return RatingParticipant(rng)


class RatingParticipant(SimulatedParticipant):
    """A participant with an individual use of scales and pace; conditions differ by `simulated_goodness`."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.rater = SimulatedRater(rng)

    def answer(self, params: Mapping[str, Any], levels: Mapping[str, str], item: str) -> dict[str, Any]:
        goodness = simulated_goodness(levels, item=item)
        ratings = self.rater.answers(params["questions"], goodness, words=params.get("words", ()))
        return {"ratings": ratings, **simulated_media(params, self.rng)}

    def answer_ms(self, payload: Mapping[str, Any]) -> float:
        times = [answer["rt_ms"] or 0.0 for answer in payload["ratings"].values()]
        return round(sum(times) + self.rng.lognormvariate(6.0, 0.4), 1)


def simulated_goodness(levels: Mapping[str, str], *, item: str) -> float:
    """Return the goodness of a text in a simulated study, in standard deviations, from its condition and its item."""
    return level_effect(levels, size=CONDITION_EFFECT) + ITEM_EFFECT * spread(f"item {item}")


def questions_of(settings: Mapping[str, Any]) -> Sequence[RatingQuestion]:
    """Return the questions of a study, none where none were chosen; without settings those of the settings form."""
    questions: Sequence[RatingQuestion] | None = settings.get("questions")
    return LINGUISTIC_QUALITY["en"] if questions is None else questions


def _asks_for_a_number(params: Mapping[str, Any], name: str) -> bool:
    """Return whether the answer to a question is a number; error spans without a score have none."""
    question = spans_question(params.get("questions", ()))
    return question is None or question["name"] != name or bool(question["score"])


def _pages_of_items(shown: Sequence[ShownStimulus], rng: random.Random) -> list[list[ShownStimulus]]:
    """Group the texts by item, each item at the position of one of its texts, drawn at random.

    Taking the first position would be biased: the earliest of an item's four texts comes earlier than a filler's only
    one.
    """
    places: dict[str, list[int]] = {}
    for place, stimulus in enumerate(shown):
        places.setdefault(stimulus.item, []).append(place)
    by_place = sorted((rng.choice(own), item) for item, own in places.items())
    conditions = sorted({stimulus.condition for stimulus in shown if stimulus.condition is not None})
    orders = iter(balanced_orders(len(by_place), max(1, len(conditions)), rng=rng))
    pages = []
    for _place, item in by_place:
        texts = [shown[place] for place in places[item]]
        if {text.condition for text in texts} == set(conditions) and len(texts) == len(conditions):
            by_condition = {text.condition: text for text in texts}
            texts = [by_condition[conditions[number]] for number in next(orders)]
        else:
            rng.shuffle(texts)
        pages.append(texts)
    return pages


def _trials(page: Sequence[ShownStimulus], settings: Mapping[str, Any], place: Place) -> list[TrialPlan]:
    marks_errors = spans_question(settings["questions"]) is not None
    return [
        TrialPlan(
            place.phase,
            PLUGIN,
            {
                "kind": place.kind,
                "text": stimulus.text,
                "texts": [other.text for other in page],
                **_media_of_page(page, stimulus, settings),
                "active": at,
                "context": stimulus.extra.get("context", ""),
                "questions": list(settings["questions"]),
                **({"words": words_to_mark(stimulus.text)} if marks_errors else {}),
                "layout": settings["layout"],
                **place.progress,
            },
            stimulus.stimulus_id,
        )
        for at, stimulus in enumerate(page)
    ]


def _media_of_page(page: Sequence[ShownStimulus], rated: ShownStimulus, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sound and the video of the rated text and the pictures of all texts of the page, by place."""
    own = media_params(rated, settings)
    pictures = [media_params(other, settings).get("image") for other in page]
    return {
        **({"images": pictures} if any(pictures) else {}),
        **{kind: own[kind] for kind in ("audio", "video") if kind in own},
    }

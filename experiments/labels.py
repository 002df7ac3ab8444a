"""What columns are called on pages: one name for each, as the subject of a sentence.

Pages say it in their own language, with its article in sentences and without it in lists (`in_list`). Files, formulas
and commands keep the names of columns.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

LABELS: dict[str, str] = {
    # People, items, places
    "participant": "the participant",
    "item": "the item",
    "item_set": "the item set",
    "list": "the list",
    "condition": "the condition",
    "session": "the session",
    "position": "the position in the session",
    "phase": "the phase",
    "is_filler": "the kind of item (filler or not)",
    "group": "the group",
    "order": "the order",
    "part": "the part",
    "coder": "the coder",
    "role": "the kind of coding",
    "text": "the text",
    "simulated": "the kind of participant (simulated or not)",
    # Times
    "rt_ms": "the reaction time",
    "log_rt": "the log reaction time",
    "inverse_rt": "the inverse reaction time (−1000/RT)",
    "onset_ms": "the onset",
    "onset_error_ms": "the uncertainty of the onset",
    "first_key_ms": "the time to the first key",
    "recall_first_key_ms": "the time to the first key of the recall",
    "typing_ms": "the typing time",
    "break_ms": "the length of the break",
    "answer_ms": "the time to the answer",
    "message_ms": "the time of the message",
    "total_ms": "the reading time of the whole text",
    "reading_ms": "the reading time",
    "first_entry_ms": "the time to the first entry",
    "paused_ms": "the time paused",
    "page_slept_ms": "the time the page stood still",
    "question_ms": "the time to the answer to the question",
    "arithmetic_ms": "the time for the problems",
    "display_intended_ms": "the intended display time",
    "display_measured_ms": "the measured display time",
    "prime_ms": "the duration of the prime",
    "prime_soa_ms": "the SOA of the prime",
    "frame_interval_ms": "the interval of frames",
    "median_rt_ms": "the median reaction time",
    "median_region_ms": "the median reading time of regions",
    "median_target_rt_ms": "the median reaction time to targets",
    "median_first_key_ms": "the median time to the first key",
    "median_choice_ms": "the median time of first choices",
    "residual_rt_ms": "the residual reading time",
    "residual_log_rt": "the residual log reading time",
    "seconds": "the coding time",
    # Reading by areas
    "total_time": "the total reading time",
    "first_pass_time": "the first-pass time",
    "pace": "the pace of reading",
    "speed": "the speed of reading",
    "time": "the reading time",
    "path_log": "the log length of the path",
    # Answers
    "rating": "the rating",
    "rating_z": "the rating (z-score)",
    "rating_log": "the log rating",
    "modulus": "the rating of the modulus",
    "typed": "the text typed",
    "choice": "the answer",
    "chosen": "the condition chosen",
    "correct": "the accuracy of the answer",
    "right_answer": "the right answer",
    "timed_out": "the answer out of time",
    "too_fast": "the answer too fast",
    "side": "the side",
    "answered_by": "the way of answering",
    "mapping": "the mapping of keys",
    "answer_label": "the word of the answer",
    "question_correct": "the accuracy of the answer to the question",
    "question_answer": "the answer to the question",
    "response": "the answer",
    "response_folded": "the answer (spelling unified)",
    "target": "the target",
    "matches_target": "the naming of the target",
    "n_characters": "the length of the answer",
    "recall": "the recall",
    "score": "the recall score",
    "codes": "the code",
    "code": "the code",
    "rank": "the rank",
    "best": "the best option",
    "worst": "the worst option",
    "ranking": "the ranking",
    "option": "the option",
    "place": "the place",
    "conditions_shown": "the conditions shown",
    "first_place_rank": "the rank of the first place",
    "edits": "the number of corrections",
    "changes": "the number of changed answers",
    "tries": "the number of choices",
    "errors": "the number of errors",
    "errors_before": "the number of errors so far",
    "attempts": "the number of attempts",
    "refused_attempts": "the number of refused answers",
    "refused_attempts_total": "the number of refused answers in the session",
    "early_presses": "the number of early presses",
    "early_presses_total": "the number of early presses in the session",
    "touches": "the number of touches",
    "focus_losses": "the number of times the window was left",
    "out_of_view": "the part out of view",
    "completed": "the end of the text (reached or not)",
    "answered": "the response (given or not)",
    "interrupted": "the interruption",
    # Texts
    "words": "the number of words",
    "characters": "the number of characters",
    "zipf": "the word frequency (Zipf)",
    "region": "the region",
    "regions": "the number of regions",
    "n_regions": "the number of regions",
    "regions_reached": "the number of regions reached",
    "regions_flagged": "the number of late regions",
    "region_text": "the text of the region",
    "from_critical": "the distance to the critical region",
    "areas": "the number of areas",
    "areas_passed": "the number of areas passed",
    "aoi": "the area",
    "distractor": "the distractor",
    "distractor_kind": "the kind of distractor",
    "text_place": "the place of the text",
    "texts_shown": "the number of texts shown",
    # Displays and devices
    "display_flagged": "the inexact display",
    "prime_flagged": "the inexact display of the prime",
    "displays_flagged": "the number of inexact displays",
    "primes_flagged": "the number of inexact primes",
    "dropped_frames": "the number of dropped frames",
    "layout_changes": "the number of layout changes",
    "pauses": "the number of pauses",
    "mode": "the way of reading",
    "reading_mode": "the usual way of reading",
    "pointer_type": "the kind of pointer",
    "font_loaded": "the font",
    "path_agrees": "the agreement of the path",
    "device": "the device",
    "hand": "the hand",
    "layout": "the layout",
    "window": "the window",
    "input": "the way of answering",
    "audio_onset_ms": "the onset of the sound",
    "audio_latency_ms": "the latency of the sound",
    "plays": "the number of times the sound was played",
    "sound_check_passed": "the result of the sound check",
    "sound_check_tries": "the number of tries of the sound check",
    "video_onset_ms": "the onset of the video",
    "video_dropped_frames": "the number of dropped frames of the video",
    "video_ended": "the end of the video (reached or not)",
    # Quality of a session
    "line_ratio": "the ratio of line lengths",
    "line_slope": "the slope of line estimates",
    "line_correlation": "the correlation of line estimates",
    "distinct_ratings": "the number of different ratings",
    "modal_share": "the share of the most frequent rating",
    "zero_ratings": "the number of ratings of 0",
    "ratings_left_out": "the number of ratings left out",
    "accuracy": "the accuracy",
    "comprehension": "the comprehension",
    "timed_out_share": "the share of answers out of time",
    "too_fast_share": "the share of answers too fast",
    "fast_regions_share": "the share of regions read too fast",
    "fast_choices_share": "the share of choices made too fast",
    "empty_share": "the share of empty answers",
    "target_share": "the share of targets named",
    "trials_timed_out": "the number of trials out of time",
    "first_place_share": "the share of choices of the first place",
    "no_difference_share": "the share of ties",
    "fillers_as_given": "the share of fillers judged as given",
    "arithmetic_problems": "the problems",
    "arithmetic_answers": "the answers to the problems",
    "arithmetic_total": "the number of problems",
    "arithmetic_correct": "the number of problems solved",
    "arithmetic_accuracy": "the share of problems solved",
    "problems_timed_out": "the number of problems out of time",
    "empty_recalls": "the number of empty recalls",
    "texts_with_layout_changes": "the number of texts laid out again",
    "texts_with_unread_areas": "the number of texts with areas unread",
    "texts_without_font": "the number of texts in another font",
    "paste_attempts": "the number of attempts to paste",
    "drop_attempts": "the number of attempts to drop a text",
    "copy_attempts": "the number of attempts to copy",
    "full_screen_exits": "the number of exits from full screen",
    "paste_attempts_total": "the number of attempts to paste in the session",
    "full_screen_exits_total": "the number of exits from full screen in the session",
    # Sessions
    "status": "the state of the session",
    "outcome": "the outcome of the session",
    "source": "the source",
    "excluded": "the exclusion",
    "exclusion_reason": "the reason for the exclusion",
    "quality_flags": "the remarks on data quality",
    "study_version": "the version of the study",
    "consent_version": "the version of the consent",
    "consent_given_at": "the time of the consent",
    "consent_choices": "the optional statements",
    "started_at": "the start",
    "finished_at": "the time of finishing",
    "last_seen_at": "the last message of the browser",
    "returned_late": "the late return",
    "duration_min": "the duration (minutes)",
    "trials": "the number of trials",
    "trials_answered": "the number of answered trials",
    "trials_interrupted": "the number of interrupted trials",
    "trials_translated": "the number of translated trials",
    "seed": "the seed",
    "language": "the language",
    "plugin": "the kind of trial",
    "clock": "the clock",
    "draft_restored": "the restored text",
    "coding": "the origin of the codes",
    "check_failed": "the number of failed checks",
    # The browser
    "browser": "the browser",
    "cross_origin_isolated": "the isolation of the page",
    "device_pixel_ratio": "the ratio of device pixels",
    "element_timing": "the timing of elements",
    "languages": "the languages",
    "refresh_hz": "the refresh rate (Hz)",
    "screen": "the screen",
    "simulation": "the simulation",
    "touch": "the touch screen",
    "user_agent": "the description of the browser",
    "viewport": "the visible area",
    # What is shown
    "image": "the picture",
    "alt": "the description of the picture",
    "audio": "the sound",
    "video": "the video",
    "audio_delay_ms": "the delay of the sound (ms)",
    "text_colour": "the colour of the text",
    "text_size": "the size of the text",
    "prime": "the prime",
    "fixation": "the fixation",
    "forward_mask": "the forward mask",
    "backward_mask": "the backward mask",
    "fixation_ms": "the duration of the fixation",
    "forward_mask_ms": "the duration of the forward mask",
    "backward_mask_ms": "the duration of the backward mask",
    "target_ms": "the duration of the target",
    "answer_labels": "the words of the answers",
    "critical_region": "the critical region",
    "distractors": "the distractors",
    "sides": "the sides",
    "clause_a": "the first clause (cause)",
    "clause_b": "the second clause (effect)",
    "connective": "the connective",
    "quantifier": "the quantifier",
    "previous_characters": "the length of the region before",
    "previous_zipf": "the word frequency of the region before (Zipf)",
    "previous_rt_ms": "the reading time of the region before",
    "second_previous_characters": "the length of the region two before",
    "second_previous_zipf": "the word frequency of the region two before (Zipf)",
    "second_previous_rt_ms": "the reading time of the region two before",
    # Two studies
    "difference_z": "the difference in acceptability",
    "difference_score": "the difference in recall",
    "z_a": "the acceptability of the first condition",
    "z_b": "the acceptability of the second condition",
    "score_a": "the recall of the first condition",
    "score_b": "the recall of the second condition",
    "condition_a": "the first condition",
    "condition_b": "the second condition",
}
"""The names that the platform gives columns. All others are words of the study."""
TIME_OF_READING = LABELS["reading_ms"]

# Of a reading task, measures of single areas: `pace_2`.
_NUMBERED = re.compile(r"(.+)_(\d{1,2})")
_ARTICLES = ("the ", "der ", "die ", "das ")
_ENDS = (
    ("_rt_ms", " (reaction time)"),
    ("_ms", " (ms)"),
    ("_z", " (z)"),
    ("_log", " (log)"),
    ("_changes", " (changes)"),
)


def without_article(label: str) -> str:
    """Return a label for a list: without its article.

    >>> without_article("the log rating"), without_article("marker")
    ('log rating', 'marker')
    """
    return next((label.removeprefix(one) for one in _ARTICLES if label.startswith(one)), label)


def split_number(name: str) -> tuple[str, str]:
    """Return the name of a measure and the number of its area, or of a code; the number is empty where it has none.

    >>> split_number("pace_2"), split_number("code_0"), split_number("rt_ms")
    (('pace', '2'), ('code', '0'), ('rt_ms', ''))
    """
    found = _NUMBERED.fullmatch(name)
    return (found[1], found[2]) if found and found[1] in LABELS else (name, "")


def in_words(name: str) -> str:
    """Return a name that somebody gave, as words.

    >>> in_words("non_redundancy"), in_words("focus_rt_ms")
    ('non redundancy', 'focus (reaction time)')
    """
    for end, said in _ENDS:
        if name.endswith(end) and len(name) > len(end):
            return in_words(name.removesuffix(end)) + said
    return " ".join(name.replace("_", " ").replace("=", " ").split()) or name


def in_list(name: str) -> str:
    """Return what a column is called in a list, in the language of the page.

    >>> in_list("paste_attempts"), in_list("code_3"), in_list("non_redundancy")
    ('number of attempts to paste', 'code 3', 'non redundancy')
    """
    first, number = split_number(name)
    return f"{without_article(_(LABELS[first]))} {number}".strip() if first in LABELS else in_words(name)

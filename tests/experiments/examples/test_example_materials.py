"""The materials of the example study are complete, clean and what their labels say."""

import csv
import re
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import pytest

MATERIALS = Path(__file__).resolve().parents[3] / "experiments" / "examples" / "causal-sentences" / "materials.csv"

MARKERS = ("because", "because-of", "cause-verb", "cause-noun")
ORDERS = ("cause-effect", "effect-cause")
CONDITIONS = tuple(product(MARKERS, ORDERS))
GENRES = ("everyday", "news", "science")

# Each formulation names its cause `a` and its effect `b`; a sentence may fit one formulation only.
FORMULATIONS = {
    ("because", "cause-effect"): r"Because (?!of\b)(?P<a>.+), (?P<b>[^,]+)\.",
    ("because", "effect-cause"): r"(?!Because\b)(?P<b>[^,]+) because (?!of\b)(?P<a>.+)\.",
    ("because-of", "cause-effect"): r"Because of (?P<a>.+), (?P<b>[^,]+)\.",
    ("because-of", "effect-cause"): r"(?!Because\b)(?P<b>[^,]+) because of (?P<a>.+)\.",
    ("cause-verb", "cause-effect"): r"(?P<a>.+?) (?:causes|(?:has |had )?caused|can cause) (?!by\b)(?P<b>.+)\.",
    ("cause-verb", "effect-cause"): r"(?P<b>.+) (?:is|are|was|were|has been|had been|can be) caused by (?P<a>.+)\.",
    ("cause-noun", "cause-effect"): r"(?P<a>.+) (?:is|was|had been|can be) the cause of (?P<b>.+)\.",
    ("cause-noun", "effect-cause"): r"The cause of (?P<b>.+?) (?:is|was|had been|can be) (?P<a>.+)\.",
}

CAUSAL_CONNECTIVE = re.compile(
    r"\b(?:because|caus\w+|cause|since|so|as|for this reason|therefore|thus|hence|consequently|due to|owing to|"
    r"thanks to|result\w*|lead\w*|led to|effect\w*|why|reason\w*|make|makes|made)\b",
    re.IGNORECASE,
)


def rows():
    with MATERIALS.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def targets():
    return [row for row in rows() if (row["is_filler"], row["is_practice"]) == ("false", "false")]


def fillers_and_practice():
    return [row for row in rows() if (row["is_filler"], row["is_practice"]) != ("false", "false")]


def propositions(condition):
    """Item → (cause, effect) as the formulation of this condition words them, in lower case."""
    found = {}
    for row in targets():
        if (row["marker"], row["order"]) == condition:
            match = re.fullmatch(FORMULATIONS[condition], row["text"])
            assert match, row["text"]
            found[row["item"]] = (match["a"].lower(), match["b"].lower())
    return found


def test_the_columns_are_those_the_guide_describes():
    with MATERIALS.open(newline="", encoding="utf-8") as file:
        header = next(csv.reader(file))
    assert header == ["item", "text", "marker", "order", "is_filler", "is_practice", "genre"]


def test_thirty_two_items_exist_in_each_of_the_eight_conditions_exactly_once():
    cells = Counter((row["item"], row["marker"], row["order"]) for row in targets())
    items = {item for item, _, _ in cells}
    assert len(items) == 32
    assert cells == Counter((item, *condition) for item in items for condition in CONDITIONS)


def test_there_are_twelve_fillers_and_four_practice_sentences_outside_the_design():
    labels = Counter((row["is_filler"], row["is_practice"]) for row in fillers_and_practice())
    assert labels == {("true", "false"): 12, ("false", "true"): 4}
    assert all(row["marker"] == row["order"] == row["genre"] == "" for row in fillers_and_practice())


def test_no_text_and_no_item_code_is_used_twice():
    texts = Counter(row["text"].lower() for row in rows())
    assert [text for text, count in texts.items() if count > 1] == []
    target_codes = {row["item"] for row in targets()}
    other_codes = [row["item"] for row in fillers_and_practice()]
    assert len(set(other_codes)) == len(other_codes)
    assert target_codes.isdisjoint(other_codes)


def test_item_codes_are_short_lower_case_words():
    assert [row["item"] for row in rows() if not re.fullmatch(r"[a-z]{3,12}", row["item"])] == []


def test_every_text_is_one_tidy_sentence():
    untidy = [
        row["text"]
        for row in rows()
        if not re.fullmatch(r"[A-Z][^.?!]*[a-z]\.", row["text"]) or re.search(r"\s{2}|\s[,.]|,\S", row["text"])
    ]
    assert untidy == []


def test_texts_use_only_characters_that_survive_every_spreadsheet():
    assert [row["text"] for row in rows() if not re.fullmatch(r"[A-Za-z,. -]+", row["text"])] == []


@pytest.mark.parametrize("condition", CONDITIONS, ids="/".join)
def test_every_formulation_uses_its_own_marker_and_no_other(condition):
    for row in targets():
        fits = bool(re.fullmatch(FORMULATIONS[condition], row["text"]))
        assert fits == ((row["marker"], row["order"]) == condition), row["text"]


def test_every_target_holds_exactly_one_marker():
    several = [row["text"] for row in targets() if len(re.findall(r"\b(?:because|caus)", row["text"].lower())) != 1]
    assert several == []


def test_the_nominal_formulations_of_an_item_share_their_wording():
    # Only marker and order may differ, or the comparison of the markers would compare contents too.
    nominal = [propositions((marker, order)) for marker in ("cause-verb", "cause-noun") for order in ORDERS]
    assert all(wording == nominal[0] for wording in nominal)
    for order in ORDERS:
        causes = {item: cause for item, (cause, _) in propositions(("because-of", order)).items()}
        assert causes == {item: cause for item, (cause, _) in nominal[0].items()}


def test_the_clausal_formulations_of_an_item_share_their_wording():
    because = propositions(("because", "cause-effect"))
    assert because == propositions(("because", "effect-cause"))
    for order in ORDERS:
        effects = {item: effect for item, (_, effect) in propositions(("because-of", order)).items()}
        assert effects == {item: effect for item, (_, effect) in because.items()}


def test_no_clause_starts_with_a_pronoun_that_would_point_forward_in_one_order():
    # "it rained" is the weather's own subject and points nowhere.
    pronoun = re.compile(r"(?:he|she|they|its|his|her|their|it(?! rained)|this|these)\b")
    clauses = [clause for pair in propositions(("because", "cause-effect")).values() for clause in pair]
    assert [clause for clause in clauses if pronoun.match(clause)] == []


def test_fillers_and_practice_sentences_hold_no_causal_connective():
    assert [row["text"] for row in fillers_and_practice() if CAUSAL_CONNECTIVE.search(row["text"])] == []


def test_the_check_for_causal_connectives_would_find_one():
    assert CAUSAL_CONNECTIVE.search("The bus was late, so Anna walked.")
    assert CAUSAL_CONNECTIVE.search("The storm caused a delay.")


def test_sentences_are_eight_to_twenty_five_words_long():
    lengths = {row["text"]: len(row["text"].split()) for row in rows()}
    assert {text: length for text, length in lengths.items() if not 8 <= length <= 25} == {}


def test_each_item_has_one_genre_and_the_genres_are_evenly_spread():
    genres = defaultdict(set)
    for row in targets():
        genres[row["item"]].add(row["genre"])
    assert all(len(found) == 1 for found in genres.values())
    counts = Counter(found.pop() for found in genres.values())
    assert sorted(counts) == list(GENRES)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_every_list_shows_every_genre_in_every_condition():
    # Item i of list g is shown in condition (i + g) mod 8: genres that alternate in the file meet every condition.
    genre_of_item = {row["item"]: row["genre"] for row in targets()}
    for stimulus_list in range(len(CONDITIONS)):
        seen = defaultdict(set)
        for position, genre in enumerate(genre_of_item.values()):
            seen[(position + stimulus_list) % len(CONDITIONS)].add(genre)
        assert all(sorted(found) == list(GENRES) for found in seen.values())

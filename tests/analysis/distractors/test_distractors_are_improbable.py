"""With a model, the least probable of a hundred candidates, in every condition."""

import pytest

from analysis.distractors.candidates import Candidate
from analysis.distractors.choosing import LEAST_BITS, Item, choose
from analysis.distractors.improbable import Improbability
from analysis.distractors.sentences import cut
from analysis.text.arpa import NotArpa, read_arpa

MODEL = """
\\data\\
ngram 1=10
ngram 2=5

\\1-grams:
-99\t<s>\t-0.1
-2.0\t</s>
-1.0\tthe\t-0.1
-1.5\tdog\t-0.2
-1.5\tslept
-2.0\tate
-1.6\tsings
-1.6\tjumps
-6.5\tgives
-5.5\ttakes

\\2-grams:
-0.3\tthe dog
-0.3\tdog slept
-0.5\tdog ate
-0.7\tdog sings
-0.2\t<s> the

\\end\\
"""
POOL = [Candidate(word, 4.0) for word in ("sings", "jumps", "gives", "takes", "knits")]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.arpa"
    path.write_text(MODEL)
    return Improbability.knowing(path, ["The", "dog", "slept", "ate", "zebra", *(one.word for one in POOL)])


def test_a_candidate_is_taken_that_is_less_probable_by_ten_bits(model):
    (choices,) = choose([Item("a", (cut("dog slept"),))], pool=POOL, language="en", model=model)
    assert choices[0].distractor in {"gives", "takes"}
    assert choices[0].bits is not None
    assert choices[0].bits >= LEAST_BITS
    assert "surprisal" not in choices[0].flags


def test_the_difference_is_that_of_the_whole_model(model):
    (choices,) = choose([Item("a", (cut("The dog slept"),))], pool=POOL, language="en", model=model)
    whole = read_arpa(MODEL)
    chosen = choices[1]
    word, other = (whole.log10_probability(one, ["dog"]) for one in ("slept", chosen.distractor))
    assert word is not None
    assert other is not None
    assert chosen.bits == pytest.approx((word - other) * 3.3219280948873626)


def test_where_none_is_improbable_enough_the_least_probable_is_taken_and_flagged(model):
    pool = [one for one in POOL if one.word in ("sings", "jumps")]
    (choices,) = choose([Item("a", (cut("dog slept"),))], pool=pool, language="en", model=model)
    assert choices[0].distractor == "jumps"
    assert choices[0].bits is not None
    assert 0 < choices[0].bits < LEAST_BITS
    assert "surprisal" in choices[0].flags


def test_the_difference_is_the_smallest_over_the_conditions(model):
    both = Item("a", (cut("dog slept"), cut("dog ate")))
    (choices,) = choose([both], pool=POOL, language="en", model=model)
    (of_ate,) = choose([Item("a", (cut("dog ate"),))], pool=POOL, language="en", model=model)
    assert choices[0].distractor == of_ate[0].distractor
    assert choices[0].bits == pytest.approx(of_ate[0].bits)


def test_words_that_the_model_does_not_know_are_flagged_and_never_distractors(model):
    (choices,) = choose([Item("a", (cut("dog zebra"),))], pool=POOL, language="en", model=model)
    assert choices[0].bits is None
    assert "word not in the model" in choices[0].flags
    assert choices[0].distractor != "knits"


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "no.arpa"
    path.write_text("the dog slept")
    with pytest.raises(NotArpa):
        Improbability.knowing(path, ["dog"])

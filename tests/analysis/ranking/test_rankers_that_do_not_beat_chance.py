"""A ranker whose interval holds .5 is said to be no better than chance, and is not compared with length."""

import numpy as np
import pytest

from analysis.methods.ranking.accuracies import Accuracy
from analysis.methods.ranking.rankers import ALL, LENGTH, Ranked
from analysis.methods.ranking.wording import _of_result


def accuracy(value: float) -> Accuracy:
    return Accuracy(value=value, pairs=40, tied=0, draws=value + np.linspace(-0.1, 0.1, 50))


@pytest.mark.parametrize(("own", "is_chance"), [(0.55, True), (0.75, False)])
def test_length_is_compared_only_where_the_features_beat_chance(own: float, is_chance: bool) -> None:
    found = {ALL: {"input": accuracy(own)}, LENGTH: {"input": accuracy(own)}}
    result = Ranked("score", found, np.zeros(1), np.zeros(1), np.zeros(1), None)
    said = " ".join(_of_result(result, confidence=0.95))
    assert ("not shown to rank better than chance" in said) == is_chance
    assert ("number of words alone is as good" in said) != is_chance

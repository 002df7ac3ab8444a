"""A condition that is empty for all items of the design is no factor of theirs."""

from experiments.study_files import read_toml

TABLE = "item,text,condition,is_practice\np1,The cat slept.,a,true\n1,The dog barked.,,false\n2,The dog sat.,,false\n"
STUDY = """slug = "a"
title = "A"
language = "en"
[[parts]]
name = "reading"
kind = "task"
paradigm = "self-paced-reading"
[parts.materials]
file = "m.csv"
"""


def test_a_condition_that_only_practice_has_describes_practice_and_makes_no_lists(tmp_path):
    (tmp_path / "m.csv").write_text(TABLE)
    (tmp_path / "study.toml").write_text(STUDY)
    design = read_toml(tmp_path / "study.toml").parts[0].design
    assert (design.factors, len(design.lists)) == ((), 1)
    assert {item.code: dict(item.attributes) for item in design.items} == {"p1": {"condition": "a"}, "1": {}, "2": {}}

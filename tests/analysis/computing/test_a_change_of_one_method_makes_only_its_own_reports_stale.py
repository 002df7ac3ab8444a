import pytest

from analysis.computing.code_version import code_version
from analysis.methods import source as subject


@pytest.fixture
def changed(monkeypatch, tmp_path):
    """Change the source of a module; whoever rests on it has another version then."""
    true_path = subject.path_of

    def change(module):
        copy = tmp_path / f"{module}.py"
        copy.write_text(true_path(module).read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
        monkeypatch.setattr(subject, "path_of", lambda name: copy if name == module else true_path(name))
        return {slug: code_version.__wrapped__(slug) for slug in ("rm-anova", "tukey", "normalise", "lmm", "power")}

    return change


def versions():
    return {slug: code_version.__wrapped__(slug) for slug in ("rm-anova", "tukey", "normalise", "lmm", "power")}


@pytest.mark.parametrize(
    ("module", "stale"),
    [
        ("analysis.methods.measures.normalise", {"normalise"}),
        ("analysis.methods.conditions.tukey", {"tukey"}),
        ("analysis.methods.mixed.fitting.engine", {"lmm", "power"}),
        ("analysis.methods.conditions.variance", {"rm-anova", "tukey", "power"}),
        ("analysis.methods.report", {"rm-anova", "tukey", "normalise", "lmm", "power"}),
        ("analysis.methods.reading.measures", set()),
    ],
)
def test_a_change_makes_those_reports_stale_that_rest_on_it(changed, module, stale):
    before = versions()
    after = changed(module)
    assert {slug for slug in before if before[slug] != after[slug]} == stale

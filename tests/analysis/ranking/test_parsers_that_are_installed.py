"""Which parser runs, what link-grammar's output means, and that no text is ever a command to it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.methods import registry
from analysis.methods.ranking import parsing
from analysis.methods.ranking.example import example
from analysis.methods.ranking.method import METHOD
from analysis.methods.report import BadInput
from analysis.text.quality import link_grammar, spacy_parser
from analysis.text.quality.parses import Mention
from analysis.text.quality.segments import sentences
from tests import needs

# As link-grammar 5.12 prints a sentence with a conjunction, and one from which it had to leave out words.
SAID = """\
Tom and Ann saw the dog.
Found 4 linkages (4 had no P.P. violations)
\tLinkage 1, cost vector = (UNUSED=0 DIS= 1.00 LEN=28)
[(LEFT-WALL)(tom.n-u)(and.j-n)(Ann.f)(saw.v-d)(the)
(dog.n)(.)]
[[0 7 0 (Xp)][0 4 0 (WV)][0 2 0 (Wd)][2 4 0 (Sp)][1 2 0 (SJlu)]
[2 3 -1176029728 (SJrs)][4 6 1 (Os)][5 6 2 (Ds**c)]]
[0]

Elena dinner the the.
No complete linkages found.
Found 2 linkages (2 had no P.P. violations) at null count 2
\tLinkage 1, cost vector = (UNUSED=2 DIS= 0.12 LEN=5)
[(LEFT-WALL)(Elena.f)(dinner.n-u)([the])([the])(.)]
[[0 5 0 (Xp)][0 2 21861 (Wa)][1 2 1 (AN)]]
[0]
"""


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_parser, "installed", lambda: None)
    monkeypatch.setattr(link_grammar, "installed", lambda: None)


def parse(texts: list[str], **given: Any) -> parsing.Parsing:
    split = [sentences(text) for text in texts]
    names = [f"I{number}:A" for number in range(1, len(texts) + 1)]
    return parsing.parse(split, names, **({"parser": "auto", "conllu": None, "advance": lambda share: None} | given))


def test_links_give_subjects_objects_and_words_left_out() -> None:
    found = link_grammar.read_output(SAID, ["Tom and Ann saw the dog.", "Elena dinner the the."])
    first, second = found.values()
    assert [(t.form, t.role) for t in first.tokens if t.role] == [("tom", "S"), ("Ann", "S"), ("dog", "O")]
    assert first.has_verb
    assert not second.has_verb
    assert [token.form for token in second.tokens if not token.linked] == ["the", "the"]
    assert first.depth is None


@needs.link_grammar
def test_link_grammar_finds_who_does_what() -> None:
    found = link_grammar.parsed(["Kirsten gave him the books.", "Does the dog like the bone?"])
    roles = [{t.lemma: t.role for t in parse.tokens if t.role} for parse in found.values()]
    assert roles == [{"kirsten": "S", "books": "O"}, {"dog": "S", "bone": "O"}]


@needs.link_grammar
@pytest.mark.parametrize(
    "text", ["!exit", "!file=/etc/passwd", "% a remark", "  !!help", "![", "\x04", "Bye.", "[0]", "[[0 1 0 (S)]]"]
)
def test_no_text_is_a_command_and_none_stops_the_rest(text: str) -> None:
    found = link_grammar.parsed([text, "The cat sat."])
    assert "The cat sat." in found


@needs.link_grammar
def test_long_sentences_are_not_parsed() -> None:
    assert link_grammar.parsed([" ".join(["word"] * 21)]) == {}


def test_without_any_parser_the_report_says_so(nothing_installed: None) -> None:
    found = parse(["The cat sat."])
    assert found.parsed is None
    assert "No parser was found" in found.note


@pytest.mark.parametrize("parser", ["spacy", "link-grammar", "conllu"])
def test_a_parser_that_is_not_there_is_refused(nothing_installed: None, parser: str) -> None:
    with pytest.raises(BadInput):
        parse(["The cat sat."], parser=parser)


ROW = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n"


def test_parses_from_a_file_come_before_any_parser() -> None:
    found = parse(["Go.", "Stay."], conllu=f"# newdoc id = I1:A\n{ROW}")
    assert found.parsed is not None
    assert [one is None for text in found.parsed for _, one in text] == [False, True]
    assert "CoNLL-U" in found.note
    assert "1 text had no parse in the file: I2:A." in found.warnings


@pytest.mark.parametrize(
    ("conllu", "words"),
    [
        (ROW, "names no text"),
        (f"# newdoc id = X\n{ROW}", "none of the documents is one of the texts"),
        (f"# newdoc id = I1:A\n{ROW}\n# newdoc id = I1:A\n{ROW}", "comes twice"),
        (f"# newdoc\n{ROW}", "has no id"),
        ("# newdoc id = I1:A\nGo\n", "in the document 'I1:A' line"),
    ],
)
def test_a_file_that_is_no_conllu_is_refused(conllu: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse(["Go."], conllu=conllu)


class Document(list[Any]):
    """A document as spaCy gives it: tokens, and named entities beside them."""

    ents: tuple[Any, ...] = ()


def test_an_installed_model_of_spacy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipeline:
        pipe_names = ("parser", "ner")

        def pipe(self, texts: list[str], batch_size: int) -> Any:
            for _ in texts:
                root = SimpleNamespace(text="slept", lemma_="sleep", pos_="VERB", dep_="ROOT", i=1)
                root.head = root
                tom = SimpleNamespace(text="Tom", lemma_="Tom", pos_="PROPN", dep_="nsubj", i=0, head=root)
                found = Document([tom, root])
                found.ents = (SimpleNamespace(start=0, end=1, root=tom, label_="PERSON"),)
                yield found

    monkeypatch.setattr(spacy_parser, "installed", lambda: ("en_model", "1.0"))
    monkeypatch.setattr(spacy_parser, "import_module", lambda name: SimpleNamespace(load=lambda *_, **__: Pipeline()))
    found = parse(["Tom slept."], parser="spacy")
    assert found.parsed is not None
    ((_, one),) = found.parsed[0]
    assert one is not None
    assert [(token.role, token.head) for token in one.tokens] == [("S", 1), (None, -1)]
    assert one.mentions == (Mention(0, 1, 0, "PERSON"),)
    assert found.note == "Sentences were parsed by spaCy's model en_model 1.0."
    assert "another machine may have another parser" in parse(["Tom slept."], parser="auto").note


def test_the_default_is_what_every_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> Any:
        raise AssertionError("an installed parser was looked for")

    monkeypatch.setattr(spacy_parser, "installed", never)
    monkeypatch.setattr(link_grammar, "installed", never)
    frame, parameters = example()
    del parameters["parser"]
    report = registry.run(METHOD, frame, parameters | {"bootstrap": 20})
    assert report.params["parser"] == "none"
    assert any("No parser was asked for" in note for note in report.notes)


@needs.link_grammar
def test_a_report_with_link_grammar_has_roles_and_no_depth() -> None:
    frame, parameters = example()
    report = registry.run(METHOD, frame, parameters | {"parser": "link-grammar", "bootstrap": 20})
    names = {column.name for column in report.table("features").columns}
    assert {"grid_s_o", "fluency_arc", "fluency_verbless"} <= names
    assert "fluency_depth" not in names
    assert any("parsed by link-grammar" in note for note in report.notes)

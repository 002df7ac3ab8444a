"""Choose a parser (CoNLL-U file, spaCy or link-grammar) and parse all texts; nothing is downloaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.methods.report import BadInput
from analysis.methods.wording import counted, listed
from analysis.text.quality import link_grammar, spacy_parser
from analysis.text.quality.parses import NotConllu, Parse, Parsed, read_conllu
from analysis.text.quality.segments import Sentence

PARSERS = ("auto", "none", "conllu", "spacy", "link-grammar")
WITH_MODELS = ("auto", "spacy")
"""The choices under which a model of spaCy may parse, and name entities."""
WITHOUT = "features of syntax are left out, and the entity grid follows content words matched as strings"
_DOCUMENT = re.compile(r"^#\s*newdoc(?:\s+id\s*=\s*(?P<id>.*))?$", re.MULTILINE)


@dataclass(frozen=True)
class Parsing:
    """The parses of the texts (None: there is no parser), and what to say about them."""

    parsed: tuple[Parsed, ...] | None
    note: str
    warnings: tuple[str, ...] = ()


def parse(
    texts: Sequence[Sequence[Sentence]],
    names: Sequence[str],
    *,
    parser: str,
    conllu: str | None,
    advance: Callable[[float], None],
) -> Parsing:
    """Parse by what was asked for; `auto` takes CoNLL-U where it was given, else an installed spaCy model, else
    link-grammar. A file in CoNLL-U that was given is read without being asked for: it is the same everywhere.

    `names` are what `# newdoc id = …` calls the texts. Raises BadInput where the parser that was asked for is not
    there, and where CoNLL-U cannot be read.
    """
    if conllu is not None and parser in ("none", "auto", "conllu"):
        return _from_conllu(texts, names, conllu)
    if parser == "none":
        return Parsing(None, f"No parser was asked for: {WITHOUT}.")
    if parser == "conllu":
        raise BadInput("parser=conllu needs the parses: give the file with conllu=…, or choose another parser.")
    model = spacy_parser.installed() if parser in ("auto", "spacy") else None
    if model is not None:
        found = spacy_parser.parsed(_distinct(texts), model[0], advance=advance)
        return _report(texts, found, f"spaCy's model {model[0]} {model[1]}", why="", parser_was_found=parser == "auto")
    if parser == "spacy":
        raise BadInput("No English model of spaCy is installed here, and none is downloaded; choose another parser.")
    version = link_grammar.installed()
    if version is not None:
        try:
            found = link_grammar.parsed(_distinct(texts), advance=advance)
        except link_grammar.ParserFailed as fault:
            raise BadInput(f"Parsing stopped: {fault}. Try again with parser=none, which needs no parser.") from fault
        why = f", being longer than {link_grammar.MOST_WORDS} words or beyond its grammar"
        return _report(texts, found, f"link-grammar {version}", why=why, parser_was_found=parser == "auto")
    if parser == "link-grammar":
        raise BadInput("link-grammar is not installed here (on Debian: apt-get install link-grammar); parser=none.")
    return Parsing(
        None,
        f"No parser was found: neither a file in CoNLL-U was given, nor is a spaCy model or link-grammar installed; "
        f"{WITHOUT}.",
    )


def documents_of(conllu: str) -> dict[str, tuple[Parse, ...]]:
    r"""Return the parses in a CoNLL-U file by document.

    Raises BadInput where there is no `# newdoc id = …`, an id comes twice, or a line is no CoNLL-U.

    >>> list(documents_of("# newdoc id = I1:A\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n"))
    ['I1:A']
    """
    marks = list(_DOCUMENT.finditer(conllu))
    if not marks:
        raise BadInput("conllu: the file names no text; put a line '# newdoc id = item:system' before each.")
    found: dict[str, tuple[Parse, ...]] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        name = (mark["id"] or "").strip()
        if not name or name in found:
            what = "has no id" if not name else f"'{name}' comes twice"
            raise BadInput(f"conllu: a document {what}; every '# newdoc id = item:system' must name one text.")
        try:
            found[name] = read_conllu(conllu[mark.end() : following.start() if following else None])
        except NotConllu as fault:
            raise BadInput(f"conllu: in the document '{name}' {fault}.") from None
    return found


def _from_conllu(texts: Sequence[Sequence[Sentence]], names: Sequence[str], conllu: str) -> Parsing:
    documents = documents_of(conllu)
    repeated = sorted({name for name in names if names.count(name) > 1 and name in documents})
    if repeated:
        raise BadInput(
            f"conllu: {listed(repeated)} has several texts, so that its parses belong to none; give every text of an "
            f"input another system."
        )
    parsed: list[Parsed] = []
    for name, text in zip(names, texts, strict=True):
        own = documents.get(name)
        if own is None:
            parsed.append(tuple((sentence, None) for sentence in text))
        else:
            parsed.append(tuple((Sentence(" ".join(token.form for token in one.tokens)), one) for one in own))
    lacking = [name for name in names if name not in documents]
    if len(lacking) == len(names):
        raise BadInput(
            f"conllu: none of the documents is one of the texts; they are called item:system, such as '{names[0]}', "
            f"and the file has {listed(documents, shown=3)}."
        )
    said = [f"{counted(len(lacking), 'text')} had no parse in the file: {listed(lacking, shown=5)}."] if lacking else []
    return Parsing(tuple(parsed), "Parses were read from the file in CoNLL-U that was given.", tuple(said))


def _distinct(texts: Sequence[Sequence[Sentence]]) -> list[str]:
    return list(dict.fromkeys(sentence.text for text in texts for sentence in text))


def _report(
    texts: Sequence[Sequence[Sentence]], found: dict[str, Parse], parser: str, *, why: str, parser_was_found: bool
) -> Parsing:
    parsed = tuple(tuple((sentence, found.get(sentence.text)) for sentence in text) for text in texts)
    total = sum(map(len, parsed))
    lacking = sum(one is None for text in parsed for _, one in text)
    note = f"Sentences were parsed by {parser}"
    if parser_was_found:
        note += " (parser=auto: another machine may have another parser, or none, and gives other numbers)"
    note += (
        f"; {lacking:,} of {total:,} have no parse{why}, and their content words count as mentions." if lacking else "."
    )
    return Parsing(parsed, note)
